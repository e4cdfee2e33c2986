import Model
import Parsing
import Testing

@Suite("Functions and regions some lines of which are left out")
struct ExcludedFunctionsTests {
  private func region(_ start: (Int, Int), _ end: (Int, Int), count: UInt64 = 0) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
      count: count)
  }

  /// Two functions: the first one from line 1 to 6 with an `if` in it, the second one from line 7 to 9.
  private var file: FileCoverage {
    let functions = [
      FunctionCoverage(
        name: "third(_:)", symbol: "t", count: 0, regions: [region((1, 40), (6, 2)), region((2, 12), (4, 4))]),
      FunctionCoverage(name: "fourth()", symbol: "f", count: 0, regions: [region((7, 30), (9, 2))]),
    ]
    return FileCoverage(
      path: "A.swift", target: "A", lines: (1...9).map { LineCoverage(line: $0, count: 0, state: .neverRan) },
      deadStretches: [], functions: functions,
      totals: CoverageTotals(
        lines: LineTally(total: 9), regions: Tally(total: 3), functions: Tally(total: 2)),
      llvmLines: Tally(total: 9))
  }

  /// The text of nine lines with a word behind some of them.
  private func result(_ markers: [Int: String], of file: FileCoverage? = nil) -> SourceExclusions.Result {
    let text = (1...9).map { line in "f()\(markers[line].map { " // coverage:ignore\($0)" } ?? "")\n" }.joined()
    return SourceExclusions(globs: []).apply(to: file ?? self.file, source: Array(text.utf8))
  }

  @Test("A function whose first line is left out keeps its name and its regions, and the marker says what it left")
  func firstLine() throws {
    let result = result([1: ""])
    let rest = try #require(result.file)
    #expect(rest.functions == file.functions)
    #expect(rest.lines.map(\.line) == Array(2...9))
    #expect(result.exclusions.map(\.onlyFirstLineOf) == ["third(_:)"])
    #expect(
      result.exclusions.map(\.onlyFirstLineSentence) == [
        "coverage:ignore at A.swift:1 leaves out its own line, not the rest of third(_:)"
      ])
  }

  @Test("A function of which no line counts is gone with its regions; llvm-cov's figures stay")
  func wholeFunction() throws {
    let result = result([1: "-start", 6: "-end"])
    let rest = try #require(result.file)
    #expect(rest.functions.map(\.name) == ["fourth()"])
    #expect(rest.totals.regions == Tally(total: 3) && rest.totals.functions == Tally(total: 2))
    #expect(result.exclusions.map(\.onlyFirstLineOf) == [nil])
  }

  @Test("A function of which the last line still counts stays, without the regions that lie in what is left out")
  func allButItsEnd() throws {
    let rest = try #require(result([1: "-start", 5: "-end"]).file)
    #expect(rest.functions.map(\.name) == ["third(_:)", "fourth()"])
    #expect(rest.functions.first?.regions == [region((1, 40), (6, 2))])
    #expect(rest.functions.first?.entries == [0])
    #expect(rest.lines.map(\.line) == Array(6...9))
  }

  @Test("Of an accessor that is left out the body is gone, and those behind it are still bodies")
  func entries() throws {
    var file = file
    file.functions[0].regions = [region((1, 10), (3, 2)), region((4, 10), (6, 2)), region((5, 3), (5, 9))]
    file.functions[0].entries = [0, 1]
    file.functions[1].regions = [region((3, 10), (4, 8))]
    let rest = try #require(result([1: "-start", 3: "-end"], of: file).file)
    try #require(rest.functions.map(\.line) == [3, 4])
    #expect(rest.functions[1].regions == [region((4, 10), (6, 2)), region((5, 3), (5, 9))])
    #expect(rest.functions[1].entries == [0])
  }

  @Test("A region without a line that counts, as nothing asked to leave it out, stays")
  func withoutLines() throws {
    var file = file
    file.lines.removeAll { $0.line > 6 }
    let rest = try #require(result([2: ""], of: file).file)
    #expect(rest.functions == file.functions)
  }

  @Test("A marker behind a function of one line, or inside of one, leaves nothing to be told")
  func nothingLeft() throws {
    var file = file
    file.functions[1].regions = [region((7, 3), (7, 20))]
    #expect(result([3: "", 7: ""], of: file).exclusions.map(\.onlyFirstLineOf) == [nil, nil])
    #expect(result([3: "", 7: ""], of: file).file?.functions.map(\.name) == ["third(_:)"])
    #expect(result([1: "-start", 2: "-end"]).exclusions.map(\.onlyFirstLineOf) == [nil])
  }
}
