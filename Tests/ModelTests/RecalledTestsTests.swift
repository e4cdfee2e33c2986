import FoundationEssentials
import Testing

@testable import Model

@Suite("What is known of tests that did not run")
struct RecalledTestsTests {
  @Test(
    "Their names, those of their suites and their places are those of the integration before, unless their files changed"
  )
  func recall() {
    var before = Integration(
      bot: "Shop", number: 1, repository: "/srv/git/Shop.git", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "a"), summary: "Sell", author: "mira", date: Date(timeIntervalSince1970: 0)),
      cause: .commit, toolchain: "", configuration: "debug", sandbox: "", queuedAt: Date(timeIntervalSince1970: 0),
      repeatCommand: "")
    var report = TestReport()
    for (name, state) in [("a", TestState.notRun), ("b", .notRun), ("c", .passed)] {
      var test = TestResult(id: TestID(module: "M", suite: "S", name: "\(name)()"), library: .swiftTesting)
      test.state = state
      report.results.append(test)
      test.state = .passed
      (test.displayName, test.suiteName) = (name, "Suite of \(name)")
      test.location = SourceLocation(file: "\(name).swift", line: 6)
      before.tests.results.append(test)
    }
    report.recall(IntegrationRecord(before)) { $0 == "a.swift" }
    #expect(report.results.map(\.displayName) == ["a", "b", nil])
    #expect(report.results.map(\.suiteName) == ["Suite of a", "Suite of b", nil])
    #expect(report.results.map(\.location) == [SourceLocation(file: "a.swift", line: 6), nil, nil])
  }
}
