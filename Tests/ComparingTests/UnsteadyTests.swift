@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Tests that are not to be relied on")
struct UnsteadyTests {
  private let difference = IsolationReport.Difference(id: Finding.test("testA"), together: .passed, alone: .failed)

  private func issues(warnings: [String] = [], isolation: IsolationReport?) -> [Issue] {
    var result = Finding.result("testA", .passed)
    result.warnings = warnings.map { Finding.failure($0) }
    return Finding.named(IssueFinder.issues(diagnostics: [], tests: [result], isolation: isolation))
  }

  @Test("A test that ends otherwise alone is a warning")
  func isolation() {
    let found = issues(isolation: IsolationReport(ran: 1, differing: [difference]))
    #expect(found.map(\.kind) == [.warning])
    #expect(found.first?.message == "The result depends on the other tests: passed with them, failed alone.")
    #expect(found.first?.test == Finding.test("testA"))
    #expect(issues(isolation: IsolationReport(ran: 1, differing: [])).isEmpty)
  }

  @Test("Each warning of a test has a name of its own")
  func names() {
    let found = issues(warnings: ["one", "two"], isolation: nil)
    #expect(found.map(\.message) == ["one", "two"])
    #expect(Set(found.map(\.id)).count == 2)
    #expect(found.map(\.id) == issues(warnings: ["one", "two"], isolation: nil).map(\.id))
  }

  @Test("Only another look at each test alone can tell that it is steady again")
  func resolution() {
    let before = Finding.memory(issues(isolation: IsolationReport(ran: 1, differing: [difference])))
    let statuses = [false, true].map { isolated in
      let reach = IssueReach(
        built: true, tests: [Finding.test("testA"): .passed], listed: true, isolated: isolated)
      return Finding.compare([], with: before, reach: reach).map(\.status)
    }
    #expect(statuses == [[.unresolved], [.resolved]])
  }

  @Test("A warning of a test is gone when the test passes without it, and stays while the test does not pass")
  func warnings() {
    let before = Finding.memory(issues(warnings: ["one"], isolation: nil))
    let statuses = [TestState.passed, .failed, .notRun].map { state in
      let reach = IssueReach(built: true, tests: [Finding.test("testA"): state], listed: true)
      return Finding.compare([], with: before, reach: reach).map(\.status)
    }
    #expect(statuses == [[.resolved], [.unresolved], [.unresolved]])
  }

  @Test("Warnings of tests and order-dependent tests make no success")
  func verdict() {
    var result = Finding.result("testA", .passed)
    result.warnings = [Finding.failure("one")]
    var report = TestReport(results: [result])
    report.isolation = IsolationReport(ran: 1, differing: [difference])
    let verdict = Verdict.of(Verdict.Evidence(built: true, diagnostics: [], tests: report))
    #expect(
      verdict.told
        == ToldVerdict(.warnings, ["1 test recorded a warning.", "1 test ends differently when run alone."]))
  }

  @Test("A red integration tells its flaky tests too")
  func redWithFlaky() {
    let results = [Finding.result("testA", .failed), Finding.result("testB", .passed, isFlaky: true)]
    let verdict = Verdict.of(Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: results)))
    #expect(
      verdict.told == ToldVerdict(.testFailures, ["1 test failed.", "Flaky: testB."]))
  }

  @Test("A test that is red with the others and passes alone has proved at once that it is flaky")
  func bothWays() {
    func isFlaky(_ attempts: TestState...) -> Bool? {
      var result = Finding.result("testA", .failed)
      result.attempts = attempts.map { TestAttempt(state: $0, duration: 1) }
      let verdicts = TestVerdicts(IntegrationRecord(Documents.integration(1, .testFailures, tests: [result])))
      return verdicts.verdicts[result.id]?.isFlaky
    }
    #expect(isFlaky(.failed, .passed, .failed) == true)
    #expect(isFlaky(.failed, .failed, .crashed) == false)
    #expect(isFlaky() == false)
  }
}
