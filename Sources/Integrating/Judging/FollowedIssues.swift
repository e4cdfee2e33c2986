import Comparing
import Git
import Model
import Rendering

/// The issues known before an integration, for comparison with those that it finds.
struct KnownIssues {
  /// The memory of the integration that this one follows; nil for the first integration.
  var memory: IssueMemory?
  /// The changes from that integration's files to those of this one; nil if they cannot be compared.
  var change: SourceDifference?
  /// What people have said about the issues.
  var silences: [Silence]
}

/// The issues of an integration, compared with those of the one that it follows.
struct FollowedIssues {
  var issues: [Issue]
  /// The issues that were found now and do not count.
  var silenced: [Issue]
  /// What the following integrations need to know.
  var memory: IssueMemory
  /// Whether the integration says anything about the code, so that its memory is kept.
  var isConclusive: Bool
  /// What the repository reveals about who may have caused new issues; nil until there are some.
  var evidence: SuspectEvidence?
}

extension IntegrationRun {
  /// Determines which issues are new; an integration that says nothing about the code resolves none.
  func compareIssues(_ reached: inout Reached) {
    let known = reached.known ?? knownIssuesAtLeast(beside: reached)
    reached.known = known
    let isConclusive = reached.integration.outcome.isConclusive
    var issues = follow(&reached, by: isConclusive ? reach(of: reached) : .void, known)
    issues.isConclusive = isConclusive
    reached.issues = issues
  }

  /// Compares the issues that were found with the known ones.
  func follow(_ reached: inout Reached, by reach: IssueReach, _ known: KnownIssues) -> FollowedIssues {
    let comparison = IssueComparison(
      number: number, commit: target.commit, reach: reach, silences: known.silences, now: integrator.clock.now())
    let integration = reached.integration
    let found = IssueFinder.issues(
      diagnostics: integration.diagnostics, tests: integration.tests.results,
      silenced: comparison.silencedFindings(in: known.memory),
      looseReports: integration.tests.sanitizerReports,
      gates: integration.gates.filter { $0.state == .failed }.map {
        .init(.gate($0.rule), $0.message, at: $0.location)
      },
      isolation: integration.tests.isolation, triggerErrors: reached.triggers.failures,
      analysis: integration.analysis,
      serviceWarnings: ([containment.warning].compactMap(\.self) + journal.warnings).map {
        .init($0.subject, $0.sentence)
      }, steps: reached.findings.steps)
    let result = comparison.compare(found, with: known.memory, after: known.change)
    let issues = FollowedIssues(
      issues: result.issues, silenced: result.silenced, memory: result.memory, isConclusive: true,
      evidence: reached.issues?.evidence)
    return naming(suspectsOf: issues, in: reached)
  }

  func reach(of reached: Reached) -> IssueReach {
    let tests = reached.tests?.report ?? TestReport()
    let judged = reached.comparison?.gates.map { ($0.rule, $0.state) }
    var reach = IssueReach(
      built: reached.isBuilt,
      tests: Dictionary(tests.results.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
      listed: !tests.runs.isEmpty, filteredOut: reached.tests?.filteredOut ?? [],
      flaky: Set(tests.results.filter(\.isFlaky).map(\.id)), isolated: tests.isolation?.left == 0,
      waitingTriggers: .named(waitingTriggers(after: reached)), analyzed: reached.isAnalyzed,
      sanitized: !request.build.sanitize.isEmpty,
      gates: judged.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) })
    reach.passed = reached.passed
    // An action that is no longer requested has nothing left to prove.
    if !(request.actions + asked.actions).contains(.archive) { reach.passed.insert(.archiving) }
    reach.owedGates = Set((reached.comparison?.owedGates ?? []).map(\.rule))
    return reach
  }

  /// Reads what the previous integration knows, and what people have said since.
  func knownIssues(beside reached: Reached) throws(IntegrationStop) -> KnownIssues {
    do throws(IntegratingError) {
      return knownIssues(beside: reached, try Silences(in: context.integrations).all())
    } catch {
      throw IntegrationStop(outcome: .internalError, reason: .silencesUnreadable("\(error)"))
    }
  }

  /// Does the same for an integration that ended before it was judged; it still shows silenced issues if it can.
  private func knownIssuesAtLeast(beside reached: Reached) -> KnownIssues {
    do throws(IntegrationStop) {
      return try knownIssues(beside: reached)
    } catch {
      // If this is what ended the integration, its reason says so.
      if reached.verdict?.reasons.map(\.code).contains(error.reason.code) != true {
        journal.warn(.silencesUnreadable(reason: error.reason.sentence))
      }
      return knownIssues(beside: reached, [])
    }
  }

  private func knownIssues(beside reached: Reached, _ silences: [Silence]) -> KnownIssues {
    var known = KnownIssues(memory: memory(beside: reached.reference), silences: silences)
    known.memory?.renameTriggers(olderTriggerNames)
    guard let memory = known.memory else { return known }
    let files = Set(memory.records.compactMap(\.location?.file))
    // If the old files are gone from the repository, locations are compared as they are.
    if !files.isEmpty { known.change = try? difference(from: memory.commit, of: files) }
    return known
  }

  /// Returns the memory of the baseline, or if nothing is comparable, as after a change of the test filter, that of the
  /// last integration of the same package.
  private func memory(beside reference: BaselineReading) -> IssueMemory? {
    let bot = context.integrations
    if let baseline = reference.baseline {
      return reference.document.map { IssueMemory(of: $0, in: bot.folder("\(baseline.number)")) }
    }
    // Nothing is known about a destination that was never built for.
    guard !isCell else { return nil }
    guard let entry = integrationBefore(inScope: nil),
      let stored = try? StoredIntegration(in: bot.folder("\(entry.number)")),
      stored.document.package == target.package
    else { return nil }
    return IssueMemory(of: stored.document, in: stored.folder)
  }
}
