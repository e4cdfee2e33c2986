import Comparing
import Git
import Model
import Parsing
import Processes
import Rendering

/// What running the tests revealed about how they are written.
struct Practice {
  var card: PracticeCard?
  /// The totals that the libraries print for all tests together.
  var printedTotals: [PrintedTotal]
}

extension IntegrationRun {
  /// The size in bytes above which a log is not read for the totals that the libraries print.
  private static let longestLog = 8 << 20

  /// Returns what the counters prove about the tests and their assertions.
  ///
  /// - Parameter isComplete: whether the counters of all processes are available.
  func assertions(
    of tests: TestReport, _ export: CoverageExport, _ selection: SourceSelection, isComplete: Bool
  ) -> AssertionReport {
    var report = AssertionCounters(export, selection) { text(of: $0) }.report(on: tests.results)
    if !isComplete { report.uncalled = [] }
    return report
  }

  func practice(of state: IntegrationState) -> Practice {
    let isPartial = state.report.reached.tests?.report.isPartial == true
    let printed = isPartial ? [] : printedTotals(of: state.report.reached.build?.products)
    let integration = state.integration
    var tests = integration.tests
    tests.printedTotals = printed
    var evidence = PracticeEvidence(
      tests: tests, changes: integration.changes, hasRetries: request.tests.retries > 0,
      settings: request.practiceSettings)
    evidence.baseline = state.report.reference.document?.number
    evidence.baselineOutcome = state.report.baseline?.wholeOutcome
    evidence.rhythm = state.rhythm
    evidence.redStreak = redStreak(with: integration.outcome)
    evidence.histories = integration.histories
    evidence.commitCount = integration.commits.count
    evidence.deleted = integration.issues.redTests(ended: .testDeleted)
    if let states = integration.baseline?.states {
      evidence.added = integration.tests.results.map(\.id).filter { states[$0] == nil }
    }
    evidence.trends = integration.trends
    if let coverage = integration.coverage.coverage, coverage.isComplete,
      (request.tests.filter + request.tests.skip).isEmpty
    {
      evidence.testSources = coverage.uncounted.sources.filter { $0.kind == .test }.map(\.coverage)
    }
    return Practice(card: card(evidence), printedTotals: printed)
  }

  /// Makes the card; without the bot's pattern for names if matching it takes too long.
  private func card(_ evidence: PracticeEvidence) -> PracticeCard? {
    let off = evidence.settings.off
    guard !evidence.settings.names.isEmpty else { return evidence.judged.map { PracticeCard($0, off: off) } }
    let cancellation = integrator.cancellation
    let limit = request.resources.matching
    if let judged = try? Worker.run(atMost: limit, cancellation: cancellation, { evidence.judged }) {
      return judged.map { PracticeCard($0, off: off) }
    }
    journal.warn(.testNamesUnread(pattern: evidence.settings.names, limit: limit.words))
    var rest = evidence
    rest.settings.names = ""
    return rest.judged.map { PracticeCard($0, off: off) }
  }

  /// Reads the totals from the log if it is complete; tests that ran again would be counted twice.
  private func printedTotals(of products: BuildProducts?) -> [PrintedTotal] {
    let executables = products?.testExecutables.count ?? 0
    let isPlain = executables == 1 && request.tests.retries == 0 && !request.tests.isolation
    let log = Step.testing.logPath
    guard isPlain, !request.practice.off.contains(.totals), kept.size(of: log) <= Self.longestLog,
      let bytes = kept.read(log)
    else { return [] }
    return PrintedTotals.read(bytes)
  }

  /// Returns how the integration changed the colour of its baseline; nil if that says nothing.
  func rhythm(of state: IntegrationState) -> Rhythm? {
    let cell = state.report
    guard !request.practice.off.contains(.rhythm), let verdict = cell.verdict else { return nil }
    // Uncommitted changes belong to no commit, and a rerun of a commit is no beat.
    guard let baseline = cell.baseline, !target.includesWorkingTree, baseline.commit != target.commit else {
      return nil
    }
    let earlier = cell.reference.document?.baseline.flatMap(commit)
    let integration = state.integration
    let issues = integration.issues
    return Rhythm(
      from: baseline, to: verdict.outcome, cell.reached.tests?.report.results ?? [],
      flaky: integration.histories.flakyTests,
      isGateFailed: integration.gates.contains { $0.state == .failed },
      onlyGates: (before: cell.reference.document?.isFailedGate == true, now: integration.isFailedGate),
      deleted: issues.redTests(ended: .testDeleted),
      isUnmended: issues.redTests(ended: .fixed).isEmpty
        && !(issues.redTests(ended: .passedAgain) + issues.redTests(ended: .knownIssue)).isEmpty,
      outcomes: (before: cell.reference.document?.requiredOutcomes ?? [:], now: state.requiredOutcomes),
      sourcesChanged: !hasFiles(of: baseline.commit),
      isUndone: earlier.map { $0 != target.commit && hasFiles(of: $0) } ?? false)
  }

  /// Returns how many integrations of the branch are red in a row, including this one.
  func redStreak(with outcome: Outcome) -> Int {
    guard [.testFailures, .buildErrors].contains(outcome) else { return 0 }
    let before = past.reversed().filter { $0.branch == target.branch && $0.outcome.isConclusive && $0.scope == scope }
    return 1 + before.prefix { [.testFailures, .buildErrors].contains($0.outcome) }.count
  }

  private func commit(of number: Int) -> CommitID? {
    past.last { $0.number == number }?.commit
  }

  /// Whether a commit has exactly the files that were integrated.
  func hasFiles(of other: CommitID) -> Bool {
    // A commit that is gone has no files.
    (try? claimed.repository.difference(from: other, to: target.commit) { _ in false })?.files.isEmpty ?? false
  }
}
