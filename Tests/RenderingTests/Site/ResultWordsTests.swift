import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("How an integration ended, in a row")
struct ResultWordsTests {
  private func result(_ name: String, _ state: TestState, isFlaky: Bool = false) -> TestResult {
    TestResult(
      id: TestID(module: "MillTests", suite: "WheelTests", name: name), library: .swiftTesting, state: state,
      isFlaky: isFlaky)
  }

  private func line(
    _ outcome: Outcome, _ reasons: [OutcomeReason], _ results: [TestResult] = [], issues: [Model.Issue] = []
  ) -> HistoryLine {
    var integration = OtherSamples.buildErrors.integration
    integration.outcome = outcome
    integration.reasons = reasons
    integration.tests = TestReport(results: results)
    integration.issues = issues
    return HistoryLine(of: IntegrationRecord(integration))
  }

  private let gate = OutcomeReason.gateFailed(GateResult(rule: "patch=80", state: .failed, sentence: "Not enough."))

  @Test("Red and flaky tests and failed gates are named")
  func names() {
    let line = line(
      .testFailures, [.testsRed(failed: 2, crashed: 1, timedOut: 0), gate, .testsFlaky(["turns()"])],
      [
        result("grinds()", .failed), result("rests()", .failed), result("stops()", .crashed),
        result("turns()", .passed, isFlaky: true),
      ])
    #expect(
      line.resultWords == "grinds() and 1 more failed; stops() crashed; 80% patch gate failed; turns() flaky")
  }

  @Test("A build that failed has its first error")
  func errors() {
    let errors = ["cannot find 'x' in scope", "cannot find 'y' in scope"].map {
      Model.Issue(id: $0, kind: .error, status: .new, message: $0)
    }
    let line = line(.buildErrors, [.buildFailed(.package, errors: 2)], issues: errors)
    #expect(line.resultWords == "cannot find 'x' in scope and 1 more")
  }

  @Test("Uncovered lines of one that is incomplete have no change: tests that did not run may have run them")
  func uncovered() {
    func change(_ outcome: Outcome) -> String? {
      SiteSample.entry(2, outcome) { $0.uncoveredChange = 3 }.uncoveredDelta?.text
    }
    #expect(change(.succeeded) == "+3" && change(.testFailures) == "+3")
    #expect(change(.incomplete) == nil)
  }

  @Test("One that is incomplete has the first reason, and the gates that failed; its tests are counted beside it")
  func incomplete() {
    let first = OutcomeReason.gap(.contradiction("rests() called exit(0) at A.swift:4."))
    let line = line(.incomplete, [first, .testsNotRun(1, listed: 2), gate], [result("rests()", .notRun)])
    #expect(line.resultWords == "rests() called exit(0) at A.swift:4; 80% patch gate failed")
  }

  @Test("What was written before names were kept has its reasons")
  func older() {
    var line = line(
      .testFailures, [.testsRed(failed: 1, crashed: 0, timedOut: 0)], [result("grinds()", .failed)])
    #expect(line.resultWords == "grinds() failed")
    line.culprits = nil
    #expect(line.resultWords == "1 test failed")
    #expect(self.line(.succeeded, []).resultWords == "Succeeded")
    let named = OutcomeReason.inDestinations(["release"], .testsRed(failed: 1, crashed: 0, timedOut: 0))
    #expect(self.line(.testFailures, [named], [result("grinds()", .failed)]).resultWords == "release: 1 test failed")
  }

  @Test("Its glyph is that of its only kind of red or flaky test, as in its report")
  func glyph() {
    let crashed = [OutcomeReason.testsRed(failed: 0, crashed: 1, timedOut: 0)]
    #expect(line(.testFailures, crashed, [result("stops()", .crashed)]).glyph == "crashed")
    #expect(line(.testFailures, crashed + [gate], [result("stops()", .crashed)]).glyph == "failed")
    let late = [OutcomeReason.testsRed(failed: 0, crashed: 0, timedOut: 1)]
    #expect(line(.testFailures, late, [result("waits()", .timedOut)]).glyph == "timed-out")
    let flaky = [result("turns()", .passed, isFlaky: true)]
    #expect(line(.warnings, [.testsFlaky(["turns()"])], flaky).glyph == "flaky")
    #expect(line(.warnings, [.compilerWarnings(1), .testsFlaky(["turns()"])], flaky).glyph == "warning")
  }
}
