import Comparing
import FoundationEssentials
import Git
import Model
import Processes
import Rendering

/// The issues known before an integration, for comparison with those that it finds.
struct KnownIssues {
  /// The memory of the integration that this one follows; nil for the first integration.
  var memory: IssueMemory?
  /// The changes from that integration's files to those of this one; nil if they cannot be compared.
  var change: SourceDifference?
  /// The tests that are new, deleted or renamed since; nil if unknown.
  var tests: TestListChanges?
  /// What people have said about the issues.
  var silences: [Silence]
}

extension IntegrationRun {
  /// Determines which issues are new, and who may have caused them; an integration that says nothing about the code
  /// resolves none.
  ///
  /// - Parameter integration: the integration with all its destinations, or a destination by itself; with the histories
  ///   of its tests.
  func compareIssues(_ cell: inout Cell, in integration: Integration) {
    let known = cell.known ?? knownIssuesAtLeast(beside: cell)
    cell.known = known
    let tests = cell.reached.tests
    let (results, alone) = (tests?.report.results ?? [], tests?.endedAlone ?? [:])
    var evidence = cell.evidence
    var issues: FollowedIssues
    if let earlier = cell.reached.adopted {
      // They stand as the earlier integration left them; what Martlet itself finds now comes on top.
      issues = follow(cell, by: .void, known, in: context.start)
      issues.adopt(earlier)
    } else {
      let isConclusive = integration.outcome.isConclusive
      var reach = isConclusive ? reach(of: cell, in: integration) : .void
      if isConclusive, let memory = known.memory {
        let passed = memory.passedByChance(in: results, alone: alone, integration.histories) {
          untouched($0, of: cell, in: integration, &evidence)
        }
        reach.unsteady.formUnion(passed)
      }
      issues = follow(cell, by: reach, known, in: integration)
      issues.isConclusive = isConclusive
      issues.memory.noteChance(in: results, alone: alone)
    }
    issues.note(integration.histories, integration.tests.results)
    issues = naming(suspectsOf: issues, of: cell, in: integration, &evidence)
    issues.remember(integration.gates, in: number) { text(of: $0) }
    keepSuspectedLines(of: &issues)
    cell.issues = remembering(hunksBehind: issues, of: cell, in: integration)
    cell.evidence = evidence
  }

  /// Compares the issues that were found with the known ones.
  ///
  /// - Parameter integration: where they were found.
  func follow(
    _ cell: Cell, by reach: IssueReach, _ known: KnownIssues, in integration: Integration
  ) -> FollowedIssues {
    let now = integrator.clock.now()
    // What went with commits that were taken out of the branch, no commit ended.
    let isRewritten = known.memory.map { claimed.repository.absence(of: $0.commit) == .gone } ?? false
    let comparison = IssueComparison(
      number: number, commit: target.commit,
      commits: target.includesWorkingTree || isRewritten ? [] : integration.commits,
      reach: reach, silences: known.silences, quarantine: Self.silences(of: request.quarantine, in: number, now: now),
      flaky: integration.histories.flakyTests, now: now)
    let found = IssueFinder.issues(
      diagnostics: integration.diagnostics, tests: integration.tests.results,
      silenced: comparison.silencedFindings(in: known.memory),
      looseReports: integration.tests.sanitizerReports,
      gates: integration.gates.filter { $0.state == .failed }.map {
        .init($0, $0.message)
      },
      isolation: integration.tests.isolation, triggerErrors: cell.triggers.failures,
      analysis: integration.analysis,
      serviceWarnings: ([containment.warning].compactMap(\.self) + journal.warnings).map {
        .init($0.subject, $0.sentence)
      }, steps: cell.findings.steps)
    return comparison.compare(
      found, with: known.memory, comparable: comparableStages(of: cell.reference), after: known.change)
  }

  private static func silences(of quarantine: [QuarantinedTest], in number: Int, now: Date) -> [TestID: Silence] {
    let silences = quarantine.compactMap { entry in
      LastDay(entry.lastDay).map { (entry.test, Silence(entry, until: $0.end, since: now, number: number)) }
    }
    return silences.keyed(by: \.0, \.1)
  }

  func reach(of cell: Cell, in integration: Integration) -> IssueReach {
    let tests = cell.reached.tests?.report ?? TestReport()
    var reach = IssueReach(
      built: cell.reached.build?.products != nil,
      tests: tests.results.keyed(by: \.id, \.state),
      listed: !tests.runs.isEmpty, filteredOut: cell.reached.tests?.filteredOut ?? [],
      flaky: Set(tests.results.filter(\.isFlaky).map(\.id)), isolated: tests.isolation?.left == 0,
      waitingTriggers: .named(waitingTriggers(after: integration, ran: cell.triggers.ran)),
      analyzed: cell.reached.analyzed?.analysis?.isComplete ?? false,
      sanitized: !request.sanitize.isEmpty && !tests.isPartial,
      gates: cell.comparison?.gates.keyed(by: \.rule, \.state))
    reach.mayLackTests = cell.reached.tests?.mayLackTests == true
    reach.unsteady = Set(tests.isolation?.unsteady ?? [])
    reach.passed = cell.passed
    reach.dropped = droppedChecks
    reach.owedGates = Set((cell.comparison?.owedGates ?? []).map(\.rule))
    return reach
  }

  /// What is not asked for.
  private var droppedChecks: Set<IssueReach.Check> {
    let actions = request.actions + asked.actions
    var dropped: Set<IssueReach.Check> = []
    if !actions.contains(.archive) { dropped.insert(.archive) }
    if !actions.contains(.analyze) { dropped.insert(.analysis) }
    // Who runs it by hand may ask for it again the next time.
    if asked.place != nil {
      if request.sanitize.isEmpty { dropped.insert(.sanitizers) }
      if !request.tests.isolation { dropped.insert(.isolation) }
    }
    return dropped
  }

  /// Reads what the previous integration knows, and what people have said since.
  func knownIssues(beside cell: Cell) throws(IntegrationStop) -> KnownIssues {
    do throws(IntegratingError) {
      return knownIssues(beside: cell, try silencesSaid())
    } catch {
      throw IntegrationStop(outcome: .internalError, reason: .silencesUnreadable("\(error)"))
    }
  }

  /// Reads what people have said of the bot's issues.
  func silencesSaid() throws(IntegratingError) -> [Silence] {
    try Silences(in: context.integrations).all() + request.silences
  }

  /// Does the same for an integration that ended before it was judged; it still shows silenced issues if it can.
  private func knownIssuesAtLeast(beside cell: Cell) -> KnownIssues {
    do throws(IntegrationStop) {
      return try knownIssues(beside: cell)
    } catch {
      // If this is what ended the integration, its reason says so.
      if cell.verdict?.reasons.map(\.code).contains(error.reason.code) != true {
        journal.warn(.silencesUnreadable(reason: error.reason.sentence))
      }
      return knownIssues(beside: cell, [])
    }
  }

  private func knownIssues(beside cell: Cell, _ silences: [Silence]) -> KnownIssues {
    var known = KnownIssues(memory: cell.reference.memory, silences: silences)
    if let number = known.memory?.number, let later = laterMemory(than: number) {
      // The others do not make an integration one of another kind.
      known.memory?.takeOver(issuesOf: droppedChecks.intersection([.sanitizers, .isolation]), from: later)
    }
    known.memory?.renameTriggers(olderTriggerNames)
    guard let memory = known.memory else { return known }
    let files = Set(memory.records.compactMap(\.location?.file))
    // If the old files are gone from the repository, locations are compared as they are.
    if !files.isEmpty { known.change = try? difference(from: memory.commit, of: files) }
    if let tests = cell.reached.tests {
      known.tests = testListChanges(of: tests, in: cell.reference)
      known.memory?.followTests(
        to: tests.report.results, changes: known.tests, filteredOut: tests.filteredOut, after: known.change)
    }
    return known
  }
}

extension IntegrationRun {
  /// Whether a day is over at the time of the integration.
  func isOver(_ lastDay: String) -> Bool {
    LastDay(lastDay).map { $0.end <= integrator.clock.now() } ?? true
  }
}
