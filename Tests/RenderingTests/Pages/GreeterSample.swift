import FoundationEssentials
import Model

/// The story of Greeter 42: four red tests of 39, against the green 41.
enum GreeterSample {
  static let start = Date(timeIntervalSince1970: 1_795_162_325)

  static func integration(number: Int = 42) -> Integration {
    let mira = Commit(
      id: CommitID(rawValue: "2dbc891e64b2f0c4d7a9e3f15b8862a0d9c41f77"),
      summary: "Let a doorbell be answered more than once", author: "mira", date: start.addingTimeInterval(-60))
    var integration = Integration(
      bot: "Greeter", number: number, repository: "/srv/git/Greeter.git", branch: "main", commit: mira, cause: .commit,
      toolchain: "Swift version 6.3.1 (swift-6.3.1-RELEASE)", configuration: "debug", sandbox: "bubblewrap",
      queuedAt: start.addingTimeInterval(-1), repeatCommand: "martlet run /srv/git/Greeter.git --commit 2dbc891")
    integration.startedAt = start
    integration.endedAt = start.addingTimeInterval(48.8)
    return integration
  }

  static func commits(after first: Commit) -> [Commit] {
    [
      first,
      Commit(
        id: CommitID(rawValue: "5fe1586a0b7c4d2e9f8a6b1c3d5e7f9012345678"),
        summary: "Keep the parts of the day in one table, add quiet hours", author: "mira",
        date: start.addingTimeInterval(-600)),
      Commit(
        id: CommitID(rawValue: "0352b3e77c1d4f60a2b8e5d9c3f1a7b604e2d8c9"),
        summary: "Pick the nearest language in one pass", author: "jon", date: start.addingTimeInterval(-1860)),
    ]
  }

  /// Four red tests, one flaky, one known issue, one skipped, a warning, coverage with gaps.
  static var red: Report {
    var integration = integration()
    integration.commits = commits(after: integration.commit)
    integration.outcome = .testFailures
    integration.reasons = [
      .stopped("2 tests failed, 1 crashed and 1 timed out."), .stopped("1 test passed only at its second attempt."),
    ]
    integration.steps = steps
    integration.diagnostics = [
      Diagnostic(
        severity: .warning, message: "initialization of immutable value 'unused' was never used",
        location: SourceLocation(file: "Tests/DoorbellTests/DoorbellTests.swift", line: 23, column: 13))
    ]
    integration.tests = TestReport(results: GreeterTests.all, filteredOut: 0, runs: GreeterTests.runs)
    integration.coverage = coverage(uncovered: [20, 14, 4, 5, 1])
    integration.issues = issues
    integration.baseline = baseline
    integration.baseline?.issues = issues.filter { $0.status != .new }.map { issue in
      var issue = issue
      if issue.status == .resolved { issue.status = .unresolved }
      return issue
    }
    return Report(
      integration: integration, logs: [GreeterLogs.building, GreeterLogs.testing], sources: GreeterSources.all)
  }

  /// Everything passed.
  static var green: Report {
    var integration = integration(number: 43)
    integration.outcome = .succeeded
    integration.endedAt = start.addingTimeInterval(14.1)
    integration.steps = [
      StepRecord(name: .checkout, duration: 0.3, exitStatus: nil, cpu: 0.1, peakMemory: 21_000_000),
      StepRecord(name: .building, duration: 9.6, exitStatus: 0, cpu: 16.9, peakMemory: 612_000_000, warm: true),
      StepRecord(name: .testing, duration: 3.1, exitStatus: 0, cpu: 4, peakMemory: 71_000_000),
      StepRecord(name: .processing, duration: 1.1, exitStatus: 0, cpu: 1.3, peakMemory: 86_000_000),
    ]
    integration.tests = TestReport(
      results: GreeterTests.passing, filteredOut: 3,
      runs: [
        LibraryRun(library: .xctest, source: "observer", sawTerminalRecord: true, exitStatus: 0),
        LibraryRun(library: .swiftTesting, source: "event-stream", sawTerminalRecord: true, exitStatus: 0),
      ])
    integration.coverage = coverage(uncovered: [0, 0, 0, 0, 0])
    integration.baseline = baseline
    return Report(integration: integration, logs: [GreeterLogs.testing], sources: GreeterSources.all)
  }

  static let steps = [
    StepRecord(name: .checkout, duration: 0.4, cpu: 0.1, peakMemory: 21_000_000),
    StepRecord(name: .resolving, duration: 0.1, exitStatus: 0, cpu: 0.1, peakMemory: 38_000_000),
    StepRecord(name: .building, duration: 9.6, exitStatus: 0, cpu: 16.9, peakMemory: 612_000_000, warm: true),
    StepRecord(name: .testing, duration: 36.4, exitStatus: 1, cpu: 5.8, peakMemory: 74_000_000),
    StepRecord(name: .processing, duration: 1.3, exitStatus: 0, cpu: 1.4, peakMemory: 88_000_000),
  ]

  static func coverage(uncovered: [Int]) -> CoverageReport {
    let files: [(path: String, target: String, total: Int, partial: Int)] = [
      ("Sources/greet/Options.swift", "greet", 24, 0), ("Sources/greet/Greet.swift", "greet", 14, 0),
      ("Sources/Doorbell/Doorbell.swift", "Doorbell", 47, 6), ("Sources/Greeter/Greeter.swift", "Greeter", 61, 8),
      ("Sources/Greeter/Phrases/Phrasebook.swift", "Greeter", 59, 3),
    ]
    let covered = zip(files, uncovered).map { file, uncovered in
      FileCoverage(
        path: file.path, target: file.target, lines: [], deadStretches: [], functions: [],
        totals: CoverageTotals(
          lines: LineTally(total: file.total, covered: file.total - uncovered, partial: min(file.partial, uncovered)),
          regions: Tally(total: 30, covered: 30 - min(uncovered, 12)),
          functions: Tally(total: 13, covered: 13 - min(uncovered, 4))),
        llvmLines: Tally(total: file.total, covered: file.total - uncovered))
    }
    return .available(Coverage(files: covered, profilesRead: 5))
  }

  static var baseline: Baseline {
    var states = Dictionary(uniqueKeysWithValues: GreeterTests.passing.map { ($0.id, TestState.passed) })
    states[TestID(module: "GreeterTests", suite: "GreetingTests", name: "test_greeting_inFrench_needsPhrasebook")] =
      .skipped
    states[TestID(module: "DoorbellTests", suite: "DoorbellTests", name: "answeredBeforeWaiting()")] = .timedOut
    var counts = TestCounts()
    counts.passed = 33
    counts.timedOut = 1
    counts.skipped = 1
    counts.expectedFailures = 1
    let totals = CoverageTotals(
      lines: LineTally(total: 185, covered: 147, partial: 16), regions: Tally(total: 150, covered: 104),
      functions: Tally(total: 65, covered: 49))
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: "ae391340c5d6e7f8091a2b3c4d5e6f708192a3b4"), outcome: .succeeded,
      tests: counts, totals: totals,
      files: [
        "Sources/Doorbell/Doorbell.swift": CoverageTotals(lines: LineTally(total: 45, covered: 43, partial: 6)),
        "Sources/Greeter/Phrases/Phrasebook.swift": CoverageTotals(
          lines: LineTally(total: 50, covered: 50, partial: 2)),
      ],
      duration: 28.2, warnings: 0, states: states)
    baseline.targets = [
      "Sources/Doorbell/Doorbell.swift": "Doorbell", "Sources/Greeter/Phrases/Phrasebook.swift": "Greeter",
    ]
    baseline.isWarm = true
    baseline.stepDurations = [.checkout: 0.1, .building: 8.1, .testing: 3.2, .processing: 0.4]
    return baseline
  }

  static var issues: [Issue] {
    func test(_ name: String) -> TestID? { GreeterTests.all.first { $0.id.name == name }?.id }
    let noon = SourceLocation(file: "Tests/GreeterTests/GreetingTests.swift", line: 20)
    return [
      Issue(
        id: "t-4c81", kind: .testFailure, message: "XCTAssertEqual failed", location: noon,
        test: test("test_greeting_atNoon_isAfternoon")),
      Issue(
        id: "t-a07e", kind: .testFailure, message: "Expectation failed for hour → 12",
        location: SourceLocation(file: "Tests/GreeterTests/PartOfDayTests.swift", line: 21),
        test: test("firstHour(hour:part:)")),
      Issue(
        id: "c-19d2", kind: .crash, message: "Fatal error: Index out of range",
        location: SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 14),
        test: test("unknownLanguageHasNone()")),
      Issue(
        id: "h-6b30", kind: .timeOut, status: .unresolved, message: "no output for 30 s", age: 5,
        test: test("answeredBeforeWaiting()")),
      Issue(
        id: "w-e5f4", kind: .warning, message: "initialization of immutable value 'unused' was never used",
        location: SourceLocation(file: "Tests/DoorbellTests/DoorbellTests.swift", line: 23, column: 13)),
      Issue(
        id: "s-0a11", kind: .serviceWarning, status: .unresolved,
        message: "Memory of the tests is not limited: this user has no cgroup of its own.", age: 6),
      Issue(
        id: "s-3c9b", kind: .serviceWarning, status: .resolved,
        message: "Toolchain check took 12 s: the signing key server did not answer.", age: 2),
      Issue(
        id: "t-77aa", kind: .testFailure, status: .silenced, message: "the echo is heard twice", age: 9,
        test: TestID(module: "DoorbellTests", suite: "EchoTests", name: "echoesAtNight()")),
    ]
  }
}
