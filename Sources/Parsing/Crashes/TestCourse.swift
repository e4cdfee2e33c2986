package import Model

/// The assignment of a library's tests to processes, until each test has had its turn.
///
/// When a process dies, its remaining tests run in a new one. If several tests were running, they run again: first
/// those that the stack names, otherwise one after the other, each in its own process if there are few enough, so that
/// the guilty test is alone the next time. If there are many, the tests that such a process had started when it died
/// are halved until the guilty one has died alone.
package struct TestCourse: Sendable {
  /// The tests for one process.
  package struct Batch: Hashable, Sendable {
    package var tests: [TestID]
    /// Whether one test must end before the next begins, as always in XCTest.
    package var isSerial: Bool
    /// Whether the purpose is to find the test that brought an earlier process down.
    var isSearch = false

    package init(tests: [TestID], isSerial: Bool, isSearch: Bool = false) {
      self.tests = tests
      self.isSerial = isSerial
      self.isSearch = isSearch
    }
  }

  /// A process death for which no test can be blamed yet.
  private struct Mystery {
    var reason: String
    /// The results of the tests that the dead process's stack names, for the case that the search finds no other
    /// culprit.
    var convicts: [TestResult]
    /// The number of the search's processes that have not ended yet.
    var left = 1
  }

  /// The largest number of tests for which a search starts a process each, so that none can be mistaken for another;
  /// starting processes takes too long for more.
  private static let mostAlone = 24

  private let library: TestLibrary
  private let mostDeaths: Int
  private var queue: [Batch]
  private var current = Batch(tests: [], isSerial: false)
  private var deaths = 0
  private var mystery: Mystery?
  /// How the process before ended itself between two tests, and where the reasons tell that; nil if it did not.
  private var quitBetween: (quit: ProcessQuit, reason: Int)?
  /// The remarks to report after all processes have ended.
  package private(set) var reasons: [String] = []
  /// The tests that count as crashed because the stack of a dead process names them, whatever their result there: a
  /// thread that a test left behind may crash during another test, and a crash may not happen again. And the first tests
  /// of classes that ended the process before these began.
  package private(set) var convicts: [TestResult] = []
  /// The seconds after which all tests together were stopped, before some had run; nil if they were not.
  package private(set) var stoppedAfter: Double?

  /// - Parameters:
  ///   - selected: the tests to run, in the library's order.
  ///   - isEverything: whether these are all tests, so that their names need not be passed.
  ///   - mostDeaths: the number of processes that may die; after one more, the remaining tests are not run.
  package init(library: TestLibrary, selected: [TestID], isEverything: Bool, mostDeaths: Int = 20) {
    self.library = library
    self.mostDeaths = mostDeaths
    let isSerial = library == .xctest
    let batches = isSerial && !isEverything ? TestSelection.xctestBatches(of: selected) : [selected]
    queue = batches.filter { !$0.isEmpty }.map { Batch(tests: $0, isSerial: isSerial) }
  }

  /// Returns the next process's batch; nil if nothing is left to do.
  package mutating func next() -> Batch? {
    guard !queue.isEmpty else { return nil }
    current = queue.removeFirst()
    return current
  }

  /// What the current batch is for; nil as long as every process ended by itself.
  package var announcement: RunAnnouncement? {
    guard deaths > 0 else { return nil }
    let tests = current.tests
    guard current.isSearch else { return .rest(tests.count) }
    return .search(tests.count == 1 ? "\(tests[0])" : CountText.counted(tests.count, "test"))
  }

  /// Records how a process ended, plans the next steps, and decides which of the process's open tests are to blame.
  ///
  /// - Parameters:
  ///   - suspects: the tests that the stacks of the process name.
  ///   - crash: how it died, as far as its runtime reported it.
  package mutating func note(
    _ run: ParsedTestRun, ending: ProcessEnding, suspects: [TestID], crash: CrashReport? = nil
  ) -> Blame {
    guard !run.sawTerminalRecord, ending.cause != .cancellation, !Self.matchedNothing(run, ending) else {
      if current.isSearch { acquit() }
      return .everyOpenTest
    }
    deaths += 1
    if run.endProof == .refuted {
      divide()
      return .everyOpenTest
    }
    let open = run.openTests
    let seen = Set(run.results.filter { $0.state != .notRun }.map(\.id)).union(open)
    let left = current.tests.filter { !seen.contains($0) }
    let earlier = current.tests.filter { seen.contains($0) && !open.contains($0) }
    if suspects.isEmpty, let blame = narrow(run, ending, earlier, left, crash) { return blame }
    if open.isEmpty {
      if current.isSearch { acquit() }
      let quit = OpenTestVerdict.quit(run, ending)
      let blame = seen.isEmpty ? convictFirst(of: left, quit) : noteEnd(between: left, quit, run, ending)
      goOn(with: seen.isEmpty ? withoutFirstSuite(left, isTold: blame != nil) : left)
      return blame ?? .everyOpenTest
    }
    let openSuspects = suspects.filter(open.contains)
    if ending.cause == .itself, openSuspects.isEmpty, !suspects.isEmpty {
      mystery = nil
      convicts += closed(suspects, in: run, ending, crash)
      goOn(with: open + left)
      return .only([])
    }
    let blamed = blame(run, ending, openSuspects)
    if blamed.isEmpty {
      search(run, ending, openSuspects, left, crash)
    } else {
      mystery = nil
      goOn(with: open.filter { !blamed.contains($0) } + left)
    }
    return .only(blamed)
  }

  /// Abandons the remaining tests and those of the current batch, for which there is no time.
  ///
  /// - Parameter limit: the seconds that all tests together may take.
  package mutating func stop(after limit: Double) {
    abandon()
    stoppedAfter = limit
  }

  /// Abandons the remaining tests; a search in progress ends with what is known so far.
  private mutating func abandon() {
    queue = []
    if let mystery { close(mystery, remark: "") }
  }

  /// Abandons the remaining tests, and says why.
  package mutating func giveUp(because reason: String) {
    let tests = queue.reduce(0) { $0 + $1.tests.count }
    abandon()
    guard tests > 0 else { return }
    let left = tests == 1 ? "test that was left was" : "\(tests) tests that were left were"
    reasons.append("\(library.rawValue): \(reason), so the \(left) not started.")
  }

  private static func matchedNothing(_ run: ParsedTestRun, _ ending: ProcessEnding) -> Bool {
    run.library == .swiftTesting && ending.status == .exited(69) && run.results.isEmpty
  }

  /// Returns the open tests that are certainly to blame; empty if a search is needed.
  private func blame(_ run: ParsedTestRun, _ ending: ProcessEnding, _ suspects: [TestID]) -> [TestID] {
    if current.isSerial || ending.cause == .timeLimit && run.openTests.count == 1 { return run.openTests }
    if ending.cause == .timeLimit { return suspects }
    guard run.openTests.count == 1, let only = run.results.first(where: { $0.id == run.openTests[0] }) else {
      return []
    }
    let openCases = (only.arguments ?? []).count { $0.state == .notRun }
    return openCases > 1 ? [] : run.openTests
  }

  /// Queues the rest of the current batch, to run in the same way.
  private mutating func goOn(with left: [TestID]) {
    let batches = library == .xctest ? TestSelection.xctestBatches(of: left) : left.isEmpty ? [] : [left]
    queue.insert(contentsOf: batches.map { Batch(tests: $0, isSerial: current.isSerial) }, at: 0)
    if deaths > mostDeaths { giveUp(because: CountText.counted(deaths, "process died", "processes died")) }
  }

  /// Queues again, in two halves, the tests of a process whose output cannot be trusted, so that the test that forged
  /// results is finally alone.
  private mutating func divide() {
    let tests = current.tests
    guard tests.count > 1 else {
      if let test = tests.first { reasons.append("\(test) printed more than it is to be believed.") }
      return goOn(with: [])
    }
    let half = tests.count / 2
    goOn(with: Array(tests[half...]))
    if deaths <= mostDeaths { goOn(with: Array(tests[..<half])) }
  }

  /// Queues the open tests again to find the guilty one, and then the rest.
  private mutating func search(
    _ run: ParsedTestRun, _ ending: ProcessEnding, _ suspects: [TestID], _ left: [TestID], _ crash: CrashReport?
  ) {
    mystery = Mystery(
      reason: OpenTestVerdict(run: run, ending: ending).reason ?? "", convicts: closed(suspects, in: run, ending, crash)
    )
    let lineUp = suspects.isEmpty ? run.openTests : suspects
    goOn(with: run.openTests.filter { !lineUp.contains($0) } + left)
    guard deaths <= mostDeaths else { return }
    let groups = lineUp.count <= Self.mostAlone ? lineUp.map { [$0] } : [lineUp]
    mystery?.left = groups.count
    queue.insert(contentsOf: groups.map { Batch(tests: $0, isSerial: true, isSearch: true) }, at: 0)
  }

  /// Continues a search after one of its processes died. An earlier test may have caused the death, so the test that
  /// was running is tried alone, and the earlier ones in halves.
  ///
  /// - Returns: nil if there is no search, or if there is no doubt which test is to blame.
  private mutating func narrow(
    _ run: ParsedTestRun, _ ending: ProcessEnding, _ earlier: [TestID], _ left: [TestID], _ crash: CrashReport?
  ) -> Blame? {
    guard current.isSearch, ending.cause == .itself, !earlier.isEmpty, deaths <= mostDeaths else { return nil }
    if current.tests.count == 1 {
      // The only test of the process had already ended.
      guard ending.status != .exited(0) else { return nil }
      mystery = nil
      convicts += closed(earlier, in: run, ending, crash)
      return .only([])
    }
    let half = earlier.count / 2
    let groups = [run.openTests, Array(earlier[..<half]), Array(earlier[half...]), left].filter { !$0.isEmpty }
    let reason = OpenTestVerdict(run: run, ending: ending).reason ?? ""
    mystery = mystery ?? Mystery(reason: reason, convicts: [], left: queue.count(where: \.isSearch) + 1)
    mystery?.left += groups.count - 1
    queue.insert(contentsOf: groups.map { Batch(tests: $0, isSerial: true, isSearch: true) }, at: 0)
    return .nobodyYet
  }

  /// Returns the results of tests that the stack of a process names.
  private func closed(_ tests: [TestID], in run: ParsedTestRun, _ ending: ProcessEnding, _ crash: CrashReport?)
    -> [TestResult]
  {
    let verdict = OpenTestVerdict(run: run, ending: ending, crash: crash)
    return run.results.filter { tests.contains($0.id) }.map { verdict.close($0) }
  }

  /// Records that a process of a search ended without finding the guilty test; the last one ends the search.
  private mutating func acquit() {
    mystery?.left -= 1
    guard let mystery, mystery.left <= 0 else { return }
    close(mystery, remark: " Run one after the other, none of them did it again.")
  }

  /// Ends an unsuccessful search: the tests that the stack named are to blame, or otherwise none.
  private mutating func close(_ mystery: Mystery, remark: String) {
    self.mystery = nil
    convicts += mystery.convicts
    reasons.append(mystery.convicts.isEmpty ? mystery.reason + remark : mystery.reason)
  }

  /// Has the first of the tests that were left answer for how the process ended itself before it began; returns nil if it
  /// did not, or if the tests have no order.
  private mutating func convictFirst(of left: [TestID], _ quit: ProcessQuit?) -> Blame? {
    guard library == .xctest, var quit, let first = left.first else { return nil }
    // It did the same once more.
    if let before = quitBetween, before.quit == quit { reasons.remove(at: before.reason) }
    quitBetween = nil
    quit.isBeforeStart = true
    var result = TestResult(id: first, library: library)
    result.quit = quit
    convicts.append(result)
    reasons.append("\(quit.sentence(before: first.suite)).")
    return .only([])
  }

  /// Notes how the process ended itself between two tests; returns nil if it did not, or if no test was left. Whether that
  /// was behind the one or before the other, the next process shows.
  private mutating func noteEnd(
    between left: [TestID], _ quit: ProcessQuit?, _ run: ParsedTestRun, _ ending: ProcessEnding
  ) -> Blame? {
    quitBetween = nil
    guard library == .xctest, !left.isEmpty, let quit, quit.location != nil,
      let reason = OpenTestVerdict(run: run, ending: ending).reason
    else { return nil }
    quitBetween = (quit, reasons.count)
    reasons.append(reason)
    return .only([])
  }

  /// Returns the remaining tests without those of the first suite, whose set-up the process died of.
  private mutating func withoutFirstSuite(_ left: [TestID], isTold: Bool) -> [TestID] {
    guard library == .xctest, let first = left.first else {
      if !left.isEmpty {
        let tests = left.count == 1 ? "1 test was" : "the \(left.count) tests were"
        reasons.append("\(library.rawValue): no test had started, so \(tests) not tried again.")
      }
      return []
    }
    if !isTold { reasons.append("\(library.rawValue): it was about to start \(first.module).\(first.suite).") }
    return left.filter { ($0.module, $0.suite) != (first.module, first.suite) }
  }
}

/// Which of the tests that were open when a process ended are to blame.
package enum Blame: Hashable, Sendable {
  case everyOpenTest
  /// These tests; the others run again, and their results from this process do not count.
  case only([TestID])
  /// Not known yet; all tests that the process had started run again, and none of their results count.
  case nobodyYet
}
