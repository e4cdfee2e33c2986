import Testing

@testable import Model
@testable import Rendering

@Suite("The words for flaky tests")
struct FlakyWordsTests {
  private func history(_ runs: [(branch: String?, verdict: TestVerdicts.Verdict)]) -> TestHistory {
    TestHistory(
      runs.enumerated().map { index, run in
        TestHistory.Moment(
          number: runs.count - index, commit: CommitID(rawValue: "\(index)"), branch: run.branch, toolchain: "t",
          verdict: run.verdict)
      })
  }

  private let flaky = TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: true)
  private let passed = TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: false)

  @Test("How often a test failed, and how often it is likely to")
  func rate() {
    let history = history([("main", flaky), ("main", passed), ("main", passed), ("main", passed)])
    #expect(FlakyWords.rate(history) == "failed in 1 of 4 integrations")
    #expect(FlakyWords.share(history) == "1 of 4")
    #expect(FlakyWords.interval(FailureRate(failures: 3, runs: 20)) == "likely 5–36%")
    #expect(
      FlakyWords.interval(FailureRate(failures: 3, runs: 19)) == nil, "Few runs leave nearly every rate possible.")
  }

  @Test(
    "A failed expectation stands on one line, with its author's text",
    arguments: [
      ("Expectation failed: 1 == 2", "1 ≠ 2"), ("Expectation failed: 1 == 2\nlate", "1 ≠ 2 · late"),
      ("Expectation failed: 1 == 2\na\nb", "1 == 2 …"), ("XCTAssertTrue failed - ", "XCTAssertTrue failed"),
      ("Expectation failed: (a → \"x\") == \"y\"", "\"x\" ≠ \"y\""),
      ("Expectation failed: (a → false) || (b → false)", "(a → false) || (b → false)"),
      (
        "Confirmation was confirmed 1 time, but expected to be confirmed 2 time(s)",
        "Confirmation was confirmed 1 time, but expected to be confirmed 2 time(s)"
      ),
      ("Expectation failed: ", "Expectation failed: "),
      ("Crashed: index\n\n", "Crashed: index"),
    ])
  func brief(message: String, words: String) {
    #expect(FailureLine.brief(of: message) == words)
  }
}
