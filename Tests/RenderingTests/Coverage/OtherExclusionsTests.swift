import Model
import Testing

@testable import Rendering

@Suite("A baseline that left out other lines")
struct OtherExclusionsTests {
  private func exclusion(_ path: String, _ lines: Int, by: String = "Sources/Old/**") -> CoverageExclusion {
    CoverageExclusion(path: path, lines: LineTally(total: lines), by: by)
  }

  private func page(now: [CoverageExclusion], before: [CoverageExclusion]) throws -> String {
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: CoverageSample.files, profilesRead: 2, exclusions: now))
    report.integration.baseline?.exclusions = before
    return try PageSite(report).text("coverage.html")
  }

  @Test("Without a comparison by lines, the sums are told, and no more")
  func sums() throws {
    // Both files are counted on the other side.
    let page = try page(
      now: [exclusion("A.swift", 5), exclusion("Sources/tool/Old.c", 2)],
      before: [exclusion("A.swift", 5), exclusion("Sources/Greeter/Words/Words.swift", 4)])
    #expect(
      page.contains(
        "Different lines are left out: none of "
          + "Sources/Greeter/Words/Words.swift here and 4 lines in 41; 2 lines of Sources/tool/Old.c here and none in 41."
      ))
  }

  @Test("A file that the other side did not have, or left out for another reason, was not counted there")
  func neverCounted() throws {
    #expect(try !page(now: [exclusion("New.swift", 5)], before: []).contains("Different lines"))
    #expect(try !page(now: [], before: [exclusion("Deleted.swift", 5)]).contains("Different lines"))
    #expect(
      try !page(now: [exclusion("A.swift", 5, by: "A*.swift")], before: [exclusion("A.swift", 5, by: "*.swift")])
        .contains("Different lines"))
  }

  @Test("An excluded file that merely grew is left out in both; of lines behind a marker it is told how many more")
  func grown() throws {
    #expect(
      try !page(now: [exclusion("A.swift", 9)], before: [exclusion("A.swift", 5)]).contains("Different lines"))
    var (now, before) = (exclusion("A.swift", 9, by: "marker"), exclusion("A.swift", 5, by: "marker"))
    (now.firstLine, now.lastLine, before.firstLine, before.lastLine) = (10, 20, 10, 15)
    #expect(
      try page(now: [now], before: [before]).contains(
        "Different lines are left out: 9 lines of A.swift (marker) "
          + "here and 5 in 41."))
    #expect(
      try page(now: [before], before: [now]).contains(
        "Different lines are left out: 5 lines of A.swift (marker) here and 9 in 41."))
  }

  @Test("As many lines at another place need not be the same ones; the same place is not worth a word")
  func same() throws {
    var moved = exclusion("A.swift", 5)
    (moved.firstLine, moved.lastLine) = (10, 14)
    var before = moved
    (before.firstLine, before.lastLine) = (3, 7)
    #expect(
      try page(now: [moved], before: [before]).contains("Whether the same lines are left out as in 41 is not known."))
    for exclusions in [[moved], []] {
      let page = try page(now: exclusions, before: exclusions)
      #expect(!page.contains("Different lines") && !page.contains("Whether the same lines"))
    }
  }

  private static var leftOut: LeftOutLines {
    var leftOut = LeftOutLines()
    leftOut.hidden = [LeftOutLines.File(path: "Sources/Shop/Till.swift", ran: [3, 4], neverRan: [5])]
    leftOut.replaced = [LeftOutLines.Replaced(path: "Sources/Shop/Till.swift", lines: [9], count: 1)]
    leftOut.shown = [LeftOutLines.File(path: "Sources/Shop/Old.swift", ran: [1], neverRan: [2])]
    return leftOut
  }

  private static func changes(_ leftOut: LeftOutLines) -> CoverageChanges {
    var comparison = CoverageComparison(baseline: 41, before: CoverageTotals(), files: [])
    comparison.leftOut = leftOut
    return CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "Nobody asked."))
  }

  @Test("Where the lines were compared, they are told one by one, and sums are not asked")
  func byLine() throws {
    var report = CoverageSample.report
    report.integration.coverage = .available(
      Coverage(files: CoverageSample.files, profilesRead: 2, exclusions: [exclusion("Sources/tool/Old.c", 2)]))
    report.integration.changes = Self.changes(LeftOutLines())
    #expect(try !PageSite(report).text("coverage.html").contains("Different lines"))
    var leftOut = Self.leftOut
    leftOut.unknown = ["Huge.swift"]
    report.integration.changes = Self.changes(leftOut)
    #expect(
      try PageSite(report).text("coverage.html").contains(
        "Different lines are compared: 3 lines that counted in 41 are left out now, 2 of which ran then: "
          + "Sources/Shop/Till.swift:3–5; 1 line that counted in 41 was replaced by lines that are left out now: "
          + "Sources/Shop/Till.swift:9; 2 lines that were left out in 41 count now: Sources/Shop/Old.swift:1–2. "
          + "Which lines are left out in only one of the two is not known in Huge.swift."))
  }

  @Test("The document keeps them, and the terminal, Markdown and GitHub name what counted before")
  func told() throws {
    var integration = ExportSample.integration
    integration.changes = Self.changes(Self.leftOut)
    let document = IntegrationRecord(integration)
    let section = try #require(document.coverage.changes)
    #expect(section.leftOut == Self.leftOut)
    #expect(
      ChangeSummary(section).leftOutSentences == [
        "3 lines that counted in 41 are left out now, 2 of which ran then: Sources/Shop/Till.swift:3–5",
        "1 line that counted in 41 was replaced by lines that are left out now: Sources/Shop/Till.swift:9",
        "2 lines that were left out in 41 count now: Sources/Shop/Old.swift:1–2",
      ])
    let export = IntegrationExport(document, coverage: nil)
    #expect(
      try export.text(as: .markdown).contains(
        "Left out: 3 lines that counted in 41 are left out now, 2 of which ran then.\n\n- `pkg/Sources/Shop/Till.swift:3–5`\n"
      ))
    let notices = try export.text(as: .github).split(separator: "\n").filter { $0.hasPrefix("::notice ") }
    #expect(
      notices == [
        "::notice file=pkg/Sources/Shop/Till.swift,line=3,endLine=5,title=coverage left out::What counted in these 3 lines before is left out of the coverage now.",
        "::notice file=pkg/Sources/Shop/Till.swift,line=9,title=coverage left out::What counted in this line before is left out of the coverage now.",
      ])
    integration.changes = Self.changes(LeftOutLines())
    #expect(IntegrationRecord(integration).coverage.changes?.leftOut == nil)
    var patch = PatchCoverage(origin: .integration(41), files: [])
    func figure() -> String {
      ChangeSummary(CoverageChanges(comparison: .unknown(reason: ""), patch: .known(patch))).patch
    }
    #expect(figure() == "no counted line changed")
    patch.touchesTests = true
    #expect(figure() == "no counted line changed")
    patch.leftOut = ["Sources/Shop/Till.swift"]
    #expect(figure() == "no counted line changed; some are left out on request")
  }

  @Test("A comparison says beside its figure that lines were left out, and which")
  func compared() {
    var comparison = ComparisonSample.comparison
    comparison.coverage.leftOut = Self.leftOut
    let words = ComparisonWords(comparison)
    #expect(words.headline.contains(" lines uncovered (4 lines of 41 left out in 42)"))
    #expect(
      words.leftOut == [
        "3 lines that counted in 41 are left out in 42, 2 of which ran then: Sources/Shop/Till.swift:3–5",
        "1 line that counted in 41 was replaced by lines that are left out in 42: Sources/Shop/Till.swift:9",
        "2 lines that were left out in 41 count in 42: Sources/Shop/Old.swift:1–2",
      ])
    if let index = comparison.counts.firstIndex(where: { $0.name == .uncoveredLines }) {
      comparison.counts[index].after = comparison.counts[index].before
    }
    #expect(ComparisonWords(comparison).headline.contains(" 4 lines of 41 left out in 42"))
    #expect(!ComparisonWords(comparison).headline.contains("uncovered"))
    comparison.coverage.leftOut = nil
    #expect(ComparisonWords(comparison).leftOut.isEmpty)
    #expect(!ComparisonWords(comparison).headline.contains("left out"))
  }

  @Test("The document of the baseline brings them along")
  func document() {
    var integration = CoverageSample.report.integration
    integration.coverage = .available(Coverage(files: [], exclusions: [exclusion("A.swift", 5)]))
    #expect(Baseline(IntegrationRecord(integration)).exclusions == [exclusion("A.swift", 5)])
  }
}
