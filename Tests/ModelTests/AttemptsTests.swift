@testable import Model
import Testing

@Suite("Attempts of a test on one commit")
struct AttemptsTests {
  private func result(_ state: TestState, _ duration: Double = 1, _ message: String? = nil) -> TestResult {
    TestResult(
      id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: state, duration: duration,
      failures: message.map { [TestFailure(location: nil, message: $0)] } ?? [])
  }

  @Test("A pass after a failure is passed and flaky, with the message of the failure and all attempts")
  func flaky() {
    let result = result(.failed, 3, "once").retried([self.result(.crashed, 2, "twice"), self.result(.passed, 1)])
    #expect(result.state == .passed)
    #expect(result.isFlaky)
    #expect(result.failures.map(\.message) == ["once"])
    #expect(
      result.attempts == [
        TestAttempt(state: .failed, duration: 3, message: "once"),
        TestAttempt(state: .crashed, duration: 2, message: "twice"), TestAttempt(state: .passed, duration: 1),
      ])
  }

  @Test("How a test ended in the serial run is kept of one that was red in an attempt")
  func serial() {
    let (red, green) = (TestAttempt(state: .failed, duration: 1), TestAttempt(state: .passed, duration: 1))
    func serial(_ result: TestResult, _ end: TestResult) -> TestAttempt? {
      var report = TestReport(results: [result])
      report.note([result.id: end])
      return report.results[0].serialRun
    }
    #expect(serial(result(.failed), result(.failed)) == red)
    #expect(serial(result(.failed).retried([result(.passed)]), result(.failed)) == red)
    #expect(serial(result(.failed), result(.passed)) == green)
    #expect(serial(result(.failed), result(.notRun)) == nil, "It was not reached.")
    #expect(serial(result(.passed), result(.failed)) == nil)
  }

  @Test(
    "A run that failed in several ways tells first what all red runs have in common, then a few others, and how many more there are"
  )
  func common() {
    func failed(_ messages: String...) -> TestResult {
      var result = result(.failed)
      result.failures = messages.map { TestFailure(location: nil, message: $0) }
      return result
    }
    let red = failed("b").retried([failed("a", "b"), failed("a", "c", "b")])
    #expect(red.attempts.map(\.message) == ["b", "b", "b"])
    #expect(red.attempts.map(\.others) == [nil, ["a"], ["a", "c"]])
    let many = failed("a", "b", "c", "d", "e", "f").retried([failed("a")]).attempts[0]
    #expect(many.others == ["b", "c", "d"] && many.more == 2)
    #expect(failed("b").retried([failed("a"), failed("a", "b")]).attempts.map(\.message) == ["b", "a", "a"])
    #expect(failed("a", "b").retried([failed("b"), result(.passed)]).attempts.map(\.message) == ["b", "b", nil])
    var report = TestReport(results: [red])
    report.note([red.id: failed("a", "b")])
    #expect(report.results[0].serialRun == TestAttempt(state: .failed, duration: 1, message: "b", others: ["a"]))
  }

  @Test("The runs of a test are the first, the serial one and the attempts after it")
  func runs() {
    var test = result(.failed, 1).retried([result(.failed, 3), result(.passed, 4)])
    test.serialRun = TestAttempt(state: .failed, duration: 2)
    #expect(test.runs.map(\.duration) == [1, 2, 3, 4])
    #expect(result(.passed).runs.map(\.state) == [.passed])
  }

  @Test("A flaky test took as long as its first attempt that came to its own end")
  func flakyDuration() {
    #expect(result(.failed, 3).retried([result(.passed, 1)]).duration == 3)
    #expect(result(.timedOut, 60).retried([result(.failed, 2), result(.passed, 1)]).duration == 2)
    #expect(result(.crashed, 5).retried([result(.passed, 1)]).duration == 1)
  }

  @Test("The cases of a flaky test passed, and keep what they failed on at first, even if they print alike")
  func flakyCases() {
    func cases(_ states: [TestState]) -> [TestArgument] {
      zip(["1", "2", "2"], states).map { display, state in
        TestArgument(
          display: display, state: state,
          failures: state == .failed ? [TestFailure(location: nil, message: "no \(display)")] : [])
      }
    }
    var (first, second, last) = (result(.failed), result(.failed), result(.passed))
    // The first attempt may have ended before all cases ran.
    first.arguments = Array(cases([.passed, .failed, .notRun]).prefix(2))
    second.arguments = cases([.failed, .passed, .passed])
    last.arguments = cases([.passed, .passed, .passed])
    let flaky = first.retried([second, last])
    #expect(flaky.arguments?.map(\.state) == [.passed, .passed, .passed])
    #expect(flaky.arguments?.map { $0.failures.map(\.message) } == [[], ["no 2"], []])
    #expect(first.retried([second]).arguments == first.arguments)
  }

  @Test("A test that never passes keeps the gravest of its results, and is not flaky")
  func red() {
    let result = result(.failed, 3, "once").retried([self.result(.crashed, 2, "twice"), self.result(.failed, 1)])
    #expect(result.state == .crashed)
    #expect(!result.isFlaky)
    #expect(result.failures.map(\.message) == ["twice"])
    #expect(result.attempts.map(\.state) == [.failed, .crashed, .failed])
  }

  @Test(
    "What proves nothing heals nothing",
    arguments: [TestState.skipped, .canceled, .notRun, .expectedFailure])
  func noProof(state: TestState) {
    let result = result(.failed).retried([self.result(state)])
    #expect(result.state == .failed)
    #expect(!result.isFlaky)
    #expect(result.attempts.map(\.state) == [.failed, state])
  }

  @Test("A test that was not run again has no attempts", arguments: [TestState.failed, .passed])
  func once(state: TestState) {
    #expect(result(state).retried([]) == result(state))
  }

  @Test("What a sanitizer found in any attempt is kept; of one that had no time to end, nothing else is")
  func sanitizerReports() {
    func found(_ problem: String) -> SanitizerReport {
      SanitizerReport(sanitizer: "ThreadSanitizer", problem: problem, headline: problem, isFatal: false)
    }
    var (first, cutOff) = (result(.failed, 3, "once"), result(.timedOut, 9, "cut off"))
    first.sanitizerReports = [found("data race")]
    cutOff.sanitizerReports = [found("data race"), found("heap-use-after-free")]
    var expected = first
    expected.sanitizerReports.append(found("heap-use-after-free"))
    #expect(first.retried([], cutOff: cutOff) == expected)
    let crashed = result(.crashed, 2, "twice")
    #expect(first.retried([crashed]).sanitizerReports == first.sanitizerReports)
    let twice = first.retried([crashed], cutOff: cutOff)
    #expect(twice.sanitizerReports.map(\.problem) == ["data race", "heap-use-after-free"])
    #expect(twice.attempts.map(\.state) == [.failed, .crashed])
  }

  @Test("A picture is known by its first bytes, whatever it is called")
  func pictures() {
    #expect(TestAttachment.Picture(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]) == .png)
    #expect(TestAttachment.Picture(of: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(TestAttachment.Picture(of: Array("GIF89a….".utf8)) == .gif)
    #expect(TestAttachment.Picture(of: Array("RIFF\0\0\0\0WEBPVP8 ".utf8)) == .webp)
    for text in ["", "GIF88a", "RIFF\0\0\0\0WAVE", "<svg xmlns='http://www.w3.org/2000/svg'/>", "\u{89}PNG"] {
      #expect(TestAttachment.Picture(of: Array(text.utf8)) == nil, "\(text)")
    }
  }
}
