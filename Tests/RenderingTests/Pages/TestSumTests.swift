@testable import Model
import Testing

@testable import Rendering

@Suite("The counts of all listed tests")
struct TestSumTests {
  @Test("The changes of the counts of all states add up, also where a state has no test any more")
  func sums() {
    var (now, before) = (TestCounts(), TestCounts())
    (before.passed, before.timedOut) = (9, 1)
    (now.passed, now.crashed) = (9, 1)
    func words(_ sums: [StateSum]) -> [String] { sums.map { "\($0.count) \($0.word) \($0.delta?.text ?? "")" } }
    let none = TestCounts()
    #expect(
      words(StateSum.all(of: now, baseline: (before, none))) == ["9 passed ", "1 crashed +1", "0 timed out −1"])
    #expect(StateSum.all(of: now).map(\.word) == ["passed", "crashed"])
    // Each test is in one of them.
    (now.flaky, now.timedOut) = (2, 3)
    var silenced = none
    silenced.timedOut = 1
    #expect(
      words(StateSum.all(of: now, silenced: silenced, baseline: (before, silenced)))
        == ["7 passed −2", "2 flaky +2", "1 crashed +1", "2 timed out +2", "1 silenced "])
    #expect(TestSum(now, silenced: silenced).parts == "7 passed, 2 flaky, 1 crashed, 2 timed out, 1 silenced")
  }

  @Test("On the terminal and in the table of a bot's history flaky tests are not among the passed, either")
  func elsewhere() {
    let others = ["failed", "crashed", "timed out", "silenced", "known issue", "skipped", "canceled", "not run"]
    let sum = (["passed", "flaky"] + others).map { "1 \($0)" }.joined(separator: ", ")
    #expect(IntegrationRecord(ExportSample.integration).testSum == sum)
    let line = SiteSample.entry(1, .warnings) { $0.tests.flaky = 2 }
    let table = String(decoding: HistoryTable([line], time: .utc).bytes, as: UTF8.self)
    #expect(table.contains(",30,28,0,0,0,0,0,0,2,"), "\(table)")
  }
}
