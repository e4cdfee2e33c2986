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
  /// Tests that exist but were not selected; not part of `listed`.
  package var filteredOut = 0
  /// Tests that passed after a failed attempt; part of `passed`.
  package var flaky = 0
  /// Counted only where there are any, so that what an older Martlet wrote can be read.
  private var quits: Int?

  package init() {}

  /// Tests that ended their process; part of `notRun`.
  package var quit: Int {
    get { quits ?? 0 }
    set { quits = newValue == 0 ? nil : newValue }
  }

  /// Tests of which nothing was seen.
  package var unseen: Int { notRun - quit }

  package init(of results: some Sequence<TestResult>) {
    for result in results {
      if result.isFlaky { flaky += 1 }
      if result.quit != nil { quit += 1 }
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

  /// Tests that make the integration red.
  package var red: Int { failed + crashed + timedOut }
}

/// What one library's test process proved about itself.
package struct LibraryRun: Hashable, Sendable, Codable {
  package var library: TestLibrary
  /// Where the results come from: `console`, `event-stream`, `observer`.
  package var source: String
  /// Why they do not come from a source that is harder to deceive, as the middle of a sentence.
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

/// The tests of one integration: one result for each listed test, and how they were obtained.
package struct TestReport: Hashable, Sendable {
  /// One result per listed test, sorted by full name.
  package var results: [TestResult]
  /// How many tests exist outside the selection.
  package var filteredOut: Int
  /// One entry per library that was run.
  package var runs: [LibraryRun]
  /// What was printed outside every test, in order.
  package var looseOutput: [TranscriptLine]
  /// What came of running each test alone; nil when that was not asked for.
  package var isolation: IsolationReport?
  /// What sanitizers found that belongs to no test; any of it makes the integration red.
  package private(set) var sanitizerReports: [SanitizerReport] = []
  /// Tests that are declared and that no list has, sorted by place.
  package var unlisted: [UnlistedTest] = []
  /// Methods named like tests that XCTest never runs, sorted by place.
  package var neverRun: [NeverRunMethod] = []
  /// What contained tests wrote beside the sources; nil where they wrote nothing there.
  package var written: WrittenFiles?
  /// What the counters prove about assertions; nil without counters.
  package var assertions: AssertionReport?
  /// What the processes printed about how many tests they ran; empty where that cannot be told for each library.
  package var printedTotals: [PrintedTotal] = []

  package init(
    results: [TestResult] = [], filteredOut: Int = 0, runs: [LibraryRun] = [], looseOutput: [TranscriptLine] = []
  ) {
    self.results = results.sorted { $0.id < $1.id }
    self.filteredOut = filteredOut
    self.runs = runs
    self.looseOutput = looseOutput
  }

  package var counts: TestCounts {
    var counts = TestCounts(of: results)
    counts.filteredOut = filteredOut
    return counts
  }

  /// Adds what sanitizers found outside every test, each finding at one place once.
  package mutating func add(_ reports: [SanitizerReport]) {
    for report in reports
    where !sanitizerReports.contains(where: {
      $0.placedMessage == report.placedMessage && $0.location == report.location
    }) {
      sanitizerReports.append(report)
    }
  }

  /// Leaves out the findings outside every test that are one of these issues.
  package mutating func removeReports(in issues: [Issue]) {
    sanitizerReports.removeAll { report in
      issues.contains {
        $0.kind == .sanitizer && $0.test == nil && $0.message == report.placedMessage && $0.location == report.location
      }
    }
  }
}
