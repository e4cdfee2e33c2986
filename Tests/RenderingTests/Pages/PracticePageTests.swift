import Model
import Testing

@testable import Rendering

@Suite("What pages say about how tests are written")
struct PracticePageTests {
  @Test(
    "A test's name becomes a sentence",
    arguments: [
      ("test_greeting_atNoon_isAfternoon", "greeting at noon is afternoon"), ("testExample", "example"),
      ("testParsesURLOfHTTPServer", "parses URL of HTTP server"), ("ringsTwice()", "rings twice"),
      ("`a raw name, as it is`()", "a raw name, as it is"), ("firstHour(hour:part:)", "first hour"),
      ("test", "test"), ("test_", "test_"), ("test2Numbers", "2 numbers"), ("tests()", "tests"),
      ("testimonialsAreShown()", "testimonials are shown"), ("testÄpfel", "äpfel"), ("testéclair", "testéclair"),
    ])
  func sentence(name: String, sentence: String) {
    #expect(TestSentence.of(name, displayName: nil) == sentence)
    #expect(TestSentence.of(name, displayName: "As shown") == "As shown")
  }

  @Test("A red integration tells of the rhythm only that a red test was deleted, as its outcome does not")
  func deletedWhileRed() throws {
    var report = GreeterSample.red
    report.integration.practice = PracticeCard(hints: [
      PracticeHint(.rhythm, .attention, "The red test hang() of 8 was deleted.")
    ])
    func tells(_ rhythm: Rhythm) throws -> Bool {
      report.integration.rhythm = rhythm
      return try PageSite(report).text("index.html").contains("The red test hang() of 8 was deleted.")
    }
    #expect(try tells(.redDeleted) && !tells(.stillRed))
  }

  @Test("Tests that were flaky only in earlier integrations are told with links to those, unless a row has them")
  func flakyBefore() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    let tests = GreeterTests.passing.prefix(2).map(\.id)
    report.integration.histories = [:]
    report.integration.practice = PracticeCard(hints: [
      PracticeHint(.repeatable, .attention, "2 tests.", entries: tests.map { PracticeHint.Entry(test: $0) })
    ])
    #expect(try PageSite(report).text("index.html").contains("<span>2 flaky tests</span>"))
    let now = TestVerdicts(IntegrationRecord(report.integration))
    func before(_ number: Int, _ tests: [TestID]) -> TestVerdicts {
      TestVerdicts(
        number: number, commit: CommitID(rawValue: "c\(number)"), branch: now.branch, toolchain: "Swift",
        verdicts: Dictionary(
          uniqueKeysWithValues: tests.map { ($0, TestVerdicts.Verdict(state: .passed, duration: 0, isFlaky: true)) }))
    }
    func link(_ number: Int) -> String { #"<a class="up" href="../\#(number)/index.html">\#(number)</a>"# }
    report.integration.histories = TestHistory.all(of: [now, before(number - 1, tests)])
    #expect(try PageSite(report).text("index.html").contains("<span>2 tests flaky in \(link(number - 1))</span>"))
    report.integration.histories = TestHistory.all(
      of: [now, before(number - 1, [tests[0]]), before(number - 2, [tests[1]])])
    let both = "\(link(number - 2)) and \(link(number - 1))"
    #expect(try PageSite(report).text("index.html").contains("<span>2 tests flaky in \(both)</span>"))
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == tests[0] })
    report.integration.tests.results[index].isFlaky = true
    #expect(try PageSite(report).text("index.html").contains("<span>1 test flaky in \(link(number - 2))</span>"))
    report.integration.practice?.hints[0].entries.removeLast()
    #expect(try PageSite(report).text("index.html").contains(#"<h2 id="h-practice">Practice</h2></summary>"#))
  }

  @Test(
    "The head says what the change did to the coverage, as the row does",
    arguments: [
      (ChangeCategory.newNeverRan, "1 changed line that never ran"), (.lost, "1 line that no longer runs"),
    ])
  func gaps(category: ChangeCategory, words: String) throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == category }).1.report
    report.integration.outcome = .succeeded
    report.integration.practice = PracticeCard(hints: [PracticeHint(.thorough, .attention, "A line never ran.")])
    #expect(try PageSite(report).text("index.html").contains("<span>\(words)</span>"))
  }

  @Test("Where all code is new, no line is called changed")
  func allNew() throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .newNeverRan }).1.report
    report.integration.outcome = .succeeded
    let file = PatchCoverage.File(path: "A.swift", ran: [1], partlyRan: [], neverRan: [2])
    report.integration.changes?.patch = .known(PatchCoverage(origin: .nothing, files: [file]))
    report.integration.practice = PracticeCard(hints: [PracticeHint(.thorough, .attention, "A line never ran.")])
    #expect(try PageSite(report).text("index.html").contains("<span>1 line that never ran</span>"))
  }

  @Test("The card shows each hint with its entries, and is not there without one")
  func card() throws {
    var report = GreeterSample.red
    #expect(!(try PageSite(report).text("index.html").contains(#"id="practice""#)))
    let noon = try #require(GreeterTests.red.first).id
    report.integration.practice = PracticeCard(
      hints: [
        PracticeHint(
          .fast, .attention, "1 test takes <long>.",
          entries: [
            .init(test: noon, location: SourceLocation(file: GreeterTests.noonFile, line: 18), words: "3 s")
          ]),
        PracticeHint(.isolated, .unknown, "Not tried."), PracticeHint(.thorough, .good, "All ran."),
      ], off: [.names])
    let text = try PageSite(report).text("index.html")
    #expect(PageMarkup(text).nestingFault == nil)
    #expect(text.contains("<span>1 slow test</span>"), "What is to be looked at does not read as praise.")
    let start = try #require(text.firstRange(of: #"<section class="folded" id="practice""#)?.lowerBound)
    let end = try #require(text[start...].firstRange(of: "</section>")?.upperBound)
    try GoldenFile("practice.html").compare(with: "\(text[start..<end])\n")
  }
}
