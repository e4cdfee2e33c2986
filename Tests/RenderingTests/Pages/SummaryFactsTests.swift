@testable import Model
import Testing

@testable import Rendering

@Suite("What a summary says beside its figures")
struct SummaryFactsTests {
  private func figure(_ label: String, in text: String) -> String? {
    text.split(separator: "<dt>\(label)</dt>").dropFirst().first?.split(separator: "</div>").first.map(String.init)
  }

  @Test("A change without counted lines says since when where a gate counts from another integration")
  func gateElsewhere() throws {
    var report = ChangeSample(before: ["1|a()", "0|b()"], now: ["1|a()", "2|b()"]).report
    func index(since number: Int, lines: Int, _ sentence: String) throws -> String {
      var gate = GateResult(
        rule: "patch=80", state: .passed, sentence: sentence,
        base: .commit(report.integration.commit.id, number: number))
      gate.share = Tally(total: lines, covered: lines)
      report.integration.gates = [gate]
      return try PageSite(report).text("index.html")
    }
    let other = try index(since: 40, lines: 10, "All 10 lines changed since integration 40 ran.")
    #expect(other.contains("<small>no counted line changed since 41</small>"))
    #expect(other.contains("<dd>80% patch gate: All 10 lines changed since integration 40 ran.</dd>"))
    let same = try index(since: 41, lines: 0, "No counted line differs from 41.")
    #expect(same.contains("<small>no counted line changed</small>"))
    #expect(same.contains("<dd>80% patch gate</dd>"), "The figure says why there is nothing to judge.")
  }

  @Test("Where fewer tests passed only because some were deleted, the figure says that")
  func deleted() throws {
    var report = GreeterSample.green
    report.integration.testChanges = TestListChanges(deleted: [TestID(module: "M", suite: "S", name: "t3()")])
    report.integration.tests = TestReport(
      results: (1...2).map {
        TestResult(
          id: TestID(module: "M", suite: "S", name: "t\($0)()"), library: .swiftTesting, state: .passed, duration: 1)
      })
    var before = TestCounts()
    before.passed = 3
    report.integration.baseline?.tests = before
    let tests = try #require(figure("Tests", in: PageSite(report).text("index.html")))
    #expect(tests.contains(##"<a href="tests.html#changed">1 deleted</a>"##) && !tests.contains("−1"))
  }

  @Test("A test that was red before and is silenced now is not counted as mended")
  func silenced() throws {
    var integration = IssueSample.report.integration
    let test = try #require(integration.silencedTests.keys.first)
    integration.baseline?.issues = []
    integration.baseline?.states[test] = .timedOut
    #expect(integration.silencedSinceBaseline == [test])
    integration.baseline?.states[test] = .passed
    #expect(integration.silencedSinceBaseline.isEmpty)
    let counts = TestCounts(of: integration.tests.results)
    let bar = TestSum.bar(of: counts, silenced: integration.silencedCounts)
    #expect(bar.record != TestSum.bar(of: counts, silenced: TestCounts()).record)
    #expect(TestSum(counts, silenced: integration.silencedCounts).parts.contains(", 1 silenced"))
  }

  @Test("A note of the compiler leads to its source, or says whose interface it is about")
  func notes() throws {
    var report = OtherSamples.buildErrors
    func note(_ file: String) throws -> String {
      let place = SourceLocation(file: file, line: 2, column: 31)
      report.integration.diagnostics[0].notes = [Diagnostic(severity: .note, message: "a candidate", location: place)]
      let rest = try #require(try PageSite(report).text("index.html").split(separator: "note: a candidate").last)
      return String(try #require(rest.split(separator: "</th>").first))
    }
    #expect(
      try note("Swift.StringProtocol.<").contains(#"<span class="faint">in Swift&#39;s String<wbr>Protocol</span>"#))
    #expect(try note("Swift.min").contains(#"<span class="faint">in Swift</span>"#))
    #expect(try note("/usr/include/stdio.h").contains(":2:31</span>"))
    let issue = report.integration.issues[0]
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: nil,
        streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    ]
    let beside = Diagnostic(severity: .note, message: "a candidate", location: issue.location)
    report.integration.diagnostics[0].notes = [beside]
    #expect(
      try PageSite(report).text("index.html").contains(
        #"note: a candidate <span class="faint"><a href="issues/\#(issue.id).html#source">"#))
  }

  @Test("A silenced warning is neither counted nor gone")
  func silencedWarning() throws {
    var report = GreeterSample.green
    let warning = Model.Issue(id: "w-1", kind: .warning, message: "old")
    report.integration.diagnostics = [Diagnostic(severity: .warning, message: "old")]
    report.integration.baseline?.warnings = 1
    report.integration.baseline?.issues = [warning]
    report.integration.issues = [warning]
    report.integration.issues[0].status = .silenced
    let silenced = try #require(figure("Warnings", in: PageSite(report).text("index.html")))
    #expect(silenced.hasPrefix("<dd>0 <") && !silenced.contains(#"class="d "#))
    #expect(silenced.contains(#"<span class="part">1 silenced</span>"#))
    report.integration.issues[0].status = .unresolved
    report.integration.baseline?.issues[0].status = .silenced
    let again = try #require(figure("Warnings", in: PageSite(report).text("index.html")))
    #expect(again.contains(">+1<"), "It counts again.")
  }

  @Test("Below the files stands how many more there are")
  func moreFiles() throws {
    var report = GreeterSample.green
    let gap = RenderingTests.file("Sources/A/A.swift", lines: [LineCoverage(line: 1, count: 0, state: .neverRan)])
    let whole = RenderingTests.file("Sources/A/B.swift", lines: [LineCoverage(line: 1, count: 1, state: .ran)])
    report.integration.baseline = nil
    report.integration.coverage = .available(Coverage(files: [gap, whole]))
    #expect(
      try PageSite(report).text("index.html").contains(#"<a href="coverage.html">1 more file without gaps</a>"#))
    report.integration.coverage = .available(Coverage(files: [gap]))
    #expect(try !PageSite(report).text("index.html").contains(" more file"))
  }
}
