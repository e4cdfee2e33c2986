/// The numbers of tests by state; `listed` is always the sum of the states.
package struct TestCounts: Hashable, Sendable, Codable {
  package var passed = 0
  package var failed = 0
  package var expectedFailures = 0
  package var skipped = 0
  package var crashed = 0
  package var timedOut = 0
  package var canceled = 0
  package var notRun = 0
  /// Tests that exist but were not selected; not included in `listed`.
  package var filteredOut = 0
  /// Tests that passed after a failed attempt; included in `passed`.
  package var flaky = 0
  /// Nil instead of zero, so that data written by older versions can be read.
  private var quits: Int?

  package init() {}

  /// Tests that ended their process; included in `notRun`.
  package var quit: Int {
    get { quits ?? 0 }
    set { quits = newValue == 0 ? nil : newValue }
  }

  /// Tests that passed without a failed attempt.
  package var steady: Int { passed - flaky }

  /// Tests that left no trace at all.
  package var unseen: Int { notRun - quit }

  package init(of results: some Sequence<TestResult>) {
    for result in results {
      if result.isFlaky { flaky += 1 }
      if result.quit?.isByTest == true { quit += 1 }
      switch result.state {
      case .passed: passed += 1
      case .failed: failed += 1
      case .expectedFailure: expectedFailures += 1
      case .skipped: skipped += 1
      case .crashed: crashed += 1
      case .timedOut: timedOut += 1
      case .canceled: canceled += 1
      case .notRun: notRun += 1
      }
    }
  }

  package var listed: Int {
    passed + failed + expectedFailures + skipped + crashed + timedOut + canceled + notRun
  }

  /// Tests that came to an end of their own.
  package var ran: Int { listed - skipped - canceled - notRun }

  /// Whether each listed test ran, so that coverage lacks none of them.
  package var isWhole: Bool { notRun == 0 }

  /// Tests that make the integration red.
  package var red: Int { failed + crashed + timedOut }
}

/// Evidence from the process that ran one library's tests.
package struct LibraryRun: Hashable, Sendable {
  package var library: TestLibrary
  /// The source of the results: `console`, `event-stream`, `observer`.
  package var source: String
  /// Why the results do not come from a source that is harder to deceive, as the middle of a sentence.
  package var sourceReason: String?
  /// Whether the library's own terminal record was seen.
  package var sawTerminalRecord: Bool
  package var exitStatus: Int32?
  package var signal: Int32?

  package init(
    library: TestLibrary, source: String, sourceReason: String? = nil, sawTerminalRecord: Bool,
    exitStatus: Int32? = nil, signal: Int32? = nil
  ) {
    self.library = library
    self.source = source
    self.sourceReason = sourceReason
    self.sawTerminalRecord = sawTerminalRecord
    self.exitStatus = exitStatus
    self.signal = signal
  }
}

/// The tests of one integration: one result for each listed test, and how the results were obtained.
package struct TestReport: Hashable, Sendable {
  /// One result per listed test, sorted by full name.
  package var results: [TestResult]
  /// The number of tests outside the selection.
  package var filteredOut: Int
  /// One entry per library that was run.
  package var runs: [LibraryRun]
  /// The output printed outside of all tests, in order.
  package var looseOutput: [TranscriptLine]
  /// The result of running each test alone; nil if not requested.
  package var isolation: IsolationReport?
  /// The sanitizer findings that belong to no test; any of them makes the integration red.
  package private(set) var sanitizerReports: [SanitizerReport] = []
  /// Tests that are declared but in no list, sorted by location.
  package var unlisted: [UnlistedTest] = []
  /// Functions that look like tests but are never run, sorted by location.
  package var neverRun: [NeverRunMethod] = []
  /// What contained tests wrote next to the sources; nil if they wrote nothing there.
  package var written: WrittenFiles?
  /// What the counters prove about assertions; nil without counters.
  package var assertions: AssertionReport?
  /// What was found about the tests that the bot has in quarantine.
  package var quarantine: [QuarantinedTest.Finding] = []
  /// The tests that ran before the others; nil if they ran in the order of their libraries.
  package var first: TestsRunFirst?
  /// What ran and what was left out; nil if the bot does not ask for `only: affected`.
  package var only: OnlyAffected?
  /// The numbers of tests that the processes printed; empty if they cannot be attributed to each library.
  package var printedTotals: [PrintedTotal] = []

  package init(
    results: [TestResult] = [], filteredOut: Int = 0, runs: [LibraryRun] = [], looseOutput: [TranscriptLine] = []
  ) {
    self.results = results.sorted { $0.id < $1.id }
    self.filteredOut = filteredOut
    self.runs = runs
    self.looseOutput = looseOutput
  }

  /// Whether tests were left out because they reach nothing of what changed.
  package var isPartial: Bool { only?.isPartial == true }

  /// Whether there are tests of which not even one has begun.
  package var hasBegunNone: Bool {
    !results.isEmpty && results.allSatisfy { $0.state == .notRun && $0.duration == 0 && $0.quit == nil }
  }

  package var counts: TestCounts {
    var counts = TestCounts(of: results)
    counts.filteredOut = filteredOut
    return counts
  }

  /// Adds the results of other tests.
  package mutating func add(_ others: [TestResult]) {
    guard !others.isEmpty else { return }
    results = (results + others).sorted { $0.id < $1.id }
  }

  /// Adds how tests that were red in an attempt ended in the serial run.
  package mutating func note(_ ends: [TestID: TestResult]) {
    for index in results.indices where results[index].state.isRed || results[index].isFlaky {
      guard let end = ends[results[index].id], end.state.isRed || end.state.isEnd else { continue }
      let told = Set(results[index].runs.compactMap(\.message))
      results[index].serialRun = TestAttempt(end, first: told)
    }
  }

  /// Adds sanitizer findings from outside all tests, each only once.
  package mutating func add(_ reports: [SanitizerReport]) { sanitizerReports.add(reports) }

  /// Removes the findings from outside all tests that are among the given issues.
  package mutating func removeReports(in issues: [Issue]) {
    sanitizerReports.removeAll { report in
      issues.contains {
        $0.kind == .sanitizer && $0.test == nil && $0.message == report.placedMessage && $0.location == report.location
      }
    }
  }
}
