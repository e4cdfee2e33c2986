import FoundationEssentials
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
    #expect(FlakyWords.rate(history) == "flaky in 1 of 4 integrations")
    let red = TestVerdicts.Verdict(state: .failed, duration: 1, isFlaky: false)
    let mixed = self.history([("main", red), ("main", passed), ("main", flaky), ("main", flaky)])
    #expect(FlakyWords.rate(mixed) == "red once, flaky 2 times in 4 integrations")
    #expect(FlakyWords.past(mixed)?.text == "flaky in 1 and 2")
    #expect(FlakyWords.failures(mixed)?.text == "flaky in 1 and 2, red in 4")
    #expect(FlakyWords.failures(history) == nil)
    #expect(FlakyWords.past(mixed)?.map(\.number) == [1, 2])
    #expect(FlakyWords.past(self.history([("main", red), ("main", passed)])) == nil)
    #expect(FlakyWords.share(FailureRate(failures: 3, runs: 20)) == "15%, likely 5–36%")
    #expect(
      FlakyWords.share(FailureRate(failures: 3, runs: 19)) == nil, "Few runs leave nearly every rate possible.")
  }

  @Test("Who added a test that is flaky from its first run on is named, unless there were several commits")
  func addition() {
    let test = TestID(module: "M", suite: "S", name: "t()")
    var first = GreeterSample.integration()
    first.number = 1
    first.commits = [first.commit]
    first.tests = TestReport(results: [TestResult(id: test, library: .swiftTesting, state: .passed, isFlaky: true)])
    first.testChanges = TestListChanges(added: [test])
    func addition() -> [IssueWords.Part]? {
      let document = IntegrationRecord(first)
      let cases = FlakyCase.all(of: FlakyTest.all(of: [TestVerdicts(document)]), in: [document])
      return cases[test]?.addition.map { FlakyWords.addition(by: $0.author, in: $0.number) }
    }
    #expect(addition() == [IssueWords.Part(words: "\(first.commit.author) added it in ", number: 1)])
    first.commits.append(first.commit)
    #expect(addition() == nil)
  }

  @Test("A test's page names the integrations in which it was red, as long as they are few")
  func red() {
    let failed = TestVerdicts.Verdict(state: .failed, duration: 1, isFlaky: false)
    func sentences(_ red: Int) -> [String] {
      let ends = [passed] + Array(repeating: failed, count: red) + [passed]
      return TestHistoryWords.sentences(history(ends.map { (branch: Optional("main"), verdict: $0) }), in: ends.count)
        .map(\.text)
    }
    #expect(sentences(2) == ["Red in 2 of 4 integrations: 2 and 3."])
    let last = history([failed, failed, passed].map { (branch: Optional("main"), verdict: $0) })
    #expect(TestHistoryWords.sentences(last, in: 3).map(\.text) == ["Red since 2 (2 commits)."])
    #expect(TestHistoryWords.sentences(last, in: 3, redSince: 2).isEmpty, "The heading says so.")
    let branched = history([("topic", failed), ("topic", failed), ("main", passed)])
    #expect(TestHistoryWords.sentences(branched, in: 3).map(\.text) == ["Red on topic since 2 (2 commits)."])
    #expect(sentences(7) == ["Red in 7 of 9 integrations."])
  }

  @Test("That a test never failed is said of the integrations that ran it, where others are listed")
  func neverFailed() {
    let notRun = TestVerdicts.Verdict(state: .notRun, duration: 0, isFlaky: false)
    func sentences(_ ends: [TestVerdicts.Verdict]) -> [String] {
      TestHistoryWords.sentences(history(ends.map { (branch: Optional("main"), verdict: $0) }), in: ends.count)
        .map(\.text)
    }
    #expect(sentences([passed, passed]) == ["Never failed in 2 integrations."])
    #expect(sentences([notRun, passed, passed]) == ["Never failed in the 2 integrations that ran it."])
  }

  @Test("A test's page names the last integrations in which it was flaky, and says how many more there are")
  func manyFlaky() {
    func first(_ flaky: Int) -> String? {
      let ends = Array(repeating: self.flaky, count: flaky) + [passed]
      return TestHistoryWords.sentences(history(ends.map { (branch: Optional("main"), verdict: $0) }), in: ends.count)
        .first?.text
    }
    #expect(first(6) == "Passed and failed on the same commit in 2, 3, 4, 5, 6 and 7.")
    #expect(FlakyWords.chance(FailureRate(failures: 3, runs: 10)) == "flaky in 3 of 10 integrations")
    #expect(first(8) == "Passed and failed on the same commit in 4, 5, 6, 7, 8, 9 and 2 more.")
  }

  @Test(
    "Lines that only a failed attempt ran are known where nothing else accounts for what runs by chance",
    arguments: [
      (#""byChance": {"GBC": 2}, "flakyTests": ["M.t()"]"#, [8, 9]),
      // Which of them were lost is not kept.
      (#""byChance": {"GBC": 1, "LBC": 1}, "flakyTests": ["M.t()"]"#, []),
      (#""byChance": {"GBC": 2}, "flakyTests": ["M.s()", "M.t()"]"#, []),
      (#""byChance": {"GBC": 2}, "flakyTests": ["M.t()"], "witnesses": [3]"#, []),
    ])
  func onlyFailed(found: String, lines: [Int]) throws {
    let file = #"{"path": "Clock.swift", "lines": {}, "regions": {}, "byChance": [8, 9]}"#
    let changes = try JSONDecoder().decode(
      IntegrationRecord.ChangesSection.self, from: Data(#"{\#(found), "files": [\#(file)], "patch": {}}"#.utf8))
    let known = changes.linesOfFailedAttempt(of: TestID(module: "M", suite: "", name: "t()"))
    #expect(known == lines.map { SourceLocation(file: "Clock.swift", line: $0) })
  }

  @Test(
    "A failed expectation stands on one line, with its author's text",
    arguments: [
      ("Expectation failed: 1 == 2", "1 ≠ 2"), ("Expectation failed: 1 == 2\nlate", "1 ≠ 2 · late"),
      ("Expectation failed: 1 == 2\na\nb", "1 == 2 …"), ("XCTAssertTrue failed - ", "XCTAssertTrue failed"),
      ("Expectation failed: (a → \"x\") == \"y\"", "\"x\" ≠ \"y\""),
      ("XCTAssertEqual failed: (\"1\") is not equal to (\"2\") - ", "1 ≠ 2"),
      ("XCTAssertEqual failed: (\"1\") is not equal to (\"2\") - late", "1 ≠ 2 · late"),
      (
        "XCTUnwrap failed: expected non-nil value of type \"Int\" - not in the cache yet", "not in the cache yet"
      ),
      ("Expectation failed: (a → nil) != nil\nnobody knows", "nobody knows · a != nil: both are nil"),
      (
        "XCTAssertEqual failed: (\"0.1\") is not equal to (\"0.2\") +/- (\"0.01\") - ",
        "XCTAssertEqual failed: (\"0.1\") is not equal to (\"0.2\") +/- (\"0.01\")"
      ),
      ("Expectation failed: (a → false) || (b → false)", "a → false, b → false"),
      (
        "Expectation failed: (a == 1 && !b → false) && (c → <not evaluated>)", "a == 1 && !b → false"
      ), ("Expectation failed: (a → true) && (b → false)", "b → false"),
      (
        "Confirmation was confirmed 1 time, but expected to be confirmed 2 time(s)",
        "Confirmation was confirmed 1 time, but expected to be confirmed 2 time(s)"
      ),
      ("Expectation failed: !(flag → <not evaluated>)", "!(flag)"), ("Expectation failed: ", "Expectation failed: "),
      ("Crashed: index\n\n", "Crashed: index"),
      ("XCTAssertEqual failed: (\"a\n0. Fry\") is not equal to (\"a\n1. Fry\") - ", "… 0. Fry ≠ … 1. Fry"),
      ("XCTAssertEqual failed: (\"a\nb\") is not equal to (\"a\nc\") - late\nagain", "… b ≠ … c · late …"),
    ])
  func brief(message: String, words: String) {
    #expect(FailureLine.brief(of: message) == words)
  }

  @Test(
    "What is said of the runs of a test counts the serial one, which is no attempt",
    arguments: [
      ([], .failed, "failed in 2 of 2 runs"),
      ([], .passed, "failed in 1 of 2 runs"),
      ([TestState.failed, .failed], .failed, "failed in 3 of 3 runs"),
      ([.crashed, .crashed], .crashed, "crashed every time"),
      ([.failed, .failed, .failed], .crashed, "failed in 3 of 4 runs"),
      ([.failed, .passed], .failed, "failed, then passed alone on retry; failed in the serial run"),
      ([.failed, .passed], .passed, "failed, then passed alone on retry"),
      ([.failed, .failed], nil, "failed in 2 of 2 runs"),
      ([.timedOut, .timedOut], nil, "timed out every time"),
    ] as [([TestState], TestState?, String)])
  func attempts(attempts: [TestState], serial: TestState?, words: String) {
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: attempts.last ?? .failed)
    test.attempts = attempts.map { TestAttempt(state: $0, duration: 1) }
    test.serialRun = serial.map { TestAttempt(state: $0, duration: 1) }
    #expect(FlakyWords.attempts(of: test) == words)
  }

  @Test("The runs of a test that ran beside no other are counted, however it ended")
  func counted() {
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "testHeating"), library: .xctest, state: .timedOut, duration: 3)
    test.attempts = [3, 3, 3].map { TestAttempt(state: .timedOut, duration: $0) }
    #expect(FlakyWords.repeated(test) == "Timed out in 3 of 3 runs")
    #expect(HangReport(rule: "longer than 3 s").limit(of: test) == "Longer than 3 s in 3 of 3 runs, 9.0 s in all")
    test.state = .crashed
    test.attempts = [TestAttempt(state: .crashed, duration: 3), TestAttempt(state: .crashed, duration: 3)]
    #expect(FlakyWords.attempts(of: test) == "crashed in 2 of 2 runs")
  }

  @Test("The time of a hang is that of all its runs")
  func hang() {
    var test = TestResult(
      id: TestID(module: "M", suite: "", name: "hang()"), library: .swiftTesting, state: .timedOut, duration: 4)
    test.attempts = [4, 4].map { TestAttempt(state: .timedOut, duration: $0) }
    test.serialRun = TestAttempt(state: .timedOut, duration: 4)
    #expect(
      HangReport(rule: "longer than 4 s").extent(of: test) == " every time, 12.0 s in all")
    #expect(StepWords.timedOut([test]) == "1 test timed out, 12.0 s in all")
  }
}
