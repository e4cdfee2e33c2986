import Testing

@testable import Model
@testable import Rendering

@Suite("What a test printed")
struct TranscriptTests {
  private static let place = Model.SourceLocation(file: "Pantry/Jar.swift", line: 13)
  private static let words = TranscriptLine(text: "Pantry/Jar.swift:13: Fatal error: not empty")

  @Test("The last words of a process, which the page begins with, are not shown alone")
  func lastWords() throws {
    let crash = CrashReport(reason: "Fatal error: not empty", statedPlace: Self.place)
    #expect(TranscriptSection([Self.words]).repeats([], crash) && !TranscriptSection([Self.words]).repeats([]))
    #expect(!TranscriptSection([TranscriptLine(text: "counted 1 jar"), Self.words]).repeats([], crash))
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.crash != nil })
    report.integration.tests.results[index].crash = crash
    report.integration.tests.results[index].transcript = [Self.words]
    let site = try PageSite(report)
    let path = ReportPaths(tests: report.integration.tests.results.map(\.id))
      .page(of: report.integration.tests.results[index].id)
    #expect(!site.text(path).isEmpty && !site.text(path).contains("h-transcript"))
    #expect(!site.text("tests.html").contains(Self.words.text))
  }

  @Test("Equal lines that follow on one another are one, with their number")
  func equal() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.crash != nil })
    report.integration.tests.results[index].transcript = ["a", "b", "b", "b", "", "", "a"].map { .init(text: $0) }
    let path = ReportPaths(tests: report.integration.tests.results.map(\.id))
      .page(of: report.integration.tests.results[index].id)
    let page = try PageSite(report).text(path)
    #expect(page.contains(#">a&#10;b <i class="faint">(3 times)</i>&#10;&#10;&#10;a&#10;</pre>"#))
    #expect(page.contains("5 lines printed") && !page.contains("of this transcript in the log"))
  }
}
