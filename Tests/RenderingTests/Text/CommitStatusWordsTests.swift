import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The words beside a commit")
struct CommitStatusWordsTests {
  private func words(_ outcome: Outcome, _ change: (inout IntegrationRecord) -> Void = { _ in }) -> String {
    var document = ExportSample.document
    document.outcome = outcome
    document.tests.passed = 12
    for key in [\IntegrationRecord.Tests.failed, \.crashed, \.timedOut, \.notRun, \.flaky, \.skipped, \.canceled] {
      document.tests[keyPath: key] = 0
    }
    document.tests.expectedFailures = 0
    (document.warnings, document.analyzerWarnings, document.onlyGatesFailed) = (0, nil, nil)
    document.issues = []
    document.coverage.changes = nil
    change(&document)
    return Announcement.Matter.finished(outcome).description(document: document)
  }

  private func touch(_ document: inout IntegrationRecord, _ lines: LineTally, since: String = "parent") {
    let text = """
      {"patch": {"since": "\(since)", "lines": {"total": \(lines.total), "covered": \(lines.covered), "partial": 0}}}
      """
    document.coverage.changes = try? JSONDecoder().decode(
      IntegrationRecord.ChangesSection.self, from: Data(text.utf8))
  }

  @Test("Before the end it says how far it is")
  func before() {
    #expect(Announcement.Matter.waiting.description(document: nil) == "Waiting")
    #expect(Announcement.Matter.running.description(document: nil) == "Running")
    #expect(Announcement.Matter.dropped.description(document: nil) == "Not integrated")
    let commit = CommitID(rawValue: "0123456789abcdef0123456789abcdef01234567")
    #expect(
      Announcement.Matter.covered(by: commit).description(document: nil)
        == "Not integrated on its own: part of \(commit.short)")
  }

  @Test("Red tests are counted, with the changed lines that never ran")
  func red() {
    #expect(
      words(.testFailures) {
        $0.tests.failed = 1
        $0.tests.crashed = 1
        touch(&$0, LineTally(total: 7, covered: 2))
      } == "2 red, 5 of 7 changed lines never ran")
    #expect(words(.testFailures) { $0.onlyGatesFailed = true } == "Gate failed")
    #expect(words(.testFailures) == "Test failures")
  }

  @Test("What is well is not said")
  func green() {
    #expect(words(.succeeded) { touch(&$0, LineTally(total: 7, covered: 7)) } == "12 passed")
    #expect(words(.succeeded) { touch(&$0, LineTally(total: 7), since: "nothing") } == "12 passed")
    #expect(words(.succeeded) { $0.tests.passed = 0 } == "Builds")
    #expect(
      words(.warnings) {
        $0.tests.flaky = 1
        $0.warnings = 2
      } == "1 flaky: flaky(), 11 passed, 2 warnings")
  }

  @Test("Without a verdict on the tests it says why")
  func others() {
    #expect(words(.buildErrors) == "Does not build")
    #expect(
      words(.incomplete) { $0.tests.notRun = 3 } == "3 of 15 tests did not run")
    #expect(words(.canceled) == "Canceled")
    #expect(words(.checkoutError) == "Checkout error")
    #expect(Announcement.Matter.finished(.internalError).description(document: nil) == "Internal error")
  }
}
