import Comparing
import FoundationEssentials
import Model
import Rendering

/// Documents to compare, made in few words.
enum Documents {
  static func integration(
    _ number: Int, _ outcome: Outcome = .succeeded, commit: Character = "a", tests: [TestResult] = [],
    issues: [Issue] = [], coverage: CoverageReport = .unavailable(reason: "not asked for")
  ) -> Integration {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    var integration = Integration(
      bot: "Shop", number: number, repository: "/srv/git/Shop.git", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: String(repeating: commit, count: 40)), summary: "Sell", author: "mira", date: date),
      cause: .commit, toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "bubblewrap",
      queuedAt: date, repeatCommand: "")
    integration.outcome = outcome
    integration.tests = TestReport(
      results: tests, runs: [LibraryRun(library: .xctest, source: "observer", sawTerminalRecord: true)])
    integration.issues = issues
    integration.coverage = coverage
    return integration
  }

  static func test(_ name: String, _ state: TestState, _ duration: Double = 0, isFlaky: Bool = false) -> TestResult {
    var result = Finding.result(name, state, isFlaky: isFlaky)
    result.duration = duration
    return result
  }

  /// Coverage of files by their uncovered and total lines.
  static func coverage(_ files: [(path: String, uncovered: Int, total: Int)]) -> CoverageReport {
    .available(
      Coverage(
        files: files.map { path, uncovered, total in
          FileCoverage(
            path: path, target: "Shop", lines: [], deadStretches: [], functions: [],
            totals: CoverageTotals(lines: LineTally(total: total, covered: total - uncovered)), llvmLines: Tally())
        }))
  }

  static func comparison(
    _ before: Integration, _ after: Integration, coverage: Answer<CoverageComparison> = .unknown(reason: "not asked"),
    earlier: [TestVerdicts] = [], commits: CommitsBetween = CommitsBetween(.forward)
  ) -> IntegrationComparison {
    IntegrationComparison(
      from: IntegrationRecord(before), to: IntegrationRecord(after), coverage: coverage, earlier: earlier,
      commits: commits)
  }
}
