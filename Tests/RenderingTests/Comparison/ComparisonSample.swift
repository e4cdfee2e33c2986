import Comparing
import FoundationEssentials
import Model
import Rendering

/// Greeter 41, which was green, beside Greeter 42, with another toolchain and three commits between them.
enum ComparisonSample {
  static var comparison: IntegrationComparison {
    IntegrationComparison(
      from: IntegrationRecord(before), to: IntegrationRecord(after), coverage: .known(lines),
      files: { path in after.coverage.coverage?.files.first { $0.path == path } },
      earlier: Array(repeating: TestVerdicts(IntegrationRecord(before)), count: 5), commits: commits)
  }

  /// Greeter 42 with the page that compares it.
  static var report: Report {
    var report = GreeterSample.red
    report.integration = after
    report.comparison = comparison
    return report
  }

  private static var after: Integration {
    var integration = GreeterSample.red.integration
    integration.circumstances = [Circumstance("system", "Debian 12"), Circumstance("tests.retries", "1")]
    measure([[0.002, 0.0021], [0.3], [640]], in: &integration.tests)
    return integration
  }

  private static var before: Integration {
    var integration = GreeterSample.green.integration
    integration.number = 41
    integration.commit.id = CommitID(rawValue: "ae391340c5d6e7f8091a2b3c4d5e6f708192a3b4")
    integration.commit.summary = "Answer <every> doorbell"
    integration.toolchain = "Swift version 6.3.0 (swift-6.3-RELEASE)"
    integration.circumstances = [Circumstance("system", "Debian 12")]
    var tests = GreeterTests.passing
    tests[0].state = .failed
    tests[0].failures = [TestFailure(location: nil, message: "it rang twice")]
    tests[1].duration = 0.9
    tests.append(
      TestResult(id: GreeterTests.id("GreeterTests", "Old", "isGone()"), library: .swiftTesting, state: .passed))
    integration.tests = TestReport(results: tests, runs: GreeterTests.runs)
    measure([[0.001, 0.0011], [0.31], []], in: &integration.tests)
    integration.coverage = GreeterSample.coverage(uncovered: [20, 14, 2, 5, 0])
    integration.issues = [
      Issue(id: "w-0001", kind: .warning, message: "an old warning", location: .init(file: "A.swift", line: 3)),
      Issue(id: "s-0a11", kind: .serviceWarning, message: "Memory of the tests is not limited"),
    ]
    return integration
  }

  /// Gives values to a test that is in both: two times and something else.
  private static func measure(_ values: [[Double]], in tests: inout TestReport) {
    let id = GreeterTests.passing[1].id
    guard let index = tests.results.firstIndex(where: { $0.id == id }) else { return }
    let metrics = [("Time", "seconds"), ("<CPU> Time", "s"), ("Memory Peak Physical", "kB")]
    tests.results[index].measurements = zip(metrics, values).filter { !$1.isEmpty }.map { metric, values in
      TestMeasurement(metric: metric.0, unit: metric.1, values: values)
    }
  }

  private static var lines: CoverageComparison {
    var file = FileComparison(path: "Sources/Doorbell/Doorbell.swift")
    file.totalsBefore = CoverageTotals()
    file.lines = [
      FileComparison.Line(line: 3, category: .lost), FileComparison.Line(line: 4, category: .newNeverRan),
      FileComparison.Line(line: 5, category: .stillRan), FileComparison.Line(line: 6, category: .gained),
    ]
    return CoverageComparison(
      baseline: 41, before: CoverageTotals(), files: [file],
      unmapped: [UnmappedFile(path: "Sources/Huge.swift", obstacle: .content)])
  }

  private static var commits: CommitsBetween {
    let changes = GreeterSample.commits(after: GreeterSample.integration().commit).enumerated().map { index, commit in
      CommitChange(
        id: commit.id, author: commit.author, date: commit.date,
        message: index == 0 ? "\(commit.summary)\n\nOnce is not enough\nfor <some> guests.\n" : commit.summary,
        files: (0..<(index == 1 ? 9 : 1)).map { number in
          CommitChange.File(
            path: "Sources/Doorbell/File\(number).swift", oldPath: number == 2 ? "Sources/Old.swift" : nil,
            status: number == 2 ? .renamed : number == 1 ? .added : .modified, added: 3, removed: number)
        }, filesLeft: index == 1 ? 4 : 0)
    }
    return CommitsBetween(.forward, added: changes, limit: 50)
  }
}
