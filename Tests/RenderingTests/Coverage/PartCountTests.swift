import Model
import Testing

@testable import Rendering

@Suite("Counts inside of lines")
struct PartCountTests {
  private func region(_ line: Int, _ columns: Range<Int>, _ count: UInt64, through last: Int? = nil) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: line, column: columns.lowerBound),
      end: SourcePosition(line: last ?? line, column: columns.upperBound), count: count)
  }

  private func coverage(
    _ lines: [LineCoverage], _ regions: [CoverageRegion], dead: [DeadStretch] = []
  ) -> FileCoverage {
    let function = FunctionCoverage(name: "f()", symbol: "", count: 9, regions: regions)
    return file(lines: lines, dead: dead, functions: [function])
  }

  private func listing(_ source: String, _ coverage: FileCoverage) -> String {
    let listing = SourceListing(HighlightedSource(Array(source.utf8), path: "a.swift"), coverage: coverage)
    return String(decoding: listing.html().bytes, as: UTF8.self)
  }

  @Test("A part has its count when it ends on its line and ran, but otherwise than the line")
  func parts() {
    let lines = (1...4).map { LineCoverage(line: $0, count: 9, state: .ran) }
    let file = coverage(
      lines,
      [
        region(1, 1..<20, 9), region(1, 8..<12, 2), region(1, 8..<9, 1), region(2, 5..<7, 0),
        region(3, 4..<9, 3, through: 4), region(4, 6..<6, 4), region(5, 1..<3, 4),
      ])
    #expect(file.partCounts == [PartCount(line: 1, column: 8, count: 2)])
  }

  @Test("It stands where the part begins, in a row of its own, and changes no text")
  func shown() {
    let source = "a()\nlet b = c ?? \"é\" ?? d(1)\na()\n"
    let lines = [
      LineCoverage(line: 1, count: 12_345, state: .ran), LineCoverage(line: 2, count: 12_345, state: .partlyRan),
      LineCoverage(line: 3, count: 12_345, state: .ran),
    ]
    let file = coverage(
      lines, [region(2, 14..<18, 11_000), region(2, 22..<26, 0)], dead: [DeadStretch(line: 2, columns: 22..<26)])
    let html = listing(source, file)
    #expect(html.contains("c ?? <sup title=11.0k></sup><u>\"é\"</u>"))
    #expect(html.contains("<span class=\"dead\" title=\"never ran\">d(<var>1</var>)</span>"))
    #expect(html.matches(of: /<tr id=L/).count == 3)
  }

  @Test("Lines that say the same stay one row, but for the one with a part")
  func rows() {
    let lines = (1...4).map { LineCoverage(line: $0, count: 9, state: .ran) }
    let html = listing("a()\nb(c ?? d)\ne()\nf()\n", coverage(lines, [region(2, 8..<9, 2)]))
    #expect(html.matches(of: /<tr id=L(\d)/).map { String($0.1) } == ["1", "2", "3"])
    #expect(html.contains("b(c ?? <sup title=2></sup>d)\n"))
  }
}
