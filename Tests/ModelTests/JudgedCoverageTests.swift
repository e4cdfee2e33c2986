import Model
import Testing

@Suite("The coverage as gates count it")
struct JudgedCoverageTests {
  private func file(_ path: String) -> FileCoverage {
    FileCoverage(
      path: path, target: "Shop", lines: [LineCoverage(line: 1, count: 0, state: .neverRan)], deadStretches: [],
      functions: [], totals: CoverageTotals(lines: LineTally(total: 1)), llvmLines: Tally())
  }

  @Test("A file that only the package leaves out counts, and is not called left out; one of the bot's stays out")
  func judged() {
    let exclusions = ["Sources/A.swift", "Sources/C.swift"].map {
      CoverageExclusion(path: $0, lines: LineTally(total: 1), by: "**")
    }
    let marked = CoverageExclusion(
      path: "Sources/A.swift", firstLine: 9, lastLine: 9, lines: LineTally(total: 1), by: "coverage:ignore")
    var coverage = Coverage(files: [file("Sources/B.swift")], exclusions: exclusions + [marked])
    #expect(coverage.judged == coverage)
    coverage.setAside = [file("Sources/A.swift")]
    #expect(coverage.judged.files.map(\.path) == ["Sources/A.swift", "Sources/B.swift"])
    #expect(coverage.judged.exclusions == [marked, exclusions[1]])
    #expect(coverage.judged.judged == coverage.judged)
    #expect(coverage.totals.lines.total == 1)
  }
}
