import FoundationEssentials
import Model
import Testing

@testable import Comparing

@Suite("Tests in quarantine")
struct QuarantineTests {
  private static let test = Finding.test("a")
  private let entry = QuarantinedTest(test: test, reason: "known", lastDay: "1970-01-02")
  private let failed = IssueReach(built: true, tests: [test: .failed], listed: true)

  private func compare(
    _ kind: Issue.Kind, of test: TestID = Self.test, at seconds: Double = 0, after memory: IssueMemory? = nil
  ) -> FollowedIssues {
    let silence = Silence(
      entry, until: Date(timeIntervalSince1970: 172_800), since: Date(timeIntervalSince1970: 0), number: 5)
    return Finding.comparison(
      [Issue(id: "", kind: kind, message: "no\nreally", test: test)], with: memory, reach: failed,
      quarantine: [Self.test: silence], now: Date(timeIntervalSince1970: seconds))
  }

  @Test(
    "do not count whatever they are red for, also the first time",
    arguments: [Issue.Kind.testFailure, .crash, .timeOut])
  func holds(kind: Issue.Kind) {
    let issue = compare(kind).issues[0]
    #expect(issue.status == .silenced)
    #expect(issue.silence?.isQuarantine == true)
    #expect(issue.silence?.issue == issue.id)
    #expect(issue.silence?.message == "no")
    #expect(issue.foreignSilence == issue.silence)
  }

  @Test("count for what a sanitizer found, and others count anyway")
  func others() {
    #expect(compare(.sanitizer).issues.map(\.status) == [.unresolved])
    #expect(compare(.warning).issues.map(\.status) == [.unresolved])
    #expect(compare(.testFailure, of: Finding.test("b")).issues.map(\.status) == [.unresolved])
  }

  @Test("count again when their last day is over, which is told")
  func ended() {
    let first = compare(.testFailure)
    let issue = compare(.testFailure, at: 172_800, after: first.memory).issues[0]
    #expect(issue.status.isOpen)
    #expect(issue.silence == nil)
    #expect(issue.endedSilence?.isQuarantine == true)
    #expect(issue.foreignSilence == issue.endedSilence)
  }

  @Test("are not counted as red where two integrations are compared, and are told apart from what went red")
  func compared() {
    func integration(_ number: Int, _ state: TestState, _ other: TestState) -> Integration {
      let test = Documents.test("t", state)
      let issue = Issue(id: "t-1", kind: .testFailure, status: .silenced, message: "no", test: test.id)
      return Documents.integration(
        number, .testFailures, tests: [test, Documents.test("u", other)], issues: state.isRed ? [issue] : [])
    }
    let kept = Documents.comparison(integration(1, .failed, .failed), integration(2, .failed, .passed))
    #expect(kept.count(.red) == CountChange(.red, before: 1, after: 0))
    #expect(kept.tests.fixed.map(\.id.name) == ["u"])
    let broken = Documents.comparison(integration(1, .passed, .passed), integration(2, .failed, .failed)).tests.broken
    #expect(broken.filter(\.isCountingRed).map(\.id.name) == ["u"])
    #expect(broken.map(\.after?.silenced) == [true, nil])
  }

  @Test("do not turn an integration red")
  func verdict() {
    var result = TestResult(id: Self.test, library: .xctest)
    result.state = .failed
    result.failures = [TestFailure(location: nil, message: "no")]
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: [result]))
    #expect(Verdict.of(evidence).outcome == .testFailures)
    var issue = compare(.testFailure).issues[0]
    issue.findings = result.findings
    evidence.silenced = [issue]
    #expect(Verdict.of(evidence).outcome.isGreen)
  }
}
