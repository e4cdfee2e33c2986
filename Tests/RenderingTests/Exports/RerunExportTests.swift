import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Attempts in exports")
struct RerunExportTests {
  private func junit(_ attempts: [(TestState, String?)]) -> String {
    func result(_ state: TestState, _ message: String?) -> TestResult {
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: state, duration: 0.5,
        failures: message.map { [TestFailure(location: nil, message: $0)] } ?? [])
    }
    let results = attempts.map { result($0.0, $0.1) }
    var test = results[0].retried(Array(results.dropFirst()))
    test.attachments = [TestAttachment(name: "a.png", path: "attachments/M-S-t/a.png")]
    var integration = ExportSample.integration
    integration.tests = TestReport(results: [test])
    return JUnitExport.text(IntegrationRecord(integration))
  }

  @Test("A flaky test passes, with an element for each attempt that did not")
  func flaky() {
    let text = junit([(.failed, "one <1>\ntwo"), (.crashed, nil), (.passed, nil)])
    #expect(text.contains(#"<flakyFailure message="Attempt 1: failed: one &lt;1&gt;" type="failed"/>"#))
    #expect(text.contains(#"<flakyError message="Attempt 2: crashed." type="crashed"/>"#))
    #expect(!text.contains("<failure"))
    #expect(text.contains(#"<property name="flaky" value="true"/>"#))
  }

  @Test("The cases of a flaky test pass, beside an element of the test for its attempts")
  func flakyCases() {
    let failure = TestFailure(location: nil, message: "no")
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t(_:)"), library: .swiftTesting, state: .failed, failures: [failure],
      arguments: ["1", "3"].map { TestArgument(display: $0, state: .failed, failures: [failure]) })
    var again = test
    (again.state, again.failures) = (.passed, [])
    again.arguments = ["1", "3"].map { TestArgument(display: $0, state: .passed) }
    test = test.retried([again])
    var integration = ExportSample.integration
    (integration.outcome, integration.issues) = (.warnings, [])
    integration.tests = TestReport(results: [test])
    let text = JUnitExport.text(IntegrationRecord(integration))
    #expect(text.contains(#"tests="3" failures="0" errors="0" skipped="0""#))
    #expect(text.matches(of: #/<flakyFailure message="Attempt 1: failed: no"/#).count == 1)
    #expect(!text.contains("<failure"))
  }

  @Test("A test that never passes fails once, and its later attempts are reruns")
  func red() {
    let text = junit([(.failed, "one"), (.failed, "two")])
    #expect(text.matches(of: #/<failure /#).count == 1)
    #expect(text.contains(#"<rerunFailure message="Attempt 2: failed: two" type="failed"/>"#))
    #expect(!text.contains("flaky"))
  }

  @Test("A test that fails and then crashes has its crash as the result, once, and its failure as a rerun")
  func graverRerun() {
    let text = junit([(.failed, "one"), (.crashed, "two")])
    #expect(text.matches(of: #/<error message="two" type="crashed">/#).count == 1)
    #expect(text.contains(#"<rerunFailure message="Attempt 1: failed: one" type="failed"/>"#))
    #expect(!text.contains("Attempt 2"))
  }

  @Test("Attachments are told as CI servers look for them")
  func attachments() {
    #expect(junit([(.passed, nil)]).contains("[[ATTACHMENT|attachments/M-S-t/a.png]]"))
  }

  @Test("The summary for people lists flaky tests with what they failed on")
  func markdown() {
    var integration = ExportSample.integration
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: .failed,
      failures: [TestFailure(location: nil, message: "unlucky")])
    test = test.retried([TestResult(id: test.id, library: .swiftTesting, state: .passed)])
    integration.tests = TestReport(results: [test])
    integration.issues = [
      Model.Issue(id: "w-9", kind: .warning, message: "The result depends on the other tests.", test: test.id)
    ]
    let text = MarkdownExport(IntegrationRecord(integration), lines: nil).text
    #expect(text.contains("### Flaky tests\n\n- `M.S/t()`"))
    #expect(text.contains("unlucky"))
    #expect(text.contains("| Flaky | 1 |") && !text.contains("| Passed |"))
    #expect(text.contains("- Warning of `M.S/t()`"))
  }

  private func silenced(_ test: TestResult, by kinds: [Model.Issue.Kind]) -> String {
    JUnitExport.text(IntegrationRecord(integration(of: [test], test, silencedBy: kinds)))
  }

  private func integration(
    of tests: [TestResult], _ test: TestResult, silencedBy kinds: [Model.Issue.Kind], isQuarantine: Bool = false
  ) -> Integration {
    var integration = ExportSample.integration
    integration.outcome = .succeeded
    integration.tests = TestReport(results: tests)
    integration.issues = kinds.map { kind in
      var issue = Model.Issue(id: "t-1", kind: kind, status: .silenced, message: "no", test: test.id)
      issue.silence = Silence(
        issue: "t-1", scope: .ever, reason: "known <bug>", author: "Mira", since: Date(timeIntervalSince1970: 0),
        number: 3, message: "no")
      if isQuarantine {
        let entry = QuarantinedTest(test: test.id, reason: "known <bug>", lastDay: "2026-12-24")
        let time = Date(timeIntervalSince1970: 0)
        issue.silence = Silence(entry, until: time, since: time, number: 3)
      }
      return issue
    }
    return integration
  }

  @Test(
    "A silenced failure is no reason in JUnit for what else made it red, nor is that something was silenced an error")
  func silencedBesideGate() {
    let test = TestResult(
      id: TestID(module: "M", suite: "", name: "a()"), library: .swiftTesting, state: .failed)
    var integration = integration(of: [test], test, silencedBy: [.testFailure])
    integration.outcome = .testFailures
    integration.reasons = [
      .gateFailed(GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 lines ran.")), .silenced(1),
    ]
    integration.issues[0].message = "Expectation failed"
    var gate = Model.Issue(id: "g-1", kind: .gate, message: "1 of 2 lines ran.")
    gate.subject = .gate("patch=80")
    integration.issues.append(gate)
    let document = IntegrationRecord(integration)
    let error = JUnitExport.text(document).split(separator: "<error").last ?? ""
    #expect(error.contains("1 of 2 lines ran.") && !error.contains("Expectation failed"))
    let sarif = SARIFExport.text(document)
    #expect(sarif.matches(of: #/"level":\s*"error",\s*"message":\s*\{\s*"text":\s*"1 of 2 lines ran/#).count == 1)
    #expect(sarif.matches(of: #/"level":\s*"warning",\s*"message":\s*\{\s*"text":\s*"1 issue is silenced/#).count == 1)
  }

  @Test("The summary for people says which red tests do not count and why, after those that do")
  func silencedInMarkdown() {
    let tests = ["a()", "b()"].map { name in
      TestResult(id: TestID(module: "M", suite: "", name: name), library: .swiftTesting, state: .failed)
    }
    func text(isQuarantine: Bool) -> String {
      let integration = integration(of: tests, tests[0], silencedBy: [.testFailure], isQuarantine: isQuarantine)
      return MarkdownExport(IntegrationRecord(integration), lines: nil).text
    }
    #expect(
      text(isQuarantine: true).contains(
        "- Failed: `M.b()`\n- Failed: `M.a()`, in quarantine through 24 Dec 2026: “known \\<bug\\>”\n"))
    #expect(
      text(isQuarantine: false).contains("- Failed: `M.a()`, silenced by Mira permanently: “known \\<bug\\>”\n"))
  }

  @Test("A red test that is silenced is skipped, says why, and keeps what it failed on")
  func silencedTest() {
    func result(_ state: TestState, _ message: String) -> TestResult {
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t()"), library: .swiftTesting, state: state, duration: 0.5,
        failures: [TestFailure(location: nil, message: message)])
    }
    let test = result(.failed, "1 < 2").retried([result(.failed, "again")])
    let text = silenced(test, by: [.testFailure])
    let words = "The test is red, and silenced by Mira permanently: “known &lt;bug&gt;”"
    #expect(text.contains(#"<skipped message="\#(words)">\#(words)</skipped>"#))
    #expect(text.contains(#"failures="0" errors="0" skipped="1""#))
    #expect(text.contains(#"<property name="silenced" value="true"/>"#))
    #expect(text.contains("Silenced: failed: 1 &lt; 2\nSilenced: attempt 2: failed: again"))
    #expect(!text.contains("<rerun") && !text.contains("<flaky"))
    for kind in [Model.Issue.Kind.warning, .crash] { #expect(silenced(test, by: [kind]).contains("<failure ")) }
  }

  @Test("The cases of a silenced test are skipped as far as they are red")
  func silencedCases() {
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t(_:)"), library: .swiftTesting, state: .failed,
      failures: [TestFailure(location: nil, message: "no")])
    test.arguments = [
      TestArgument(display: "1", state: .passed), TestArgument(display: "2", state: .failed, failures: test.failures),
    ]
    #expect(silenced(test, by: [.testFailure]).contains(#"tests="2" failures="0" errors="0" skipped="1""#))
  }
}
