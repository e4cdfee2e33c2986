import Model
import Testing

@testable import Integrating
@testable import Parsing

@Suite("What the map of tests lacks where a run of them one by one was ended")
struct MappedGapTests {
  private static let tests = ["first()", "second()", "third()"].map { TestID(module: "M", suite: "", name: $0) }

  private func gap(_ states: [TestState], open: Int?, isWhole: Bool = false) -> String? {
    let run = ParsedTestRun(
      library: .swiftTesting, source: "event-stream",
      results: zip(Self.tests, states).map { TestResult(id: $0, library: .swiftTesting, state: $1) },
      openTests: open.map { [Self.tests[$0]] } ?? [], sawTerminalRecord: isWhole)
    return EndedTestProcess(name: "p", run: run, ending: ProcessEnding(.signaled(15)), isCutOff: false, counters: .none)
      .gap(of: Self.tests)
  }

  private static let start = "The run of Swift Testing's tests one by one was ended by signal 15 (SIGTERM)"

  @Test("One that was ended in its last test says in which, and that no other is missing")
  func last() {
    #expect(gap([.passed, .passed, .notRun], open: 2) == "\(Self.start) in M.third().")
  }

  @Test("One that was ended before says how many had not run")
  func before() {
    #expect(gap([.passed, .notRun], open: 1) == "\(Self.start) in M.second(), before 1 test had run.")
    #expect(gap([.passed], open: nil) == "\(Self.start) before 2 tests had run.")
    #expect(gap([.passed, .failed, .skipped], open: nil) == "\(Self.start) after the last of them.")
  }

  @Test("A whole one lacks only the tests that failed in it")
  func whole() {
    #expect(gap([.passed, .passed, .passed], open: nil, isWhole: true) == nil)
    #expect(
      gap([.passed, .failed, .passed], open: nil, isWhole: true) == "Run one by one, these failed: M.second().")
  }
}
