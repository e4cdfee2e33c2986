import FoundationEssentials
@testable import Model

@testable import Rendering

/// A small integration with a test in every state, one warning and coverage with gaps, in a folder of its repository.
enum ExportSample {
  static var integration: Integration {
    var integration = Integration(
      bot: "Shop", number: 7, repository: "/srv/git/Shop.git", packagePath: "pkg", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "2dbc891e64b2f0c4d7a9e3f15b8862a0d9c41f77"), summary: "Sell | swap",
        author: "mira", date: Date(timeIntervalSince1970: 1_795_162_265)),
      cause: .commit, toolchain: "Swift version 6.3.1 (swift-6.3.1-RELEASE)", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 1_795_162_324), repeatCommand: "martlet run /srv/git/Shop.git")
    integration.startedAt = Date(timeIntervalSince1970: 1_795_162_325)
    integration.endedAt = integration.startedAt.addingTimeInterval(48.8)
    integration.outcome = .testFailures
    integration.reasons = [.stopped("2 tests failed, 1 crashed and 1 timed out."), .gap(.notRun(1))]
    integration.tests = TestReport(results: results, filteredOut: 2)
    integration.diagnostics = [
      Diagnostic(severity: .warning, message: "'old()' is deprecated", location: place("Sources/Shop/Till.swift", 4, 9))
    ]
    integration.issues = issues
    integration.coverage = .available(Coverage(files: files, profilesRead: 2))
    return integration
  }

  /// The same with functions that nothing checks.
  static var tried: Integration {
    var integration = integration
    integration.coverage.take(.known(mutants))
    return integration
  }

  /// Two changed functions and another one that ran and that nothing checks, and one that a test checks.
  private static var mutants: MutationReport {
    MutationReport(
      scope: .all,
      functions: [
        function("Till.add(_:)", 3, tests: 4, isChanged: true, [.init(.zero), .init(.one)]),
        function("Till.clear()", 7, tests: 1, isChanged: true, [.init(.nothing)]),
        function("Till.isOpen", 9, tests: 2, isChanged: false, [.init(.false), .init(.true)]),
        function("Till.total", 4, tests: 2, isChanged: true, [.init(.zero, notice: .failed), .init(.one)]),
      ])
  }

  /// A function that tests ran, and what stood in its place.
  static func function(
    _ name: String, _ line: Int, tests: Int, isChanged: Bool, _ mutants: [MutationReport.Mutant]
  ) -> MutationReport.Subject {
    MutationReport.Subject(
      path: "Sources/Shop/Till.swift", start: SourcePosition(line: line, column: 20),
      end: SourcePosition(line: line + 1, column: 4), name: name, tests: tests, isChanged: isChanged,
      verdict: .judged(mutants))
  }

  static var document: IntegrationRecord { IntegrationRecord(tried) }

  static var export: IntegrationExport {
    IntegrationExport(document, coverage: CoverageDocument(integration))
  }

  /// Nothing was tested because nothing was built.
  static var buildErrors: Integration {
    var integration = integration
    integration.outcome = .buildErrors
    integration.reasons = [.buildFailed(.package, errors: 2)]
    integration.tests = TestReport()
    integration.coverage = .unavailable(reason: "The tests were not reached.")
    integration.issues = [
      Issue(id: "e-1", kind: .error, message: "no such module", location: place("Sources/Shop/Till.swift", 1, 8)),
      Issue(id: "e-2", kind: .linkerError, message: "undefined reference to 'till'"),
      Issue(
        id: "e-3", kind: .error, message: "bad header", location: SourceLocation(file: "/usr/include/x y.h", line: 3)),
    ]
    return integration
  }

  static func id(_ suite: String, _ name: String) -> TestID { TestID(module: "ShopTests", suite: suite, name: name) }

  private static func place(_ file: String, _ line: Int, _ column: Int? = nil) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column)
  }

  private static let tests = "Tests/ShopTests/TillTests.swift"
  private static let failure = TestFailure(
    location: place(tests, 12), message: "Expectation failed: 1 == 2\nboth & \"so\"")

  static var results: [TestResult] {
    [
      TestResult(id: id("Till", "adds()"), library: .swiftTesting, state: .passed, duration: 0.0105),
      TestResult(
        id: id("Till", "rounds(_:)"), library: .swiftTesting, state: .failed, duration: 0.02, displayName: "Rounds",
        tags: ["money"], location: place(tests, 10), failures: [failure],
        arguments: [
          TestArgument(display: "1.5", state: .passed), TestArgument(display: "1.5", state: .passed),
          TestArgument(display: "2.5", state: .failed, failures: [failure]),
        ]),
      TestResult(
        id: id("Till/Drawer", "opens()"), library: .swiftTesting, state: .crashed, duration: 0.5,
        location: place(tests, 30),
        failures: [TestFailure(location: place("Sources/Shop/Till.swift", 5), message: "Fatal error: empty")]),
      TestResult(id: id("Till", "waits()"), library: .swiftTesting, state: .timedOut, duration: 30),
      TestResult(id: id("Till", "late()"), library: .swiftTesting, state: .notRun),
      TestResult(id: id("Till", "stopped()"), library: .swiftTesting, state: .canceled),
      TestResult(
        id: id("Till", "known()"), library: .swiftTesting, state: .expectedFailure, duration: 0.001,
        knownIssues: [TestFailure(location: place(tests, 40), message: "See #17")]),
      TestResult(
        id: id("Till", "flaky()"), library: .swiftTesting, state: .passed, duration: 0.1, isFlaky: true,
        attempts: [TestAttempt(state: .failed, duration: 0.2), TestAttempt(state: .passed, duration: 0.1)]),
      TestResult(
        id: id("OldTests", "testSkips"), library: .xctest, state: .skipped, skipReason: "no printer"),
      TestResult(
        id: id("OldTests", "testFails"), library: .xctest, state: .failed, duration: 0.003,
        failures: [
          TestFailure(location: place("Tests/ShopTests/OldTests.swift", 8), message: "XCTAssertTrue failed"),
          TestFailure(location: nil, message: "threw: nothing"),
        ]),
    ]
  }

  private static var issues: [Issue] {
    [
      Issue(id: "t-1", kind: .testFailure, message: "XCTAssertTrue failed", test: id("OldTests", "testFails")),
      Issue(id: "c-1", kind: .crash, message: "Fatal error: empty", test: id("Till/Drawer", "opens()")),
      Issue(id: "t-2", kind: .testFailure, status: .silenced, message: "Rounds", test: id("Till", "rounds(_:)")),
      Issue(id: "h-1", kind: .timeOut, message: "The test took longer than it may.", test: id("Till", "waits()")),
      Issue(
        id: "w-1", kind: .warning, message: "'old()' is deprecated", location: place("Sources/Shop/Till.swift", 4, 9)),
      Issue(id: "w-0", kind: .warning, status: .resolved, message: "gone"),
    ]
  }

  static var files: [FileCoverage] {
    [
      file(
        "Sources/Shop/Till.swift", "Shop", counts: [3: 2, 4: 2, 5: 0, 7: 0, 9: UInt64.max], partial: [4],
        functions: [("Till.add(_:)", 3, 2), ("Till.add(_:)", 7, 0), ("Till.count, in a map", 9, UInt64.max)]),
      file("Sources/Shop/Größe.swift", "Shop", counts: [1: 12_000_000_000], partial: [], functions: []),
      file("Sources/till/main.swift", "till", counts: [1: 0], partial: [], functions: [("main", 1, 0)]),
    ]
  }

  static func file(
    _ path: String, _ target: String, counts: [Int: UInt64], partial: Set<Int>,
    functions: [(name: String, line: Int, count: UInt64)]
  ) -> FileCoverage {
    let lines = counts.sorted { $0.key < $1.key }.map { line, count in
      LineCoverage(line: line, count: count, state: count == 0 ? .neverRan : partial.contains(line) ? .partlyRan : .ran)
    }
    let covered = lines.count { $0.count > 0 }
    return FileCoverage(
      path: path, target: target, lines: lines, deadStretches: [],
      functions: functions.map { function in
        let start = SourcePosition(line: function.line, column: 3)
        return FunctionCoverage(
          name: function.name, symbol: "$s", count: function.count,
          regions: [CoverageRegion(start: start, end: start, count: function.count)])
      },
      totals: CoverageTotals(
        lines: LineTally(total: lines.count, covered: covered, partial: partial.count),
        regions: Tally(total: lines.count + 1, covered: covered), functions: Tally(total: functions.count, covered: 0)),
      llvmLines: Tally(total: lines.count, covered: covered))
  }

  /// What a format tells of the sample with other changes.
  static func text(of changes: CoverageChanges, as format: ExportFormat) throws -> String {
    var integration = integration
    integration.changes = changes
    return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: format)
  }
}
