import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("What is remembered of how tests ended")
struct VerdictFilesTests {
  private let test = TestID(module: "ShopTests", suite: "Pace", name: "testPace")
  private let scratch: Scratch
  private let files: VerdictFiles

  init() throws {
    scratch = try Scratch()
    files = VerdictFiles(folder: scratch.folder)
  }

  private func integration(_ number: Int, seconds: Double) -> Integration {
    let date = Date(timeIntervalSince1970: 0)
    var integration = Integration(
      bot: "Shop", number: number, repository: "/r", branch: "main",
      commit: Commit(id: CommitID(rawValue: "c\(number)"), summary: "Begin", author: "Ada", date: date),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    integration.outcome = .succeeded
    integration.circumstances = [Circumstance("system", "Debian")]
    var result = TestResult(id: test, library: .xctest, state: .passed)
    result.measurements = [TestMeasurement(metric: "Time", unit: "seconds", values: [seconds])]
    integration.tests = TestReport(results: [result])
    return integration
  }

  private func entry(_ number: Int, branchKey: String? = "main", isDirty: Bool = false) -> Ledger.Entry {
    Ledger.Entry(
      number: number, commit: CommitID(rawValue: "c\(number)"), outcome: number == 5 ? .buildErrors : .succeeded,
      scope: "s", isDirty: isDirty, branchKey: branchKey)
  }

  /// Writes the text form, and the summary document where asked for.
  private func keep(_ number: Int, text: (String) -> String?, withDocument: Bool = false) throws {
    let integration = integration(number, seconds: Double(number))
    let folder = scratch.folder.folder("\(number)")
    try folder.create()
    try text(TestVerdicts(integration).text).map { try folder.write($0, to: VerdictFiles.name) }
    if withDocument {
      try folder.write(
        [UInt8](try IntegrationRecord.encoder.encode(IntegrationRecord(integration))), to: "integration.json")
    }
  }

  private func withoutMeasurements(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("m ") && !$0.hasPrefix("@ ") }
      .joined(separator: "\n")
  }

  @Test("How long tests usually take is told by the branch's integrations of the same scope and toolchain")
  func paces() throws {
    for number in [1, 2, 3, 4, 6] {
      try keep(number, text: { number == 3 ? $0.replacing("Swift", with: "Other") : $0 })
    }
    var ledger = [
      entry(1), entry(2, branchKey: "topic"), entry(3), entry(4), entry(5), entry(6), entry(7),
    ]
    let compared = IntegrationRecord(integration(4, seconds: 1))
    #expect(files.paces(like: compared, before: 7, of: ledger).map(\.number) == [6, 4, 1])
    #expect(files.paces(like: compared, before: 6, of: ledger).map(\.number) == [4, 1])
    ledger[5].scope = "other"
    #expect(files.paces(like: compared, before: 7, of: ledger).map(\.number) == [4, 1])
    // A copy of a report from elsewhere.
    ledger[3].commit = CommitID(rawValue: "elsewhere")
    #expect(files.paces(like: compared, before: 7, of: ledger).isEmpty)
  }

  @Test("What the old form does not tell of is taken from the summary document, and is unknown without one")
  func old() throws {
    try keep(1, text: { $0 }, withDocument: false)
    try keep(2, text: withoutMeasurements, withDocument: true)
    try keep(3, text: withoutMeasurements, withDocument: false)
    try keep(4, text: { _ in nil }, withDocument: true)
    try keep(7, text: { _ in "martlet.verdicts/9" }, withDocument: true)
    let ledger = (1...9).map { entry($0) }
    let past = files.past(before: 8, on: "main", baseline: nil, of: ledger)
    #expect(past.map(\.number) == [7, 6, 5, 4, 3, 2, 1])
    #expect(past.map { $0.verdicts?.measured[test]?.first?.average } == [7, nil, nil, 4, nil, 2, 1])
    #expect(past.map { $0.verdicts == nil } == [false, true, true, false, false, false, false])
    #expect(past.map { $0.verdicts?.circumstances == nil } == [false, true, true, false, true, false, false])
    #expect(past[2].outcome == .buildErrors)
    // What the old form tells is not lost with it.
    #expect(past[4].verdicts?.verdicts[test]?.state == .passed)
  }

  @Test("Of other branches only the baseline counts, and nothing with uncommitted changes")
  func branches() throws {
    for number in 1...4 { try keep(number, text: { $0 }) }
    let ledger = [entry(1), entry(2, branchKey: "topic"), entry(3, isDirty: true), entry(4, branchKey: nil)]
    func numbers(_ branchKey: String?, _ baseline: Int?) -> [Int] {
      files.past(before: 9, on: branchKey, baseline: baseline, of: ledger).map(\.number)
    }
    #expect(numbers("main", 1) == [1])
    #expect(numbers("topic", 1) == [2, 1])
    #expect(numbers(nil, nil) == [4])
    #expect(numbers("new", 3) == [])
  }

  @Test("No more than the last integrations are read")
  func most() throws {
    let ledger = (1...80).map { entry($0) }
    #expect(files.past(before: 80, on: "main", baseline: 1, of: ledger).map(\.number) == (30...79).reversed())
  }
}
