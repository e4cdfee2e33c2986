import Model
import Testing

@testable import Rendering

@Suite("What the summary says where")
struct SummaryTests {
  @Test("The command that runs the red tests stands below them, and nowhere else")
  func runsRedTests() throws {
    let index = try PageSite.sample("red").text("index.html")
    let parts = index.split(separator: "<p class=\"small more-rows\">Run them again:</p>\n<div class=\"cmd\"><code>")
    try #require(parts.count == 2)
    #expect(parts[0].hasSuffix("</table>\n"))
    #expect(parts[1].contains("<dl class=\"figures"))
    // One of them never ends by itself.
    #expect(parts[1].hasPrefix("martlet run "))
    #expect(try !PageSite.sample("green").text("index.html").contains("<code>swift test"))
  }

  @Test("Several commits have a tab; a single one is in the heading")
  func commitsTab() {
    var integration = GreeterSample.green.integration
    integration.commits = [integration.commit]
    #expect(!ReportFacts(integration).tabs.contains { $0.label == "Commits" })
    integration.commits = [integration.commit, integration.commit]
    #expect(ReportFacts(integration).tabs.contains { $0.label == "Commits" && $0.count == "2" })
  }

  @Test("Blank lines at the ends of a transcript are none of it")
  func blankEnds() {
    func count(_ lines: String...) -> TemplateValue {
      guard case .record(let fields) = TranscriptSection(lines.map { TranscriptLine(text: $0) }).record else {
        return .missing
      }
      return fields["count"] ?? .missing
    }
    #expect(count("", "Fatal error", "", "*** Signal 4", " ", "") == .text("3 lines"))
    #expect(count("", " ") == .missing)
  }

  @Test("What was printed is told from what the library reports, which is not in its own words")
  func reported() throws {
    let printed = TranscriptLine(text: "saying hello")
    let report = TranscriptLine(kind: .failure, text: "Tests/A.swift:7: Expectation failed: 1 == 2")
    #expect(TranscriptSection([printed]).words == "1 line printed")
    #expect(TranscriptSection([printed, printed, report]).words == "2 lines printed, 1 reported")
    #expect(
      TranscriptSection([printed, TranscriptLine(text: " "), printed]).words == "2 lines printed",
      "A blank line says nothing.")
    #expect(TranscriptSection([report]).words == "1 line reported" && !TranscriptSection([report]).saysMore)
    let failure = TestFailure(
      location: Model.SourceLocation(file: "Tests/A.swift", line: 7), message: "Expectation failed: 1 == 2\na note")
    let note = TranscriptLine(kind: .failure, text: "a note")
    #expect(TranscriptSection([report, note]).repeats([failure]) && !TranscriptSection([report]).repeats([]))
    #expect(!TranscriptSection([report, printed]).repeats([failure]), "It has what was printed, too.")
    var site = GreeterSample.green
    site.integration.tests.results[0].transcript = [report]
    #expect(try !PageSite(site).text("tests.html").contains("1 line reported"), "The row has the failure.")
    site.integration.tests.results[0].transcript = [printed, report]
    #expect(try PageSite(site).text("tests.html").contains("<summary>1 line printed, 1 reported</summary>"))
  }

  @Test("In the bar of the tests a known issue has its own colour")
  func knownIssue() throws {
    var report = GreeterSample.green
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].state = index == 0 ? .expectedFailure : .passed
    }
    let text = try PageSite(report).text("index.html")
    let tile = try #require(text.split(separator: "<dt>").first { $0.hasPrefix("Tests<") })
    #expect(tile.contains("f-violet") && tile.contains("f-green"))
  }

  @Test("Where a build failed, the figure of tests says how many ran before")
  func ranBefore() throws {
    var report = OtherSamples.buildErrors
    var baseline = try #require(GreeterSample.red.integration.baseline)
    baseline.tests = TestCounts()
    (baseline.tests.passed, baseline.tests.skipped) = (9, 1)
    report.integration.baseline = baseline
    #expect(try PageSite(report).text("index.html").contains("9 of 10 ran in \(baseline.number)"))
  }

  @Test("A file's name stands once for places in it")
  func placesInOneFile() throws {
    let context = ReportContext(GreeterSample.green, library: try PageSite.templates(), time: .utc)
    let lines = [("A.swift", 3), ("A.swift", 4), ("A.swift", 7), ("B.swift", 1)].map {
      Model.SourceLocation(file: "Sources/\($0)", line: $1)
    }
    func place(_ glue: String, _ text: String) -> TemplateValue {
      .record(["glue": .text(glue), "text": .shown(text), "link": .missing])
    }
    #expect(
      context.sources.links(to: LinePlaces(lines), first: 3)
        == .list([place("", "A.swift:3–4"), place(", ", "7"), place("; ", "B.swift:1")]))
  }

  @Test("What is the newest of its branch leads to the newest of the main one")
  func newestOfMain() throws {
    let steps = try SiteSample.pages().steps(of: SiteSample.branched)
    let files = Dictionary(uniqueKeysWithValues: steps.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    let sheet = try #require(files["8/newest.css"])
    #expect(sheet.contains("../newest-main.css") && sheet.hasSuffix(".turn .next { display: none; }\n"))
    #expect(files["8/newest.html"]?.contains("url=../newest-main.html") == true)
  }
}
