import FoundationEssentials
import Model
import Rendering
import Storing
import Testing

@testable import Integrating

@Suite("What is remembered of how tests ended")
struct PastVerdictsTests {
  private let test = TestID(module: "ShopTests", suite: "Pace", name: "testPace")
  private let scratch: Scratch
  private let index: PastIndex
  private let verdicts: PastVerdicts

  init() throws {
    scratch = try Scratch()
    try scratch.folder.folder("integrations").create()
    index = PastIndex(of: Home(scratch.path))
    verdicts = PastVerdicts(index: index, bot: "Shop")
  }

  private func document(
    _ number: Int, on branch: String? = "main", scope: String = "s", toolchain: String = "Swift"
  ) -> IntegrationRecord {
    let date = Date(timeIntervalSince1970: 0)
    var integration = Integration(
      bot: "Shop", number: number, repository: "/r", branch: branch,
      commit: Commit(id: CommitID(rawValue: "c\(number)"), summary: "Begin", author: "Ada", date: date),
      cause: .commit, toolchain: toolchain, configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    integration.outcome = number == 5 ? .buildErrors : .succeeded
    integration.circumstances = [Circumstance("system", "Debian")]
    var result = TestResult(id: test, library: .xctest, state: .passed)
    result.measurements = [TestMeasurement(metric: "Time", unit: "seconds", values: [Double(number)])]
    integration.tests = TestReport(results: number == 5 ? [] : [result])
    var document = IntegrationRecord(integration)
    document.scope = scope
    return document
  }

  @Test("How long tests usually take is told by the branch's integrations of the same scope and toolchain")
  func paces() throws {
    for number in 1...6 {
      try index.add(
        document(
          number, on: number == 2 ? "topic" : "main", scope: number == 6 ? "other" : "s",
          toolchain: number == 3 ? "Other" : "Swift"))
    }
    var past = try index.integrations(of: "Shop")
    #expect(try verdicts.paces(like: document(4), before: 7, of: past).map(\.number) == [4, 1])
    #expect(try verdicts.paces(like: document(4), before: 4, of: past).map(\.number) == [1])
    // A copy of a report from elsewhere.
    past[3].commit = CommitID(rawValue: "elsewhere")
    #expect(try verdicts.paces(like: document(4), before: 7, of: past).isEmpty)
  }

  @Test("What was removed leaves a gap, and what did not come to its tests measured nothing")
  func gaps() throws {
    for number in [1, 4, 5, 7] { try index.add(document(number)) }
    try index.ask(changes: true) { store throws(StoringError) in try store.noteRemoval(of: [4], of: "Shop") }
    let past = try index.integrations(of: "Shop")
    let known = try verdicts.past(before: 9, on: "main", baseline: nil, of: past)
    #expect(known.map(\.number) == [7, 5, 4, 1])
    #expect(known.map { $0.verdicts?.measured[test]?.first?.average } == [7, nil, nil, 1])
    #expect(known.map { $0.verdicts?.circumstances == nil } == [false, false, true, false])
    #expect(known[1].outcome == .buildErrors && known[1].verdicts?.verdicts == [:])
    #expect(try verdicts.newest(before: 9, of: past).map(\.number) == [7, 1])
    #expect(try verdicts.newest(before: 9, of: past)[1] == TestVerdicts(document(1)))
  }

  @Test("Of other branches only the baseline counts, and nothing with uncommitted changes")
  func branches() throws {
    for (number, branch) in [(1, "main"), (2, "topic"), (3, "main"), (4, nil)] as [(Int, String?)] {
      try index.add(document(number, on: branch))
    }
    var past = try index.integrations(of: "Shop")
    past[2].isDirty = true
    func numbers(_ branch: String?, _ baseline: Int?) throws -> [Int] {
      try verdicts.past(before: 9, on: branch, baseline: baseline, of: past).map(\.number)
    }
    #expect(try numbers("main", 1) == [1])
    #expect(try numbers("topic", 1) == [2, 1])
    #expect(try numbers(nil, nil) == [4])
    #expect(try numbers("new", 3) == [])
  }

  @Test("No more than the last integrations are read")
  func most() throws {
    try index.ask(changes: true) { store throws(StoringError) in
      try store.note((1...80).map { IndexRow(of: document($0)) })
    }
    let past = try index.integrations(of: "Shop")
    #expect(
      try verdicts.past(before: 80, on: "main", baseline: 1, of: past).map(\.number) == (30...79).reversed())
    #expect(try verdicts.newest(before: 80, of: past).count == 50)
  }
}
