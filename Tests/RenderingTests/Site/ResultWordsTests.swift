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
        result("grinds()", .failed), result("rests()", .failed), result("jams()", .crashed),
        result("turns()", .passed, isFlaky: true),
      ])
    #expect(
      line.resultWords == "grinds() and 1 more failed; jams() crashed; 80% patch gate failed; turns() flaky")
  }

  @Test("Where that is too long for two lines, the first is named and the others are counted")
  func long() {
    let red = OutcomeReason.testsRed(failed: 2, crashed: 1, timedOut: 2)
    let wheel = [
      result("grindsWhateverTheWindBrings()", .failed), result("rests()", .failed), result("halts()", .crashed),
      result("waits()", .timedOut), result("stands()", .timedOut), result("turns()", .passed, isFlaky: true),
      result("creaks()", .passed, isFlaky: true), result("sleeps()", .notRun),
    ]
    let ratchet = OutcomeReason.gateFailed(GateResult(rule: "ratchet", state: .failed, sentence: "Less."))
    let gap = OutcomeReason.gap(.contradiction("waits() ended twice."))
    let reasons: [OutcomeReason] = [
      red, gap, .testsNotRun(1, listed: 8), gate, ratchet, .testsFlaky(["turns()", "creaks()"]), .noTests,
    ]
    var line = line(.testFailures, reasons, wheel)
    line.silencedIssues = 1
    #expect(
      line.resultWords
        == "grindsWhateverTheWindBrings() and 1 more failed, 1 crashed, 2 timed out, 1 not run, 2 gates failed, 2 flaky, 1 more reason"
    )
    #expect(
      line.isLong && line.wholeResult.hasPrefix("grindsWhateverTheWindBrings() and 1 more failed; halts() crashed;"))
    // Of gaps without a test that did not run, all that is known is that there are some.
    line.tests = TestCounts()
    #expect(line.resultWords.contains("2 timed out, incomplete, 2 gates failed"))
  }

  @Test("What is silenced is told once, by its number, of an outcome that is better for it")
  func silenced() {
    var green = self.line(.warnings, [.compilerWarnings(1), .silenced(2)])
    green.silencedIssues = 2
    #expect(green.resultWords == "1 compiler warning; 2 silenced issues")
    var line = line(
      .testFailures, [.testsRed(failed: 1, crashed: 0, timedOut: 0), .quarantined(1)], [result("grinds()", .failed)])
    line.silencedIssues = 1
    #expect(line.resultWords == "grinds() failed" && line.reasonText() == "grinds() failed", "It is red without it.")
    // Lines from before their number was kept have it in the reason only.
    line.silencedIssues = nil
    #expect(line.resultWords == "grinds() failed; 1 issue is in quarantine and does not count")
  }

  @Test("What became slower is told behind the outcome or its reasons, in the index, and on the page of the bot")
  func worse() throws {
    var green = line(.succeeded, [])
    green.worse = WorseValues(count: 1, areTimes: true, share: 0.42)
    #expect(green.resultWords == "Succeeded, 1 measured time 42% slower")
    var warned = line(.warnings, [.compilerWarnings(1)])
    warned.worse = WorseValues(count: 2, areTimes: false, share: 0.5)
    #expect(warned.resultWords == "1 compiler warning; 2 measured values up to 50% higher")
    let entry = SiteSample.entry(2, .succeeded) { $0.worse = green.worse }
    let bot = BotHistory(name: "Mill", entries: [entry, SiteSample.entry(1, .succeeded)], withReport: [1, 2])
    let index = String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self)
    #expect(index.contains(", 1 measured time 42% slower</span>"))
    let page = try #require(SiteSample.pages().pages(of: bot, asOf: nil).first { $0.path == "index.html" })
    let linked = #"<a href="2/index.html">1 measured time 42% slower</a>"#
    #expect(String(decoding: page.bytes, as: UTF8.self).contains(linked))
  }

  @Test("The outcome of tests that crashed or timed out says so, as above the first cause, and is counted as before")
  func badEnds() {
    func ended(_ states: TestState...) -> HistoryLine {
      line(
        .testFailures, [.testsRed(failed: 0, crashed: 0, timedOut: 0)],
        states.enumerated().map { result("t\($0.offset)()", $0.element) })
    }
    #expect(ended(.failed, .failed).lowercasedOutcome == "test failures")
    #expect(ended(.timedOut, .timedOut).lowercasedOutcome == "time-outs")
    #expect(ended(.crashed, .failed).outcomeWord == "Crash and test failure")
    #expect(ended(.crashed).countedOutcome == "with test failures")
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
    func change(_ outcome: Outcome, notRun: Int = 0) -> String? {
      SiteSample.entry(2, outcome) { ($0.uncoveredChange, $0.tests.notRun) = (3, notRun) }.uncoveredDelta?.text
    }
    #expect(change(.succeeded) == "+3" && change(.testFailures) == "+3")
    #expect(change(.incomplete) == nil && change(.testFailures, notRun: 5) == nil)
  }

  @Test("One that is incomplete has the first reason, and the gates that failed; its tests are counted beside it")
  func incomplete() {
    let first = OutcomeReason.gap(.contradiction("rests() called exit(0) at A.swift:4."))
    let line = line(.incomplete, [first, .testsNotRun(1, listed: 2), gate], [result("rests()", .notRun)])
    #expect(line.resultWords == "rests() called exit(0) at A.swift:4; 80% patch gate failed")
  }

  @Test("What is red in some destinations only is named for each of them, what several have alike once")
  func destinations() throws {
    func document(_ name: String, leads: Bool = false, _ results: [TestResult]) -> IntegrationRecord {
      var integration = OtherSamples.buildErrors.integration
      integration.issues = []
      integration.outcome = .testFailures
      integration.tests = TestReport(results: results)
      var document = IntegrationRecord(integration)
      var destination = Destination()
      destination.name = name
      document.destination = DestinationResult(destination, leads: leads, outcome: .testFailures)
      return document
    }
    func words(_ names: [[String]], _ cells: [IntegrationRecord]) -> HistoryLine {
      var whole = document("debug", leads: true, [result("rests()", .failed)])
      whole.cells = cells
      whole.reasons = names.map { "\($0): 1 test failed." }
      whole.reasonCodes = names.map { OutcomeReason.Code("tests-red", destinations: $0) }
      return HistoryLine(of: whole)
    }
    let cells = [
      document("release", [result("grinds()", .failed)]), document("thread", [result("halts()", .crashed)]),
      document("asan", [result("grinds()", .failed)]),
    ]
    let line = words([["release", "asan"], ["thread"]], cells)
    #expect(line.resultWords == "release and asan: grinds() failed; thread: halts() crashed")
    #expect(line.outcomeWord == "Crash and test failure")
    #expect(words([["debug"], ["thread"]], cells).resultWords == "debug: rests() failed; thread: halts() crashed")
    let long = words(
      [["release"], ["thread"]],
      [
        document("release", [result("grindsWhateverTheWindBringsFromTheSea()", .failed)]),
        document("thread", [result("haltsWhenNoWindIsLeft()", .failed)]),
      ])
    #expect(long.resultWords == "release: grindsWhateverTheWindBringsFromTheSea() failed, 1 failed in thread")
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
