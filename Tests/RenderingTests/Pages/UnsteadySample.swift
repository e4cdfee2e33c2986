@testable import Model

@testable import Rendering

/// An integration without a red test that is not to be relied on: flaky, order-dependent, with files and figures.
enum UnsteadySample {
  /// The checksums in the names of two pages.
  static let echo = String(ReportPaths.slug(of: "DoorbellTests.EchoTests/echoFadesInTime()").suffix(8))
  static let fast = String(ReportPaths.slug(of: measuring.id.description).suffix(8))
  static let poster = String(ReportPaths.slug(of: "GreeterTests.PosterTests/drawsPoster()").suffix(8))

  static var report: Report {
    var report = GreeterSample.green
    report.integration.outcome = .warnings
    report.integration.reasons = [.testWarnings(1), .testsFlaky(["An echo comes back"]), .orderDependent(1)]
    report.integration.tests = TestReport(
      results: [flaky, dependent, attaching, measuring], runs: report.integration.tests.runs)
    report.integration.trends = [measuring.id: trends]
    report.integration.practice = PracticeCard(
      hints: [
        PracticeHint(
          .measurements, .attention, "1 of 2 measured values is slower than in 40 by more than the usual variation.",
          entries: trends.map { PracticeHint.Entry(test: measuring.id, words: MeasurementWords.entry($0)) })
      ])
    report.integration.baseline?.findings = found
    report.integration.tests.isolation = IsolationReport(
      ran: 4, left: 2,
      differing: [.init(id: dependent.id, together: .passed, alone: .failed, message: "nobody prepared")])
    report.integration.tests.neverRun = [
      NeverRunMethod(
        target: "GreeterTests", name: "GreetingTests/test_dawn", cause: .isPrivate,
        location: SourceLocation(file: GreeterTests.noonFile, line: 40)),
      NeverRunMethod(
        target: "GreeterTests", name: "GreetingTests/test_dusk", cause: .hasParameters,
        location: SourceLocation(file: GreeterTests.noonFile, line: 44)),
    ]
    return report
  }

  /// What the baseline found.
  private static var found: BaselineFindings {
    var found = BaselineFindings()
    found.testWarnings = 0
    found.orderDependent = 3
    found.neverRun = 1
    found.durations = [:]
    return found
  }

  private static var flaky: TestResult {
    let message = "Expectation failed: (echo.count → 2) == 1"
    return TestResult(
      id: GreeterTests.id("DoorbellTests", "EchoTests", "echoFadesInTime()"), library: .swiftTesting, state: .passed,
      duration: 0.021, location: SourceLocation(file: "Tests/DoorbellTests/EchoTests.swift", line: 9), isFlaky: true,
      failures: [
        TestFailure(
          location: SourceLocation(file: "Tests/DoorbellTests/EchoTests.swift", line: 12), message: message,
          parsed: ParsedFailure(
            assertion: "#expect", first: "2", second: "1", relation: "==", expression: "echo.count == 1"))
      ],
      attempts: [
        TestAttempt(state: .failed, duration: 0.612, message: message), TestAttempt(state: .passed, duration: 0.021),
      ])
  }

  private static var dependent: TestResult {
    var result = TestResult(
      id: GreeterTests.id("GreeterTests", "GreetingTests", "test_usesPhrasebook"), library: .xctest, state: .passed,
      duration: 0.004, location: SourceLocation(file: GreeterTests.noonFile, line: 30))
    result.alone = TestAttempt(state: .failed, duration: 0.003, message: "XCTAssertTrue failed - nobody prepared")
    return result
  }

  private static var attaching: TestResult {
    var result = TestResult(
      id: GreeterTests.id("GreeterTests", "PosterTests", "drawsPoster()"), library: .swiftTesting, state: .passed,
      duration: 0.08, displayName: "A poster has the greeting", tags: [".slow"])
    result.timeLimit = 60
    result.bugs = [TestBug(url: "javascript:alert(1)", id: "17", title: "Posters are <blank>")]
    result.warnings = [TestFailure(location: nil, message: "The font was replaced by another.")]
    result.attachments = [
      TestAttachment(
        name: "poster <1>.png", path: "attachments/GreeterTests-PosterTests-drawsPoster/poster-1-.png",
        byteCount: 81_204, picture: .png),
      TestAttachment(
        name: "poster.html", path: "attachments/GreeterTests-PosterTests-drawsPoster/poster.html.bin", byteCount: 5120,
        caseName: "\"Ada\""),
      TestAttachment(name: "../.ssh/id_rsa", problem: "Not kept: it is a link, or behind one."),
    ]
    return result
  }

  /// Five integrations before, of which two have no figure, one had another toolchain and one is of another branch.
  private static var trends: [MeasurementTrend] {
    func point(_ number: Int, _ average: Double?, _ gap: MeasurementTrend.Gap? = nil) -> MeasurementTrend.Point {
      MeasurementTrend.Point(
        number: number, commit: CommitID(rawValue: String(repeating: "\(number % 10)", count: 40)), branch: "main",
        figure: average.map {
          MeasuredFigure(metric: "Time", unit: "seconds", average: $0, deviation: 0.08, repetitions: 10)
        }, gap: gap)
    }
    var points = [
      point(43, nil), point(42, nil, .outcome(.buildErrors)), point(41, nil, .removed), point(40, 0.000_07),
      point(39, 0.000_066), point(38, 0.000_11),
    ]
    points[0].figure = MeasuredFigure(measuring.measurements[0])
    points[4].differing = ["toolchain", "<environment.X>"]
    points[5].branch = "topic/<fast>"
    let memory = MeasurementTrend.Point(
      number: 43, commit: points[0].commit, branch: "main", figure: MeasuredFigure(measuring.measurements[1]))
    return [
      MeasurementTrend(metric: "Time", unit: "seconds", points: points),
      MeasurementTrend(metric: "Memory", unit: "kB", points: [memory]),
    ]
  }

  private static var measuring: TestResult {
    var result = TestResult(
      id: GreeterTests.id("GreeterTests", "GreetingTests", "test_greeting_isFast"), library: .xctest, state: .passed,
      duration: 0.2)
    result.measurements = [
      TestMeasurement(metric: "Time", unit: "seconds", values: [0.000_12, 0.000_08, 0.000_1]),
      TestMeasurement(metric: "Memory", unit: "kB", values: [512]),
    ]
    return result
  }
}
