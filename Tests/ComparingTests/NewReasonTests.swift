import FoundationEssentials
import Model
import Testing

@testable import Comparing

@Suite("Red tests that fail for a new reason")
struct NewReasonTests {
  private static let test = Finding.test("a")
  private static let file = "Tests/ShopTests/CartTests.swift"
  private let reach = IssueReach(built: true, tests: [test: .failed], listed: true)

  private func red(_ words: String..., line: Int = 7) -> Issue {
    let failures = words.map { Finding.failure($0, line: line) }
    return IssueFinder.issues(diagnostics: [], tests: [Finding.result("a", .failed, failures: failures)])[0]
  }

  /// The integrations in which a test began to fail for a new reason, of which each has a commit of its own.
  ///
  /// - Parameter replaced: the integrations before which line 7 was replaced.
  private func reasons(
    _ failures: [Issue], replaced: Set<Int> = [], flaky: Set<TestID> = [], isSameCommit: Bool = false
  ) -> [Int?] {
    var memory: IssueMemory?
    return failures.enumerated().map { index, issue in
      let name = String(repeating: isSameCommit ? "a" : "\(index % 10)", count: 40)
      let comparison = IssueComparison(
        number: index + 1, commit: CommitID(rawValue: name), reach: reach, flaky: flaky,
        now: Date(timeIntervalSince1970: 0))
      let hunks = replaced.contains(index + 1) ? [LineMap.Hunk(old: 7..<8, new: 7..<8)] : []
      let change = SourceDifference([
        FileDifference(status: .modified, oldPath: Self.file, newPath: Self.file, lines: LineMap(hunks: hunks))
      ])
      let result = comparison.compare([issue], with: memory, after: change)
      memory = result.memory
      #expect(result.issues.map(\.status) == [.unresolved])
      return result.issues[0].life?.reasonSince
    }
  }

  @Test("keep their issue, and tell since when they have the reason")
  func otherExpectation() {
    #expect(reasons([red("one is not"), red("two is not", line: 9), red("two is not", line: 9)]) == [nil, 2, 2])
    #expect(reasons([red("one is not"), red("two is not")], replaced: [2]) == [nil, 2])
  }

  @Test("do not have one where only the values in the same expectation are others")
  func otherValues() {
    #expect(reasons([red("Good day is not"), red("Good night is not")]) == [nil, nil])
    #expect(reasons([red("1 is not 2"), red("3 is not 2", line: 9)]) == [nil, nil])
  }

  @Test("do not have one where they still fail for some of what they failed for, or for something earlier again")
  func earlierReason() {
    #expect(reasons([red("one is not"), red("two is not", "one is not", line: 9)]) == [nil, nil])
    #expect(reasons([red("one is not"), red("two is not", line: 9), red("one is not")]) == [nil, 2, 2])
  }

  @Test("do not have one where nobody changed anything, and where they are known to fail by chance")
  func byChance() {
    let failures = [red("one is not"), red("two is not", line: 9)]
    #expect(reasons(failures, isSameCommit: true) == [nil, nil])
    #expect(reasons(failures, flaky: [Self.test]) == [nil, nil])
  }

  @Test("do not have one with each message, where they fail with another one each time")
  func everOther() {
    let words = (0..<30).map { String(UnicodeScalar(UInt8(ascii: "g") + UInt8($0 % 15))) + ($0 < 15 ? "y" : "z") }
    let failures = words.enumerated().map { red("\($1) is not", line: 10 + 2 * $0) }
    #expect(reasons(failures).suffix(10) == Array(repeating: 20, count: 10)[...])
  }

  @Test("have none that lasts, when they were green in between")
  func cameBack() {
    var memory = Finding.comparison([red("one is not")], with: nil, reach: reach, number: 1).memory
    memory.records[0].beginReason(in: 2)
    #expect(memory.records[0].life.reasonSince == 2)
    memory.records[0].close(in: 3)
    memory.records[0].see(red("one is not"), in: 4, isSilenced: false)
    #expect(memory.records[0].life.reasonSince == nil)
  }
}
