import Comparing
import Git
import Model
import Rendering

/// What it takes to follow issues from one integration to the next.
struct IssueFollowing {
  /// What the integration that this one follows knows of issues; nil for the first.
  var memory: IssueMemory?
  /// From that integration's files to those of this one; nil where they cannot be compared.
  var change: SourceDifference?
  /// What people have said; nil until it is read.
  var silences: [Silence]?
  var isRead = false
  /// The issues that were found now and do not count.
  var silenced: [Issue] = []
  /// What the integrations after this one have to know; nil where this one says nothing.
  var result: IssueMemory?
  /// What the repository says about who may have caused new issues; nil until there are some.
  var evidence: SuspectEvidence?
}

extension IntegrationRun {
  /// Tells what is new against what is known; an integration that says nothing about the code resolves nothing.
  func compare() {
    followIssues(by: integration.outcome.isConclusive ? reach : .void)
    if !integration.outcome.isConclusive { following.result = nil }
  }

  /// Reads what people have said about issues, before it decides the outcome.
  func readSilences() throws(IntegrationStop) {
    do throws(IntegratingError) {
      following.silences = try Silences(in: integrator.home.integrations(of: integration.bot)).all()
    } catch {
      throw IntegrationStop(error)
    }
  }

  func followIssues(by reach: IssueReach) {
    rememberIssues()
    let comparison = IssueComparison(
      number: integration.number, commit: target.commit, reach: reach, silences: following.silences ?? [],
      now: integrator.clock.now())
    let found = IssueFinder.issues(
      diagnostics: integration.diagnostics, tests: integration.tests.results,
      silenced: comparison.silencedFindings(in: following.memory),
      looseReports: integration.tests.sanitizerReports, gates: integration.gates,
      isolation: integration.tests.isolation, triggerErrors: triggered.failures, analysis: integration.analysis,
      serviceWarnings: ([containment.warning].compactMap(\.self) + serviceWarnings).map {
        .init($0.subject, $0.sentence)
      }, steps: diagnosticSteps)
    let result = comparison.compare(found, with: following.memory, after: following.change)
    integration.issues = result.issues
    following.silenced = result.silenced
    following.result = result.memory
    integration.issueRecords = result.memory.records
    suspect()
  }

  var reach: IssueReach {
    let results = integration.tests.results
    let gates = integration.gates.map { ($0.rule, $0.state) }
    var reach = IssueReach(
      built: isBuilt,
      tests: Dictionary(results.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
      listed: !integration.tests.runs.isEmpty, filteredOut: filteredOut,
      flaky: Set(results.filter(\.isFlaky).map(\.id)), isolated: integration.tests.isolation?.left == 0,
      waitingTriggers: .named(waitingTriggers), analyzed: isAnalyzed, sanitized: !request.build.sanitize.isEmpty,
      gates: areGatesJudged ? Dictionary(gates, uniquingKeysWith: { first, _ in first }) : nil)
    reach.passed = passed
    // What nobody asks for any more has nothing left to prove.
    if !(request.actions + asked.actions).contains(.archive) { reach.passed.insert(.archiving) }
    reach.owedGates = Set(integration.owedGates.map(\.rule))
    return reach
  }

  /// Reads what the integration before knows, once.
  private func rememberIssues() {
    guard !following.isRead else { return }
    following.isRead = true
    following.memory = knownIssues()
    // One that ended before it was judged still shows what is silenced.
    if following.silences == nil {
      do throws(IntegrationStop) {
        try readSilences()
      } catch {
        // Where this is what ended the integration, its reason says so.
        if !integration.reasons.contains(error.reason) {
          serviceWarnings.append(.silencesUnreadable(reason: error.reason))
        }
      }
    }
    guard let memory = following.memory else { return }
    let files = Set(memory.records.compactMap(\.location?.file))
    // Where the old files are gone from the repository, places are compared as they are.
    if !files.isEmpty { following.change = try? difference(from: memory.commit, of: files) }
  }

  /// The memory of the baseline, or where nothing is comparable, as after a change of the tests' filter, that of the
  /// last integration of the same package.
  private func knownIssues() -> IssueMemory? {
    let bot = integrator.home.integrations(of: integration.bot)
    if let baseline = integration.baseline {
      return memory(of: bot.folder("\(baseline.number)"), baselineDocument)
    }
    let entries = ledger.map { entry in
      var entry = entry
      entry.scope = scope
      return entry
    }
    guard let entry = nearestEntry(of: entries), let stored = try? StoredIntegration(in: bot.folder("\(entry.number)")),
      stored.document.package == target.package
    else { return nil }
    return memory(of: bot.folder("\(entry.number)"), stored.document)
  }

  private func memory(of kept: Folder, _ document: IntegrationDocument?) -> IssueMemory? {
    var memory = IssueMemoryFile(in: kept).read()
    if let document { memory?.addFindings(of: document) }
    return memory
  }
}
