import Model
import Testing

@testable import Parsing
import Rendering

@Suite("The search for the test that brought a process down")
struct TestSearchTests {
  /// How a test brings its process down; nothing of it is on a stack.
  enum Manner: CaseIterable {
    /// While it is running.
    case itself
    /// By what it leaves behind, while the next test is running, or before the library says that it finished.
    case later
  }

  /// A library with many tests, some of which are guilty; in parallel all of them run at once.
  private struct Machine {
    let guilty: [Int: Manner]
    private let tests: [TestID]
    private var course: TestCourse
    private var builder: TestReportBuilder
    private(set) var processes = 0

    init(tests count: Int, guilty: [Int: Manner]) {
      tests = (0..<count).compactMap { TestID("M.t\($0)()") }
      course = TestCourse(library: .swiftTesting, selected: tests, isEverything: true)
      builder = TestReportBuilder(xctest: [], swiftTesting: tests)
      self.guilty = guilty
    }

    /// Runs all processes.
    mutating func run() -> TestReportBuilder.Product {
      while let batch = course.next(), processes < 200 {
        processes += 1
        let (run, ending) = batch.isSerial ? serial(batch.tests) : parallel(batch.tests)
        let blame = course.note(run, ending: ending, suspects: [])
        builder.add(run, ending: ending, blame: blame)
      }
      builder.conclude(course)
      return builder.build()
    }

    private func manner(of test: TestID) -> Manner? { tests.firstIndex(of: test).flatMap { guilty[$0] } }

    private func parallel(_ tests: [TestID]) -> (ParsedTestRun, ProcessEnding) {
      tests.allSatisfy { manner(of: $0) == nil } ? finished(tests) : died(ended: [], open: tests)
    }

    private func serial(_ tests: [TestID]) -> (ParsedTestRun, ProcessEnding) {
      for (place, test) in tests.enumerated() {
        switch manner(of: test) {
        case nil: continue
        case .itself: return died(ended: tests[..<place], open: [test])
        case .later: return died(ended: tests[...place], open: Array(tests[(place + 1)...].prefix(1)))
        }
      }
      return finished(tests)
    }

    private func results(_ tests: some Sequence<TestID>, _ state: TestState) -> [TestResult] {
      tests.map { TestResult(id: $0, library: .swiftTesting, state: state) }
    }

    private func finished(_ tests: [TestID]) -> (ParsedTestRun, ProcessEnding) {
      let run = ParsedTestRun(
        library: .swiftTesting, source: "", results: results(tests, .passed), sawTerminalRecord: true)
      return (run, ProcessEnding(.exited(0), cause: .itself))
    }

    private func died(ended: some Sequence<TestID>, open: [TestID]) -> (ParsedTestRun, ProcessEnding) {
      let run = ParsedTestRun(
        library: .swiftTesting, source: "", results: results(ended, .passed) + results(open, .notRun),
        openTests: open)
      return (run, ProcessEnding(.signaled(14), cause: .itself))
    }
  }

  @Test("Among many it is found, and nobody else", arguments: Manner.allCases, [0, 1, 37, 62, 98, 99])
  func one(_ manner: Manner, place: Int) {
    var machine = Machine(tests: 100, guilty: [place: manner])
    let product = machine.run()
    #expect(product.report.results.filter { $0.state == .crashed }.map(\.id.name) == ["t\(place)()"])
    #expect(product.report.results.count { $0.state == .passed } == 99)
    #expect(product.gaps.map(\.sentence) == [])
    // One of all, and at most four for each halving.
    #expect(machine.processes <= 1 + 4 * 7)
  }

  @Test("Among a few each is alone", arguments: Manner.allCases, [0, 7, 23])
  func few(_ manner: Manner, place: Int) {
    var machine = Machine(tests: 24, guilty: [place: manner])
    let product = machine.run()
    #expect(product.report.results.filter { $0.state == .crashed }.map(\.id.name) == ["t\(place)()"])
    #expect(product.report.results.count { $0.state == .passed } == 23)
    #expect(product.gaps.map(\.sentence) == [])
    #expect(machine.processes == 25)
  }

  @Test("Two are found, whatever their manners", arguments: Manner.allCases, Manner.allCases)
  func two(_ first: Manner, _ second: Manner) {
    var machine = Machine(tests: 100, guilty: [30: first, 71: second])
    let product = machine.run()
    #expect(product.report.results.filter { $0.state == .crashed }.map(\.id.name) == ["t30()", "t71()"])
    #expect(product.report.results.count { $0.state == .passed } == 98)
    #expect(product.gaps.map(\.sentence) == [])
  }

  @Test("Where too many are guilty there is an end, and what was not found out is not green")
  func bounded() {
    var machine = Machine(
      tests: 400, guilty: Dictionary(uniqueKeysWithValues: (0..<400).map { ($0, Manner.later) }))
    let product = machine.run()
    #expect(machine.processes < 60)
    #expect(product.report.results.contains { $0.state == .notRun })
    #expect(
      product.gaps.map(\.sentence).contains(
        "Swift Testing: 21 processes died, so the 387 tests that were left were not started."))
  }
}
