package import Model

/// A builder that combines the output of the libraries' processes into one report with every listed test exactly once.
package struct TestReportBuilder: Sendable {
  /// The report, with remarks about how it was produced.
  package struct Product: Sendable {
    package var report: TestReport
    /// The problems other than the tests' own failures.
    package var gaps: [TestGap]
    /// The failures that cannot be assigned to a test; any of them makes the integration red.
    package var unattributedFailures: [TestFailure]
    /// Whether every process finished cleanly: its library said so, and its status agrees with its results.
    package var isProven: Bool
  }

  private let listed: [(library: TestLibrary, tests: [TestID])]
  private let filteredOut: Int
  private var results: [TestID: TestResult] = [:]
  private var runs: [LibraryRun] = []
  private var looseOutput: [TranscriptLine] = []
  private var gaps: [TestGap] = []
  private var unattributedFailures: [TestFailure] = []
  private var looseReports: [SanitizerReport] = []
  private var isProven = true
  /// The seconds after which all tests together were stopped; nil if they were not.
  private var stoppedAfter: Double?
  private let bounds: Bounds

  /// - Parameters:
  ///   - xctest: the selected XCTest tests.
  ///   - swiftTesting: the selected tests of Swift Testing.
  ///   - filteredOut: the number of tests of both libraries outside the selection.
  package init(xctest: [TestID], swiftTesting: [TestID], filteredOut: Int = 0, bounds: Bounds = .standard) {
    self.bounds = bounds
    listed = [(.xctest, xctest), (.swiftTesting, swiftTesting)]
    self.filteredOut = filteredOut
  }

  /// Adds the output and the end of one process; a library may have needed several.
  ///
  /// - Parameters:
  ///   - blame: the open tests that ended the process; the results of the others are left out.
  ///   - crash: how it died, as far as its runtime reported it.
  ///   - hang: what it was doing when its time limit was reached.
  package mutating func add(
    _ run: ParsedTestRun, ending: ProcessEnding, blame: Blame = .everyOpenTest, crash: CrashReport? = nil,
    hang: HangReport? = nil
  ) {
    gaps += run.anomalies.map { .contradiction($0) }.filter { !gaps.contains($0) }
    let open = Set(run.openTests)
    let verdict = OpenTestVerdict(run: run, ending: ending, blame: blame, crash: crash, hang: hang)
    for result in run.results where blame != .nobodyYet {
      if !open.contains(result.id) {
        merge(result)
      } else if verdict.blames(result.id) {
        merge(verdict.close(result))
      }
    }
    gaps += run.unattributedFailures.map { .failureOutside(run.library, $0.location, message: $0.message) }
    unattributedFailures += run.unattributedFailures
    looseReports += run.looseReports
    looseOutput += run.looseOutput
    if let reason = verdict.reason { gaps.append(.contradiction(reason)) }
    if verdict.reason != nil || blame != .everyOpenTest || !run.looseReports.isEmpty { isProven = false }
    note(run, ending)
  }

  /// Adds a crash of a process whose library had finished, or finished in the meantime.
  ///
  /// - Parameters:
  ///   - ending: how the process ended; one that ended by the crash did not outlive it, and says so itself.
  ///   - suspects: the tests that the stack names.
  package mutating func add(
    _ crash: CrashReport, of run: ParsedTestRun, ending: ProcessEnding, suspects: [TestID]
  ) {
    if ending.cause != .itself || ending.signal == nil { gaps.append(.crashOutlived(run.library, crash)) }
    isProven = false
    for suspect in suspects {
      guard var result = results[suspect] else { continue }
      result.state = .crashed
      result.crash = crash
      result.failures.insert(.crash(crash.reason, at: crash.location), at: 0)
      results[suspect] = result
    }
  }

  /// Adds the results and remarks that concern all processes of a library.
  package mutating func conclude(_ course: TestCourse) {
    for result in course.convicts { results[result.id] = result }
    gaps += course.reasons.map { .contradiction($0) }
    stoppedAfter = stoppedAfter ?? course.stoppedAfter
    if !course.reasons.isEmpty { isProven = false }
  }

  /// Returns the report of everything that was added.
  package func build() -> Product {
    var product = Product(
      report: TestReport(), gaps: gaps, unattributedFailures: unattributedFailures, isProven: isProven)
    var left = results
    var seen: Set<TestID> = []
    var all: [TestResult] = []
    for (library, tests) in listed {
      for test in tests where seen.insert(test).inserted {
        all.append(left.removeValue(forKey: test) ?? TestResult(id: test, library: library))
      }
      if !tests.isEmpty, !runs.contains(where: { $0.library == library }) {
        // Where the time was up before, that is why these tests did not run.
        if stoppedAfter == nil { product.gaps.append(.noProcess(library)) }
        product.isProven = false
      }
    }
    let notRun = all.count { $0.state == .notRun && $0.quit?.isByTest != true }
    if notRun > 0 { product.gaps.append(.notRun(notRun, stoppedAfter: stoppedAfter)) }
    for result in left.values.sorted(by: { $0.id < $1.id }) {
      if result.id.module != "?" { product.gaps.append(.ranUnlisted(result.id)) }
      all.append(result)
    }
    LastWords.assign(to: &all)
    product.gaps = product.gaps.prefix(bounds.reasons) { .more($0) }
    product.report = TestReport(results: all, filteredOut: filteredOut, runs: runs, looseOutput: looseOutput)
    product.report.add(looseReports)
    return product
  }

  /// Keeps the graver of two results of one test.
  private mutating func merge(_ result: TestResult) {
    guard let known = results[result.id] else {
      results[result.id] = result
      return
    }
    if known.state != .notRun, result.state != .notRun {
      gaps.append(.ranTwice(result.id))
    }
    if result.state.gravity < known.state.gravity || result.quit != nil && known.state == .notRun {
      results[result.id] = result
    }
  }

  /// Keeps one record per library, which is complete if all its processes were, with the gravest end.
  private mutating func note(_ run: ParsedTestRun, _ ending: ProcessEnding) {
    guard let index = runs.firstIndex(where: { $0.library == run.library }) else {
      runs.append(
        LibraryRun(
          library: run.library, source: run.source, sourceReason: run.sourceReason,
          sawTerminalRecord: run.sawTerminalRecord,
          exitStatus: ending.exitStatus, signal: ending.signal))
      return
    }
    if let reason = run.sourceReason { (runs[index].source, runs[index].sourceReason) = (run.source, reason) }
    runs[index].sawTerminalRecord = runs[index].sawTerminalRecord && run.sawTerminalRecord
    guard runs[index].signal == nil else { return }
    if ending.signal != nil || (runs[index].exitStatus ?? 0) == 0 {
      runs[index].exitStatus = ending.exitStatus
      runs[index].signal = ending.signal
    }
  }
}

extension TestState {
  /// The weight of the state against another one of the same test; lower is graver.
  var gravity: Int {
    switch self {
    case .crashed: 0
    case .timedOut: 1
    case .failed: 2
    case .canceled: 3
    case .expectedFailure: 4
    case .skipped: 5
    case .passed: 6
    case .notRun: 7
    }
  }
}
