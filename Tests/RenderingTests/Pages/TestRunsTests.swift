@testable import Model
import Testing

@testable import Rendering

@Suite("The runs of a test on its page")
struct TestRunsTests {
  private func test(_ attempts: [(TestState, String?)], serial: TestState? = nil) -> TestResult {
    let state = attempts.last?.0 ?? .failed
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: state, duration: 0.006)
    test.attempts = attempts.enumerated().map {
      TestAttempt(state: $1.0, duration: Double($0 + 1) / 1000, message: $1.1)
    }
    test.serialRun = serial.map { TestAttempt(state: $0, duration: 0.004) }
    return test
  }

  private func words(_ attempts: [TestState], serial: TestState? = nil) -> [String] {
    let runs = TestRuns(test(attempts.map { ($0, nil) }, serial: serial))
    return [runs.course, runs.words].compactMap(\.self)
  }

  @Test("Each run says what it was, and how it ended where they ended differently")
  func named() {
    #expect(
      words([.failed, .failed], serial: .failed) == [
        "failed in 3 of 3 runs", "first run 1 ms, serial run 4 ms, retry 2 ms",
      ], "That they all ended alike is said once.")
    #expect(
      words([.failed, .passed], serial: .passed) == [
        "first run failed, 1 ms; serial run passed, 4 ms; retry passed, 2 ms"
      ])
    #expect(words([], serial: .passed) == ["first run failed, 6 ms; serial run passed, 4 ms"])
    #expect(words([]).isEmpty, "It ran once.")
    var hang = test([(.timedOut, nil), (.timedOut, nil)])
    hang.hang = HangReport(rule: "longer than 3 s", kind: .busy)
    #expect(TestRuns(hang).words == nil, "How often it was stopped, and after what time, is told in one sentence.")
  }

  @Test("Waiting for others is no part of the run that the test is told by, as in the list of tests")
  func ownTime() {
    var waiting = test([(.failed, nil), (.failed, nil)])
    waiting.attempts[0].duration = 0.008
    (waiting.duration, waiting.waited) = (0.008, 0.003)
    #expect(TestRuns(waiting).words == "first run 5 ms, retry 2 ms")
  }

  @Test("Retries that ended alike are told together, and what passed runs again only alone")
  func together() {
    #expect(
      words([.failed, .failed, .failed, .passed]) == [
        "first run failed, 1 ms; 2 retries failed, up to 3 ms; retry passed, 4 ms"
      ])
    #expect(
      words([.passed, .failed, .passed]) == [
        "first run passed, 1 ms; run alone failed, 2 ms; run alone passed, 3 ms"
      ])
  }

  @Test("Where messages differ, a table has them instead")
  func table() {
    func row(
      _ name: String, _ time: String, _ message: String, others: [String] = [], more: String? = nil
    ) -> TemplateValue {
      .record([
        "name": .text(name), "glyph": .text("failed"), "word": .text("Failed"), "duration": .text(time),
        "message": .shown(message), "others": .list(others.map { .shown($0) }), "more": .optional(more),
      ])
    }
    func table(_ test: TestResult, _ rows: [TemplateValue]) {
      #expect(TestRuns(test).words == nil)
      #expect(TestRuns(test).table == .record(["rows": .list(rows)]))
    }
    var differing = test([(.failed, "1 ≠ 2"), (.failed, "3 ≠ 4")], serial: .failed)
    table(
      differing,
      [row("First run", "1 ms", "1 ≠ 2"), row("Serial run", "4 ms", ""), row("Retry", "2 ms", "3 ≠ 4")])
    differing.attempts[1] = TestAttempt(state: .failed, duration: 0.002, message: "1 ≠ 2", others: ["5 ≠ 6"], more: 1)
    differing.serialRun?.message = "1 ≠ 2"
    table(
      differing,
      [
        row("First run", "1 ms", "1 ≠ 2"), row("Serial run", "4 ms", "1 ≠ 2"),
        row("Retry", "2 ms", "1 ≠ 2", others: ["5 ≠ 6"], more: "and 1 more"),
      ])
    #expect(TestRuns(test([(.failed, "1 ≠ 2"), (.failed, "1 ≠ 2")])).table == .missing)
  }

  @Test("The history of a flaky test lists its runs, and its page has no time besides theirs")
  func page() throws {
    let site = try PageSite(GreeterSample.red)
    let text = site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("echoFadesInTime") }))
    #expect(text.contains(#"<p class="lead">In 42: first run failed, 612 ms; retry passed, 21 ms.</p>"#))
    #expect(!text.contains("<span>21 ms</span>"))
  }
}
