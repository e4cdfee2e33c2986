import Model
import Testing

@testable import Rendering

@Suite("What is told of changed lines that do not count")
struct UncountedPatchTests {
  private static let files = [
    UncountedPatchFile(path: "../Core/<C>.swift", package: "Core", lines: LineTally(total: 1), neverRan: [2]),
    UncountedPatchFile(path: "../Core/D.swift", package: "Core", lines: LineTally(total: 2), neverRan: [1, 2]),
    UncountedPatchFile(path: "Old.swift", package: nil, lines: LineTally(total: 1, covered: 1)),
  ]
  private static let reason =
    "they are of another package of this repository, which a bot with `package: Core` would count"

  private func changes(
    _ files: [UncountedPatchFile] = files, since origin: PatchCoverage.Origin = .integration(41)
  ) -> CoverageChanges {
    var patch = PatchCoverage(origin: origin, files: [])
    patch.uncounted = files
    return CoverageChanges(
      comparison: .known(CoverageComparison(baseline: 41, before: CoverageTotals(), files: [])), patch: .known(patch))
  }

  @Test("They are not called lines without code; of a first commit nothing is said, all of it being new")
  func terminal() {
    let summary = ChangeSummary(changes())
    #expect(summary.patch == "no counted line changed")
    #expect(
      summary.patchUncounted == [
        "changed lines of ../Core/<C>.swift, ../Core/D.swift do not count: \(Self.reason)",
        "changed lines of Old.swift do not count: they are in none of the package's targets",
      ])
    let unknown = UncountedPatchFile(path: "V/V.swift", package: nil, lines: nil)
    #expect(
      ChangeSummary(changes([unknown])).patchUncounted == [
        "lines that changed, or may have, in V/V.swift do not count: they are in none of the package's targets"
      ])
    #expect(ChangeSummary(changes([])).patch == "no counted line changed")
    #expect(ChangeSummary(changes([])).patchUncounted == [])
    #expect(ChangeSummary(changes(since: .nothing)).patchUncounted == [])
  }

  @Test("Markdown lists them by the paths of the repository")
  func markdown() throws {
    #expect(
      try ExportSample.text(of: changes(), as: .markdown).contains(
        """

        Patch: no counted line changed.

        Changed lines of 2 files do not count: they are of another package of this repository, which a bot with \\`package: Core\\` would count.

        - `Core/<C>.swift`
        - `Core/D.swift`

        Changed lines of 1 file do not count: they are in none of the package's targets.

        - `pkg/Old.swift`

        """))
    #expect(try !ExportSample.text(of: changes([]), as: .markdown).contains("do not count"))
  }

  @Test("GitHub is told in one notice of each kind, which no name of a file or a folder can end")
  func gitHub() throws {
    func notices(_ changes: CoverageChanges) throws -> [Substring] {
      try ExportSample.text(of: changes, as: .github).split(separator: "\n").filter { $0.hasPrefix("::notice ") }
    }
    #expect(
      try notices(changes()) == [
        "::notice title=not counted::Changed lines of Core/<C>.swift, Core/D.swift do not count: \(Self.reason).",
        "::notice title=not counted::Changed lines of pkg/Old.swift do not count: they are in none of the package's targets.",
      ])
    let evil = UncountedPatchFile(path: "../a\n::error::b/50%.swift", package: "a\n::error::b", lines: nil)
    let told = try notices(changes([evil]))
    #expect(told.count == 1 && told[0].contains("50%25.swift"))
    #expect(
      try !ExportSample.text(of: changes([evil]), as: .github).split(separator: "\n").contains {
        $0.hasPrefix("::error::b")
      })
    #expect(try notices(changes([])).isEmpty)
  }

  @Test("The pages name them, and do not call such a change covered")
  func pages() throws {
    var report = CoverageSample.report
    report.integration.changes = changes()
    let site = try PageSite(report)
    let page = site.text("coverage.html")
    #expect(
      page.contains(
        "<p class=\"note calm\">Changed lines of ../Core/&lt;C&gt;.swift, ../Core/D.swift do not count: \(Self.reason).</p>"
      ))
    #expect(page.contains(">No counted line changed.</p>"))
    let first = site.text("index.html")
    #expect(
      first.contains(
        "<dt>Not counted</dt><dd>changed lines of ../Core/&lt;C&gt;.swift, ../Core/D.swift do not count: \(Self.reason)</dd>"
      ))
    report.integration.changes = changes([])
    let plain = try PageSite(report)
    #expect(!plain.text("coverage.html").contains("do not count"))
    #expect(!plain.text("index.html").contains("<dt>Not counted</dt>"))
  }
}
