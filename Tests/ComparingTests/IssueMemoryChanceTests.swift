import Model
import Testing

@testable import Comparing

@Suite("Red tests that pass by chance")
struct IssueMemoryChanceTests {
  private let test = Finding.test("sum")

  private func passed(
    _ memory: IssueMemory, alone: [TestID: TestState] = [:], untouched: Set<TestID> = []
  ) -> Set<TestID> {
    memory.passedByChance(in: [Finding.result("sum", .passed)], alone: alone, [:]) { $0.intersection(untouched) }
  }

  @Test("A pass proves nothing where the test ends otherwise alone, was red by chance, or ran nothing that changed")
  func passes() {
    let red = Finding.result("sum", .failed, failures: [Finding.failure("no")])
    var memory = Finding.memory(IssueFinder.issues(diagnostics: [], tests: [red]))
    #expect(passed(memory).isEmpty)
    #expect(passed(memory, alone: [test: .failed]) == [test] && passed(memory, alone: [test: .passed]).isEmpty)
    #expect(passed(memory, untouched: [test]) == [test])
    // What changed before the last integration may have ended what was last seen earlier.
    memory.number = 5
    #expect(passed(memory, untouched: [test]).isEmpty)
    memory.noteChance(in: [red], alone: [test: .failed])
    #expect(passed(memory).isEmpty)
    memory.noteChance(in: [red], alone: [test: .passed])
    #expect(passed(memory) == [test])
  }
}
