import Testing

@testable import Model
@testable import Rendering

@Suite("An integration in which tests did not run")
struct MissingTestsTests {
  /// A test that timed out, and two that then did not run, with a line that is lost.
  private func report(stoppedAfter limit: Double?) throws -> Report {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1.report
    report.integration.outcome = .testFailures
    report.integration.tests = TestReport(
      results: [TestState.timedOut, .notRun, .notRun].enumerated().map { index, state in
        let id = TestID(module: "M", suite: "S", name: "t\(index)()")
        return TestResult(id: id, library: .swiftTesting, state: state)
      })
    report.integration.reasons = [
      .testsRed(failed: 0, crashed: 0, timedOut: 1), .gap(.notRun(2, stoppedAfter: limit)),
    ]
    return report
  }

  @Test("Has coverage that says so, and that is compared with nothing")
  func coverage() throws {
    let site = try PageSite(report(stoppedAfter: nil))
    let index = site.text("index.html")
    let test = TestID(module: "M", suite: "S", name: "t1()")
    let row = ReportPaths(tests: [test]).row(of: test)
    let link = #"<a href="\#(row)">2 tests did not run</a>"#
    #expect(index.contains(#"<span class="part">50.0%</span> <span class="part">\#(link)</span>"#))
    #expect(index.contains(#"<span class="part"><a href="\#(row)">2 not run</a></span>"#))
    #expect(!index.contains("<dt>Lost</dt>") && !index.contains("no longer runs"))
    let overview = site.text("coverage.html")
    #expect(overview.contains("<h1>At most 1 of 2 lines never ran</h1>") && overview.contains("<dd>at most 50.0%"))
    #expect(!site.words("index.html").contains(" regions never ran"))
    #expect(overview.contains(#"<p class="note">2 tests did not run; nothing is compared.</p>"#))
    #expect(!overview.contains("Incomplete") && !overview.contains(#"id="lost""#))
    #expect(index.contains("at most 1 uncovered"))
  }

  @Test("Is no baseline for lines: what its tests would have run is not gained")
  func baseline() throws {
    var report = try report(stoppedAfter: nil)
    #expect(Baseline(IntegrationRecord(report.integration)).totals == nil)
    var lacking = TestCounts()
    (lacking.passed, lacking.notRun) = (1, 2)
    report.integration.tests.results.removeLast(2)
    let whole = try PageSite(report).text("coverage.html")
    report.integration.baseline?.tests = lacking
    report.integration.baseline?.totals = nil
    let text = try PageSite(report).text("coverage.html")
    #expect(text != whole && !text.contains(#"id="lost""#) && text.contains("2 tests did not run in "))
  }

  @Test("Tells in its heading how many did not run and why, and nowhere below it again")
  func heading() throws {
    let report = try report(stoppedAfter: 9)
    #expect(VerdictSentence(report.integration).sentence.hasSuffix("; 2 tests did not run (stopped after 9 s)"))
    #expect(try !PageSite(report).text("index.html").contains("2 listed tests did not run"))
    #expect(IntegrationRecord(report.integration).reasons[1] == "2 listed tests did not run (stopped after 9 s).")
    var incomplete = report.integration
    incomplete.outcome = .incomplete
    incomplete.tests.results.removeFirst()
    #expect(
      VerdictSentence(incomplete).sentence == "Incomplete: 2 listed tests did not run (stopped after 9 s)")
  }

  @Test("Those that were red before and did not run are no fewer red ones, and link to their open issues")
  func openIssues() throws {
    var report = try report(stoppedAfter: 9)
    let test = report.integration.tests.results[1].id
    var record = IssueRecord(
      id: "c-1", kind: .crash, message: "too much honey", location: nil, test: test,
      streaks: [.init(opened: report.integration.number - 1, lastSeen: report.integration.number - 1, age: 1)])
    record.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "0123 changed Jar.swift:13.")]
    var issue = Model.Issue(record)
    issue.isCarriedOver = true
    (report.integration.issues, report.integration.issueRecords) = ([issue], [record])
    let states = [TestState.timedOut, .crashed, .passed]
    let before = zip(report.integration.tests.results, states).map { TestResult($0.id, $1, in: nil) }
    report.integration.baseline?.tests = TestCounts(of: before)
    report.integration.baseline?.states = before.keyed(by: \.id, \.state)
    let site = try PageSite(report)
    #expect(site.text("index.html").contains("<small>Probably Ada</small>"))
    let (page, own) = (site.text("tests.html"), site.text("issues/c-1.html"))
    #expect(own.contains(">Check it</h2>") && own.contains(">--filter</span>") && !own.contains("swift test"))
    let number = report.integration.number
    #expect(own.contains("not checked in \(number): its test did not run, all were stopped after 9 s</span>"))
    let last = report.integration.number - 1
    #expect(page.contains(#"· <a href="issues/c-1.html">crashed in \#(last)</a>"#))
    #expect(page.contains("<b>0</b> crashed") && !page.contains("better"))
    let sum = StateSum.all(of: report.integration.tests.counts, baseline: (TestCounts(of: before), TestCounts()))
    #expect(sum.first { $0.word == "crashed" }?.delta?.tone == "")
    #expect(Delta.ofRed(0, from: 2, notRun: 1)?.tone == "better", "One of them was mended.")
  }

  @Test("Has no change of what never ran in its document, which lists and mails tell")
  func document() throws {
    var report = try report(stoppedAfter: nil)
    #expect(report.integration.deltas?.coverage == nil)
    #expect(HistoryLine(of: IntegrationRecord(report.integration)).uncoveredChange == nil)
    report.integration.tests.results.removeLast(2)
    #expect(report.integration.deltas?.coverage?.lines.uncovered == 1)
  }
}
