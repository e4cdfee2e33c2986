extension IntegrationRecord {
  /// The tests of the integration: the counts, which add up to `listed`, and every case.
  package struct Tests: Codable, Sendable, Hashable {
    package var listed: Int
    package var passed: Int
    package var failed: Int
    package var expectedFailures: Int
    package var skipped: Int
    package var crashed: Int
    package var timedOut: Int
    package var canceled: Int
    package var notRun: Int
    package var filteredOut: Int
    package var flaky: Int
    /// How many of the tests that did not run ended their process; absent if none did.
    package var quit: Int?
    /// The source of each library's results, by the library's name.
    package var source: [String: String]
    /// Why a library's results do not come from a source that is harder to deceive, by the library's name.
    package var sourceReason: [String: String]?
    package var cases: [Case]
    /// The result of running each test alone: how many ran alone, and which results differ; absent if not requested.
    package var isolation: IsolationReport?
    /// Tests that are declared but in no list; absent if there are none, and in older documents.
    package var unlisted: [UnlistedTest]?
    /// Methods that look like tests but that XCTest never runs; absent if there are none.
    package var neverRun: [NeverRunMethod]?
    /// What contained tests wrote next to the sources, which was discarded afterwards; absent if they wrote nothing
    /// there.
    package var written: WrittenFiles?
    /// The tests that are new, deleted or renamed compared with the baseline; absent if there are none.
    package var changes: TestListChanges?
    /// The time, in seconds, above which a test is slow, and how many tests are.
    package var slow: Slow?
    /// The tests that the bot has in quarantine; absent if there are none.
    package var quarantine: [QuarantinedTest.Finding]?
    /// The tests that ran before the others because they reach what changed; absent if the order was not changed.
    package var first: TestsRunFirst?
    /// What ran and what was left out because it reaches nothing of what changed; absent if the bot does not ask for that.
    package var only: OnlyAffected?
    /// The number of red tests that do not count because all their causes are silenced; absent in older documents.
    package var silenced: Int?
    /// The command that runs the tests in a checkout; absent in older documents.
    package var command: String?
  }

  /// One listed test.
  package struct Case: Codable, Sendable, Hashable {
    package var id: TestID
    package var library: TestLibrary
    package var displayName: String?
    /// The name that its author gave the suite around it; absent without one, and in older documents.
    package var suiteName: String?
    package var tags: [String]?
    package var state: TestState
    package var duration: Double
    package var file: String?
    package var line: Int?
    package var flaky: Bool?
    package var skipReason: String?
    package var failures: [Failure]
    package var knownIssues: [Failure]?
    package var arguments: [Argument]?
    package var attempts: [TestAttempt]?
    /// The end of the run that maps Swift Testing's tests to lines one after the other, which is no attempt; only for a
    /// test that was red in one, and absent in older documents.
    package var serialRun: TestAttempt?
    package var warnings: [Failure]?
    /// The attachments that were kept, relative to the report and to the integration's folder.
    package var attachments: [String]?
    /// For a red test that does not count, the issue that explains why.
    package var silenced: String?
    package var measurements: [TestMeasurement]?
    /// The trends of the measurements over earlier integrations; absent if nothing was measured, and in older
    /// documents.
    package var trends: [Trend]?
    package var bugs: [TestBug]?
    /// In seconds.
    package var timeLimit: Double?
    /// How much of the duration it waited for tests that ran at the same time, in seconds: an estimate; absent if none,
    /// and in older documents.
    package var waited: Double?
    /// Only for a test that was red or flaky in one of the last integrations.
    package var history: History?
    /// How the test ended its process before finishing; the state is then `not-run`.
    package var quit: ProcessQuit?
    /// How much of the test's output is not kept; absent if all of it is, and in older documents.
    package var leftOut: LeftOutCounts?
    /// True for a test that was left out because it reaches nothing of what changed; its state is then `skipped`.
    package var unaffected: Bool?
  }

  /// One recorded failure of a test.
  package struct Failure: Codable, Sendable, Hashable {
    package var file: String?
    package var line: Int?
    package var message: String
  }

  /// One case of a parameterised test.
  package struct Argument: Codable, Sendable, Hashable {
    package var display: String
    package var state: TestState
    package var failures: [Failure]
  }
}

extension IntegrationRecord.Tests {
  init(_ report: TestReport) {
    let counts = report.counts
    listed = counts.listed
    passed = counts.passed
    failed = counts.failed
    expectedFailures = counts.expectedFailures
    skipped = counts.skipped
    crashed = counts.crashed
    timedOut = counts.timedOut
    canceled = counts.canceled
    notRun = counts.notRun
    filteredOut = counts.filteredOut
    flaky = counts.flaky
    quit = counts.quit > 0 ? counts.quit : nil
    source = Dictionary(report.runs.map { ($0.library.rawValue, $0.source) }, uniquingKeysWith: { first, _ in first })
    let reasons = report.runs.compactMap { run in run.sourceReason.map { (run.library.rawValue, $0) } }
    sourceReason = reasons.isEmpty ? nil : Dictionary(reasons, uniquingKeysWith: { first, _ in first })
    cases = report.results.map(IntegrationRecord.Case.init)
    isolation = report.isolation
    unlisted = report.unlisted.nonEmpty
    neverRun = report.neverRun.nonEmpty
    written = report.written
    first = report.first
    only = report.only
    quarantine = report.quarantine.nonEmpty
  }

  /// Whether tests were left out because they reach nothing of what changed.
  package var isPartial: Bool { only?.isPartial == true }

  /// The counts without the cases.
  package var counts: TestCounts {
    var counts = TestCounts()
    counts.passed = passed
    counts.failed = failed
    counts.expectedFailures = expectedFailures
    counts.skipped = skipped
    counts.crashed = crashed
    counts.timedOut = timedOut
    counts.canceled = canceled
    counts.notRun = notRun
    counts.filteredOut = filteredOut
    counts.flaky = flaky
    counts.quit = quit ?? 0
    return counts
  }
}

extension IntegrationRecord.Case {
  init(_ result: TestResult) {
    let kept = result.attachments.compactMap(\.path)
    self.init(
      id: result.id, library: result.library, displayName: result.displayName,
      suiteName: result.suiteName, tags: result.tags.nonEmpty, state: result.state,
      duration: result.duration.roundedToMicroseconds, file: result.location?.file, line: result.location?.line,
      flaky: result.isFlaky ? true : nil, skipReason: result.skipReason,
      failures: result.failures.map(IntegrationRecord.Failure.init),
      knownIssues: result.knownIssues.nonEmpty?.map(IntegrationRecord.Failure.init),
      arguments: result.arguments?.map(IntegrationRecord.Argument.init),
      attempts: result.attempts.nonEmpty?.map(\.rounded), serialRun: result.serialRun?.rounded,
      warnings: result.warnings.nonEmpty?.map(IntegrationRecord.Failure.init),
      attachments: kept.nonEmpty,
      measurements: result.measurements.nonEmpty,
      bugs: result.bugs.nonEmpty, timeLimit: result.timeLimit,
      waited: result.waited.roundedToMicroseconds > 0 ? result.waited.roundedToMicroseconds : nil, quit: result.quit,
      leftOut: result.leftOut, unaffected: result.isUnaffected ? true : nil)
  }
}

extension TestAttempt {
  fileprivate var rounded: TestAttempt {
    TestAttempt(
      state: state, duration: duration.roundedToMicroseconds, message: message, others: others, more: more)
  }
}

extension IntegrationRecord.Failure {
  init(_ failure: TestFailure) {
    self.init(file: failure.location?.file, line: failure.location?.line, message: failure.message)
  }
}

extension IntegrationRecord.Argument {
  init(_ argument: TestArgument) {
    self.init(
      display: argument.display, state: argument.state,
      failures: argument.failures.map(IntegrationRecord.Failure.init))
  }
}

extension IntegrationRecord.Tests {
  /// Adds what issues and earlier integrations say about the tests.
  mutating func tell(_ integration: Integration) {
    for index in cases.indices {
      cases[index].trends = integration.trends[cases[index].id]?.compactMap(IntegrationRecord.Trend.init)
      guard let history = integration.histories[cases[index].id], history.redCount > 0 || !history.flakyIn.isEmpty
      else { continue }
      cases[index].history = IntegrationRecord.History(history)
    }
    let silences = integration.silencedTests
    for index in cases.indices { cases[index].silenced = silences[cases[index].id]?.id }
    command = integration.testCommand
    silenced = cases.count { $0.silenced != nil }
    changes = integration.testChanges.flatMap { $0.isEmpty ? nil : $0 }
    let count = integration.slowTests.count
    slow = count > 0 ? IntegrationRecord.Slow(mark: integration.slowMark, count: count) : nil
  }
}

extension IntegrationRecord.History {
  fileprivate init(_ history: TestHistory) {
    let flaky = history.flakyIn
    let streak = history.redStreak
    self.init(
      runs: history.runs.count, red: history.redCount, redSince: streak?.since, redCommits: streak?.commits,
      flakyIn: flaky.nonEmpty)
  }
}
