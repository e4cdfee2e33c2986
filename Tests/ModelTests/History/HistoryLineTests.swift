import FoundationEssentials
import Model
import Testing

/// What is remembered of an integration.
@Suite("What is left of an integration")
struct HistoryLineTests {
  private let test = TestID(module: "ShopTests", suite: "CartTests", name: "a")

  private func integration(_ outcome: Outcome, steps: [Step] = []) -> Integration {
    var integration = Integration(
      bot: "Shop", number: 5, repository: "Shop", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Begin", author: "Mira",
        date: Date(timeIntervalSince1970: 1_000)),
      cause: .person, toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 2_000), repeatCommand: "martlet run Shop")
    integration.outcome = outcome
    integration.steps = steps.map { StepRecord(name: $0, duration: 1) }
    return integration
  }

  private func issue(_ id: String, _ kind: Model.Issue.Kind, _ status: Model.Issue.Status, ofTest: Bool = false)
    -> Model.Issue
  {
    Model.Issue(id: id, kind: kind, status: status, message: id, test: ofTest ? test : nil)
  }

  private func baseline(_ issues: [Model.Issue], warnings: Int) -> Baseline {
    Baseline(
      number: 4, commit: CommitID(rawValue: "b"), outcome: .warnings, tests: TestCounts(), totals: nil, files: [:],
      duration: 2, warnings: warnings, states: [:], issues: issues)
  }

  @Test("Its line counts the issues that are there, and no warnings of tests")
  func line() throws {
    var integration = integration(.warnings)
    integration.diagnostics = [Diagnostic(severity: .warning, message: "w-1")]
    integration.issues = [
      issue("w-1", .warning, .new), issue("w-2", .warning, .unresolved, ofTest: true),
      issue("w-3", .warning, .resolved),
      issue("t-1", .testFailure, .silenced, ofTest: true),
    ]
    let line = HistoryLine(of: IntegrationRecord(integration))
    #expect(line.warnings == 1)
    #expect(line.openIssues == 2)
    #expect(line.silencedIssues == 1)
    #expect(try again(line) == line)
  }

  @Test("Its line has what became slower, as the integration itself, unless something is red")
  func worse() throws {
    var integration = integration(.succeeded)
    integration.tests = TestReport(results: [TestResult(id: test, library: .xctest, state: .passed)])
    integration.practice = PracticeCard(hints: [PracticeHint(.measurements, .attention, "")])
    let points = [(5, 1.42), (4, 1.0)].map { number, average in
      MeasurementTrend.Point(
        number: number, commit: CommitID(rawValue: "a"), branch: "main",
        figure: MeasuredFigure(metric: "Time", unit: "seconds", average: average, deviation: 0, repetitions: 3))
    }
    integration.trends = [test: [MeasurementTrend(metric: "Time", unit: "seconds", points: points)]]
    let line = HistoryLine(of: IntegrationRecord(integration))
    let worse = try #require(line.worse)
    #expect(MeasurementWords.worse(worse) == "1 measured time 42% slower" && integration.worse == worse)
    #expect(try again(line) == line)
    integration.outcome = .testFailures
    #expect(integration.worse == nil && HistoryLine(of: IntegrationRecord(integration)).worse == nil)
  }

  @Test("Its line counts the tests that make it red: no silenced ones, and those of other required destinations")
  func redTests() throws {
    func document(_ states: [String: TestState], silenced: Set<String> = []) -> IntegrationRecord {
      var integration = integration(.testFailures)
      integration.tests = TestReport(
        results: states.sorted { $0.key < $1.key }.map { name, state in
          TestResult(id: TestID(module: "ShopTests", suite: "CartTests", name: name), library: .xctest, state: state)
        })
      integration.issues = silenced.map { name in
        Model.Issue(
          id: "t-\(name)", kind: .testFailure, status: .silenced, message: "m",
          test: TestID(module: "ShopTests", suite: "CartTests", name: name))
      }
      return IntegrationRecord(integration)
    }
    var whole = document(["a": .failed, "b": .failed, "c": .passed])
    #expect(HistoryLine(of: whole).judgedRed == 2 && HistoryLine(of: whole).countingRed == 2)
    whole = document(["a": .failed, "b": .failed, "c": .passed], silenced: ["a"])
    #expect(try again(HistoryLine(of: whole)).countingRed == 1)
    var other = document(["b": .failed, "c": .crashed])
    other.destination = DestinationResult(Destination(), leads: false, outcome: .testFailures)
    whole.cells = [other]
    #expect(HistoryLine(of: whole).countingRed == 2)
    other.destination?.required = false
    whole.cells = [other]
    #expect(HistoryLine(of: whole).countingRed == 1)
  }

  @Test("Warnings that a broken build carries on from before are none of its own")
  func trouble() {
    var integration = integration(.buildErrors)
    integration.diagnostics = [Diagnostic(severity: .warning, message: "w-1")]
    integration.issues = [issue("w-1", .warning, .new), issue("w-2", .warning, .unresolved)]
    #expect(HistoryLine(of: IntegrationRecord(integration)).warnings == 1)
  }

  @Test("What only gates made red is told alike by everything that is left of it", arguments: [true, false])
  func gate(isFailedGate: Bool) throws {
    var integration = integration(.testFailures)
    integration.reasons = [
      .testsFlaky(["t()"]), .gateFailed(GateResult(rule: "ratchet", state: .failed, sentence: "")),
    ]
    integration.onlyGatesFailed = isFailedGate
    let document = IntegrationRecord(integration)
    let line = try again(HistoryLine(of: document))
    #expect(line.isFailedGate == isFailedGate)
    let side = IntegrationComparison.Side(try again(document))
    #expect(side.isFailedGate == isFailedGate)
    let told = isFailedGate ? "gate failed" : "test-failures"
    #expect(
      [
        integration.toldOutcome, try again(document).toldOutcome, IntegrationSummary(of: document).toldOutcome,
        try again(IntegrationSummary(of: document)).toldOutcome,
      ] == [told, told, told, told])
  }

  @Test("What a gate failed says nothing of an integration that ended otherwise in the end")
  func gateThenCanceled() {
    var integration = integration(.canceled)
    integration.onlyGatesFailed = true
    let document = IntegrationRecord(integration)
    #expect(document.onlyGatesFailed == nil)
    #expect([integration.toldOutcome, document.toldOutcome] == ["canceled", "canceled"])
    #expect(!HistoryLine(of: document).isFailedGate)
  }

  @Test(
    "Documents and lines of an older Martlet are read as it read them",
    arguments: [
      (TestState.passed, ["1 issue is silenced and does not count.", "Gate ratchet: the share fell."], true),
      (.failed, ["1 test failed.", "Gate ratchet: the share fell."], false),
      (.passed, ["XCTest recorded a failure outside any test: late"], false),
    ])
  func older(state: TestState, reasons: [String], isFailedGate: Bool) throws {
    var integration = integration(.testFailures)
    integration.reasons = reasons.map { .stopped($0) }
    integration.tests = TestReport(results: [TestResult(id: test, library: .xctest, state: state)])
    var document = IntegrationRecord(integration)
    var line = HistoryLine(of: document)
    (line.onlyGatesFailed, document.onlyGatesFailed) = (nil, nil)
    #expect(try !String(decoding: JSONEncoder().encode(document), as: UTF8.self).contains("onlyGatesFailed"))
    #expect(try again(line).isFailedGate == isFailedGate)
    #expect(try again(document).isFailedGate == isFailedGate)
    #expect(HistoryLine(of: document).isFailedGate == isFailedGate)
    #expect(IntegrationSummary(of: document).onlyGatesFailed == isFailedGate)
  }

  /// What comes back from the disk.
  private func again<T: Codable>(_ value: T) throws -> T {
    try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
  }

  @Test("A summary tells every reason for the outcome, and no hint")
  func reasons() {
    var document = IntegrationRecord(integration(.testFailures))
    document.reasons = ["1 test failed.", "Try --isolation.", "Gate patch 80 %: 1 of 2 changed lines never ran."]
    document.reasonCodes = [
      OutcomeReason.testsRed(failed: 1, crashed: 0, timedOut: 0).code, .hint, .gateFailed("patch 80 %"),
    ]
    #expect(
      IntegrationSummary(of: document).reason == "1 test failed. Gate patch 80 %: 1 of 2 changed lines never ran.")
    document.reasons = []
    document.reasonCodes = nil
    #expect(IntegrationSummary(of: document).reason == nil)
  }

  @Test("How its tests ended, what they measured, and what that depends on")
  func verdicts() {
    var integration = integration(.warnings)
    var result = TestResult(id: test, library: .xctest, state: .passed, duration: 1.2345)
    result.isFlaky = true
    result.measurements = [
      TestMeasurement(metric: "Time", unit: "seconds", values: [0.1, 0.3]),
      TestMeasurement(metric: "Time", unit: "seconds", values: [7]),
      TestMeasurement(metric: "Memory", unit: "kB", values: [8]),
      TestMeasurement(metric: "Nothing", unit: "kB", values: []),
    ]
    integration.circumstances = [
      Circumstance("system", "Debian 12"), Circumstance("tests.filter", "Cart"), Circumstance("tests.skip", "Slow"),
      Circumstance("tests.retries", "1"), Circumstance("tests.isolation", "on"), Circumstance("tests.timeout", "5 s"),
      Circumstance("coverage.exclude", "*.c"),
    ]
    integration.tests = TestReport(results: [result])
    let verdicts = TestVerdicts(IntegrationRecord(integration))
    #expect(verdicts.verdicts[test]?.isFlaky == true)
    result.attempts = [TestAttempt(state: .failed, duration: 1.2345), TestAttempt(state: .passed, duration: 0.5)]
    integration.tests = TestReport(results: [result])
    let again = TestVerdicts(IntegrationRecord(integration)).verdicts[test]
    #expect(again?.duration == 500, "The attempt that passed counts.")
    #expect(verdicts.measured[test]?.map(\.metric) == ["Time", "Memory"])
    #expect(verdicts.measured[test]?.map(\.average) == [0.2, 8])
    #expect(verdicts.measured[test]?.map(\.repetitions) == [2, 1])
    #expect(
      verdicts.circumstances == [
        Circumstance("configuration", "debug"), Circumstance("sandbox", "off"), Circumstance("system", "Debian 12"),
        Circumstance("tests.timeout", "5 s"),
      ], "Which tests run, and how often, changes nothing about how they end.")
    integration.circumstances = []
    #expect(TestVerdicts(IntegrationRecord(integration)).circumstances == nil)
  }

  @Test("What was not carried out has no change: warnings without a build, findings without an analysis")
  func deltas() {
    let issues = [issue("a-1", .analyzerWarning, .unresolved), issue("a-2", .analyzerWarning, .silenced)]
    var broken = integration(.buildErrors)
    broken.baseline = baseline(issues, warnings: 3)
    #expect(broken.deltas?.warnings == nil)
    #expect(broken.deltas?.analyzerWarnings == nil)
    #expect(broken.deltas?.openIssues == -1)
    var analyzed = integration(.analyzerWarnings, steps: [.building, .analyzing])
    var known = baseline(issues, warnings: 3)
    var findings = BaselineFindings()
    findings.analyzerWarnings = 2
    known.findings = findings
    analyzed.baseline = known
    analyzed.analysis = [Diagnostic(severity: .warning, message: "long")]
    #expect(analyzed.deltas?.warnings == -3)
    #expect(analyzed.deltas?.analyzerWarnings == -1)
    #expect(IntegrationRecord(analyzed).deltas?.analyzerWarnings == -1)
  }

  @Test("A document of a broken build remembers no build", arguments: Outcome.allCases)
  func memory(outcome: Outcome) {
    let memory = IssueMemory(of: IntegrationRecord(integration(outcome)))
    let isBuilt: Set<Outcome> = [.succeeded, .warnings, .analyzerWarnings, .testFailures, .incomplete]
    #expect(memory.reached == (isBuilt.contains(outcome) ? [.build] : []))
  }

  @Test("A red test does not count when its failure and every finding of a sanitizer are silenced")
  func silencedTests() {
    var integration = integration(.testFailures)
    integration.tests = TestReport(results: [TestResult(id: test, library: .xctest, state: .failed)])
    func silenced(_ issues: [Model.Issue]) -> String? {
      integration.issues = issues
      return IntegrationRecord(integration).silencedTests[test]?.id
    }
    let failure = issue("t-1", .testFailure, .silenced, ofTest: true)
    let message = "ThreadSanitizer: data race"
    let race = issue(message, .sanitizer, .silenced, ofTest: true)
    #expect(silenced([failure]) == "t-1")
    // A finding that is only carried on, because nothing looked for it, was not found here.
    #expect(silenced([failure, issue(message, .sanitizer, .unresolved, ofTest: true)]) == "t-1")
    #expect(silenced([race]) == nil)
    #expect(silenced([issue("c-1", .crash, .silenced, ofTest: true)]) == nil)
    integration.tests.results[0].sanitizerReports = [
      SanitizerReport(sanitizer: "ThreadSanitizer", problem: "data race", headline: "", isFatal: false)
    ]
    #expect(silenced([race, failure]) == "t-1")
    #expect(silenced([failure]) == nil)
    #expect(silenced([failure, issue(message, .sanitizer, .new, ofTest: true)]) == nil)
    integration.tests.results[0].failures = [TestFailure(location: nil, message: message)]
    #expect(silenced([race]) == message)
    #expect(silenced([issue("w-1", .warning, .silenced, ofTest: true)]) == nil)
    integration.tests.results[0].state = .passed
    #expect(silenced([failure, race]) == nil)
  }
}
