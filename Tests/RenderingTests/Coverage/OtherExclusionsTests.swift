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

  @Test("It is told what is left out only here, and what was only then")
  func told() throws {
    // Both files are counted on the other side.
    let page = try page(
      now: [exclusion("A.swift", 5), exclusion("Sources/tool/Old.c", 2)],
      before: [exclusion("A.swift", 5), exclusion("Sources/Greeter/Words/Words.swift", 4)])
    #expect(
      page.contains(
        "Not the same lines are compared: 2 lines left out here and counted in 41, of Sources/tool/Old.c; "
          + "4 lines counted here and left out in 41, of Sources/Greeter/Words/Words.swift."))
  }

  @Test("A file that the other side did not have, or left out for another reason, was not counted there")
  func neverCounted() throws {
    #expect(try !page(now: [exclusion("New.swift", 5)], before: []).contains("Not the same lines"))
    #expect(try !page(now: [], before: [exclusion("Deleted.swift", 5)]).contains("Not the same lines"))
    #expect(
      try !page(now: [exclusion("A.swift", 5, by: "A*.swift")], before: [exclusion("A.swift", 5, by: "*.swift")])
        .contains("Not the same lines"))
  }

  @Test("An excluded file that merely grew is left out in both; of lines behind a marker it is told how many more")
  func grown() throws {
    #expect(
      try !page(now: [exclusion("A.swift", 9)], before: [exclusion("A.swift", 5)]).contains("Not the same lines"))
    var (now, before) = (exclusion("A.swift", 9, by: "marker"), exclusion("A.swift", 5, by: "marker"))
    (now.firstLine, now.lastLine, before.firstLine, before.lastLine) = (10, 20, 10, 15)
    #expect(
      try page(now: [now], before: [before]).contains(
        "Not the same lines are compared: 4 lines more left out than in 41, of A.swift (marker)."))
    #expect(
      try page(now: [before], before: [now]).contains(
        "Not the same lines are compared: 4 lines fewer left out than in 41, of A.swift (marker)."))
  }

  @Test("The same exclusions are not worth a word, wherever their lines stand now")
  func same() throws {
    var moved = exclusion("A.swift", 5)
    (moved.firstLine, moved.lastLine) = (10, 14)
    var before = moved
    (before.firstLine, before.lastLine) = (3, 7)
    #expect(try !page(now: [moved], before: [before]).contains("Not the same lines"))
    #expect(try !page(now: [], before: []).contains("Not the same lines"))
  }

  @Test("The document of the baseline brings them along")
  func document() {
    var integration = CoverageSample.report.integration
    integration.coverage = .available(Coverage(files: [], exclusions: [exclusion("A.swift", 5)]))
    #expect(Baseline(IntegrationDocument(integration)).exclusions == [exclusion("A.swift", 5)])
  }
}
