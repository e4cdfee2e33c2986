import Model
import Testing

@testable import Rendering

@Suite("What is told of changed lines that are left out")
struct HiddenPatchTests {
  private static let files = ["Sources/A/<B>.swift", "Sources/A/C.swift", "D,1.swift", "E.swift"]

  private func changes(
    _ files: [String] = files, since origin: PatchCoverage.Origin = .integration(41)
  ) -> CoverageChanges {
    var patch = PatchCoverage(origin: origin, files: [])
    patch.leftOut = files
    return CoverageChanges(
      comparison: .known(CoverageComparison(baseline: 41, before: CoverageTotals(), files: [])), patch: .known(patch))
  }

  @Test("The first files are named on the terminal; of a first commit nothing is, all of it being new")
  func terminal() {
    #expect(
      ChangeSummary(changes()).patchLeftOut
        == "changed lines of Sources/A/<B>.swift, Sources/A/C.swift, D,1.swift and 1 more file")
    #expect(ChangeSummary(changes(["E.swift"])).patchLeftOut == "changed lines of E.swift")
    #expect(ChangeSummary(changes([])).patchLeftOut == nil)
    #expect(ChangeSummary(changes(since: .nothing)).patchLeftOut == nil)
  }

  @Test("Markdown lists them")
  func markdown() throws {
    #expect(
      try ExportSample.text(of: changes(), as: .markdown).contains(
        """

        Patch: no counted line changed; some are left out on request.

        Left out: changed lines of 4 files.

        - `pkg/Sources/A/<B>.swift`
        - `pkg/Sources/A/C.swift`
        - `pkg/D,1.swift`
        - `pkg/E.swift`

        """))
    let many = try ExportSample.text(of: changes((10...31).map { "\($0).swift" }), as: .markdown)
    #expect(many.contains("- `pkg/29.swift`\n- … and 2 more files\n"))
    #expect(
      try ExportSample.text(of: changes(["E.swift"]), as: .markdown).contains("Left out: changed lines of 1 file.\n"))
    #expect(try !ExportSample.text(of: changes([]), as: .markdown).contains("Left out"))
  }

  @Test("GitHub is told in one notice, for which there is room beside others")
  func gitHub() throws {
    func notices(_ changes: CoverageChanges) throws -> [Substring] {
      try ExportSample.text(of: changes, as: .github).split(separator: "\n").filter { $0.hasPrefix("::notice ") }
    }
    #expect(
      try notices(changes()) == [
        "::notice title=coverage left out::Changed lines of pkg/Sources/A/<B>.swift, pkg/Sources/A/C.swift, pkg/D,1.swift "
          + "and 1 more file are left out of the coverage."
      ])
    var many = changes(["50%.swift"])
    let touched = PatchCoverage.File(
      path: "F.swift", ran: [], partlyRan: [], neverRan: (1...12).map { $0 * 2 })
    var patch = try #require(many.patch.value)
    patch.files = [touched]
    many.patch = .known(patch)
    let all = try notices(many)
    #expect(all.count == 10)
    #expect(
      all.suffix(2) == [
        "::notice title=coverage left out::Changed lines of pkg/50%25.swift are left out of the coverage.",
        "::notice title=coverage of the change::4 more changed lines never ran.",
      ])
    #expect(try notices(changes([])).isEmpty)
  }

  @Test("The pages name them, and do not call such a change covered")
  func pages() throws {
    var report = CoverageSample.report
    report.integration.changes = changes()
    let site = try PageSite(report)
    let page = site.text("coverage.html")
    let words = "Changed lines of Sources/A/&lt;B&gt;.swift, Sources/A/C.swift, D,1.swift and E.swift"
    #expect(page.contains("<p class=\"note calm\">\(words) are left out.</p>"))
    #expect(page.contains(">No counted line changed.</p>"))
    #expect(
      site.text("index.html").contains(
        "<dt>Left out</dt><dd>changed lines of Sources/A/&lt;B&gt;.swift, Sources/A/C.swift, D,1.swift and 1 more file</dd>"
      ))
    report.integration.changes = changes([])
    let plain = try PageSite(report)
    #expect(plain.text("coverage.html").contains(">No counted line changed.</p>"))
    #expect(!plain.text("coverage.html").contains("were not looked at"))
    #expect(!plain.text("index.html").contains("<dt>Left out</dt>"))
  }
}
