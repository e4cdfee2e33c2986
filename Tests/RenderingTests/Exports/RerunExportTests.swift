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
    return JUnitExport.text(IntegrationDocument(integration))
  }

  @Test("A flaky test passes, with an element for each attempt that did not")
  func flaky() {
    let text = junit([(.failed, "one <1>\ntwo"), (.crashed, nil), (.passed, nil)])
    #expect(text.contains(#"<flakyFailure message="Attempt 1: failed: one &lt;1&gt;" type="failed"/>"#))
    #expect(text.contains(#"<flakyError message="Attempt 2: crashed." type="crashed"/>"#))
    #expect(!text.contains("<failure"))
    #expect(text.contains(#"<property name="flaky" value="true"/>"#))
  }

  @Test("A test that never passes fails once, and its later attempts are reruns")
  func red() {
    let text = junit([(.failed, "one"), (.failed, "two")])
    #expect(text.matches(of: #/<failure /#).count == 1)
    #expect(text.contains(#"<rerunFailure message="Attempt 2: failed: two" type="failed"/>"#))
    #expect(!text.contains("flaky"))
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
    let text = MarkdownExport(IntegrationDocument(integration), lines: nil).text
    #expect(text.contains("### Flaky tests\n\n- `M.S/t()`"))
    #expect(text.contains("unlucky"))
    #expect(text.contains("- Warning of `M.S/t()`"))
  }
}
