import FoundationEssentials
import Model

@testable import Comparing

/// The testing library has an `Issue`, too.
typealias Issue = Model.Issue

/// Findings to compare, made in few words.
enum Finding {
  static func diagnostic(
    _ severity: Diagnostic.Severity, _ message: String, in file: String = "Sources/Shop/Cart.swift", line: Int = 1,
    isLinker: Bool = false
  ) -> Diagnostic {
    Diagnostic(
      severity: severity, message: message, location: isLinker ? nil : SourceLocation(file: file, line: line),
      isLinker: isLinker)
  }

  static func test(_ name: String) -> TestID {
    TestID(module: "Shop", suite: "CartTests", name: name)
  }

  static func result(
    _ name: String, _ state: TestState, failures: [TestFailure] = [], isFlaky: Bool = false,
    location: SourceLocation? = nil
  ) -> TestResult {
    TestResult(
      id: test(name), library: .xctest, state: state, location: location, isFlaky: isFlaky, failures: failures)
  }

  static func failure(_ message: String, line: Int? = 7) -> TestFailure {
    TestFailure(
      location: line.map { SourceLocation(file: "Tests/ShopTests/CartTests.swift", line: $0) }, message: message)
  }

  /// What an integration with the number 4 remembers, which has reached everything.
  static func memory(_ issues: [Issue]) -> IssueMemory {
    let records = named(issues).map { issue in
      let streak = IssueRecord.Streak(
        opened: max(0, 4 - issue.age), lastSeen: 4, closed: issue.status == .resolved ? 4 : nil, age: issue.age)
      var record = IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        age: issue.age, streaks: [streak])
      record.subject = issue.subject
      return record
    }
    return IssueMemory(number: 4, commit: commit, reached: IssueMemory.Stage.allCases, records: records)
  }

  /// The issues with the names that they get where nothing else is known; those that have one keep it.
  static func named(_ issues: [Issue]) -> [Issue] {
    var names = IssueNames()
    return issues.map { issue in
      var issue = issue
      if issue.id.isEmpty { issue.id = names.name(for: issue) }
      return issue
    }
  }

  static let commit = CommitID(rawValue: String(repeating: "a", count: 40))

  static func comparison(
    _ issues: [Issue], with memory: IssueMemory?, reach: IssueReach, number: Int = 5, silences: [Silence] = [],
    quarantine: [TestID: Silence] = [:], now: Date = Date(timeIntervalSince1970: 0),
    after change: SourceDifference? = nil
  ) -> FollowedIssues {
    IssueComparison(
      number: number, commit: commit, reach: reach, silences: silences, quarantine: quarantine, now: now
    ).compare(issues, with: memory, after: change)
  }

  static func compare(_ issues: [Issue], with memory: IssueMemory?, reach: IssueReach) -> [Issue] {
    comparison(issues, with: memory, reach: reach).issues
  }
}
