import FoundationEssentials
import Model

@testable import Rendering

/// A small package with every state of a line, in two targets, against a baseline.
enum CoverageSample {
  static let greeter = """
    /// Says hello.
    public struct Greeter {
        public var tone = 1
        public func greeting(for name: String?, loud: Bool) -> String {
            let who = name ?? "you"
            if loud {
                return "HELLO <\\(who)> & all"
            }
            return "Hello, \\(who)"
        }

        func whisper() -> String {
            "psst"
        }
    }

    """

  static let tests = """
    import XCTest
    final class GreeterTests: XCTestCase {
        func test_plain() {
            XCTAssertEqual(1, 2)
        }
    }
    """

  static func function(_ name: String, _ lines: ClosedRange<Int>, count: UInt64) -> FunctionCoverage {
    FunctionCoverage(
      name: name, symbol: name, count: count,
      regions: [
        CoverageRegion(
          start: SourcePosition(line: lines.lowerBound, column: 1),
          end: SourcePosition(line: lines.upperBound, column: 2), count: count)
      ])
  }

  static var files: [FileCoverage] {
    let states: [(Int, UInt64, LineState)] = [
      (3, 12_345, .ran), (4, 3, .ran), (5, 3, .partlyRan), (6, 3, .partlyRan), (7, 0, .neverRan), (8, 3, .ran),
      (9, 3, .ran), (10, 3, .ran), (12, 0, .neverRan), (13, 0, .neverRan), (14, 0, .neverRan),
    ]
    let greeter = file(
      "Sources/Greeter/Greeter.swift", target: "Greeter",
      lines: states.map { LineCoverage(line: $0.0, count: $0.1, state: $0.2) },
      dead: [DeadStretch(line: 5, columns: 27..<32), DeadStretch(line: 6, columns: 17..<Int.max)],
      functions: [
        function("Greeter.tone", 3...3, count: 12_345), function("Greeter.greeting(for:loud:)", 4...10, count: 3),
        function("Greeter.whisper()", 12...14, count: 0),
      ],
      llvm: Tally(total: 13, covered: 8))
    let words = file(
      "Sources/Greeter/Words/Words.swift", target: "Greeter", lines: [LineCoverage(line: 1, count: 2, state: .ran)])
    let tool = file("Sources/tool/Tool.c", target: "tool", lines: [LineCoverage(line: 2, count: 0, state: .neverRan)])
    return [greeter, words, tool]
  }

  static var report: Report {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    let commit = Commit(
      id: CommitID(rawValue: "2dbc891e64b2f0c4d7a9e3f15b8862a0d9c41f77"), summary: "Whisper", author: "mira", date: date
    )
    var integration = Integration(
      bot: "Greeter", number: 42, repository: "/srv/git/Greeter.git", branch: "main", commit: commit, cause: .commit,
      toolchain: "Swift version 6.3.1 (swift-6.3.1-RELEASE)", configuration: "debug", sandbox: "bubblewrap",
      queuedAt: date, repeatCommand: "martlet run")
    integration.coverage = .available(Coverage(files: files, profilesRead: 2))
    integration.tests = TestReport(results: [
      TestResult(
        id: TestID(module: "GreeterTests", suite: "GreeterTests", name: "test_plain"), library: .xctest, state: .failed,
        failures: [
          TestFailure(
            location: SourceLocation(file: "Tests/GreeterTests/GreeterTests.swift", line: 4),
            message: "XCTAssertEqual failed: (\"1\") is not equal to (\"<2>\")\nsecond line"),
          TestFailure(
            location: SourceLocation(file: "Sources/Greeter/Greeter.swift", line: 9), message: "precondition failed"),
        ])
    ])
    integration.baseline = baseline(integration)
    return Report(
      integration: integration, logs: [],
      sources: [
        "Sources/Greeter/Greeter.swift": Array(greeter.utf8),
        "Sources/Greeter/Words/Words.swift": Array("let a = 1".utf8),
        "Tests/GreeterTests/GreeterTests.swift": Array(tests.utf8), "Tests/Other.swift": Array("1".utf8),
      ])
  }

  private static func baseline(_ integration: Integration) -> Baseline {
    let before = [
      "Sources/Greeter/Greeter.swift": CoverageTotals(lines: LineTally(total: 8, covered: 7, partial: 2)),
      "Sources/tool/Tool.c": CoverageTotals(lines: LineTally(total: 1, covered: 0, partial: 0)),
      "Sources/tool/Old.c": CoverageTotals(lines: LineTally(total: 4, covered: 0, partial: 0)),
    ]
    var baseline = Baseline(
      number: 41, commit: integration.commit.id, outcome: .succeeded, tests: TestCounts(),
      totals: before.values.reduce(CoverageTotals()) { $0 + $1 }, files: before, duration: 9, warnings: 0, states: [:])
    baseline.targets = before.keys.reduce(into: [:]) { $0[$1] = $1.contains("/tool/") ? "tool" : "Greeter" }
    return baseline
  }
}
