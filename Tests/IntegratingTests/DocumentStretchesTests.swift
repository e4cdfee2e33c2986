import Model
import Testing

@testable import Integrating

@Suite("Dead stretches of a coverage document")
struct DocumentStretchesTests {
  private func region(_ line: Int, _ columns: Range<Int>, _ count: UInt64) -> CoverageRegion {
    region((line, columns.lowerBound), (line, columns.upperBound), count)
  }

  private func region(_ start: (Int, Int), _ end: (Int, Int), _ count: UInt64) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
      count: count)
  }

  private func stretches(_ regions: [CoverageRegion], _ states: [LineState]) -> [DeadStretch] {
    let lines = states.enumerated().map { index, state in
      LineCoverage(line: index + 1, count: state == .neverRan ? 0 : 2, state: state)
    }
    let function = FunctionCoverage(name: "f()", symbol: "", count: 2, regions: regions)
    return FileCoverage(
      path: "A.swift", target: "A", lines: lines, deadStretches: [], functions: [function], totals: CoverageTotals(),
      llvmLines: Tally()
    ).stretches
  }

  @Test("A closure that is a side of ?: has two regions of one span, and ran when one of them did")
  func sameSpan() {
    // f(x ? { a } : { b }), of which the first closure was chosen and not called, the second one neither.
    let regions = [
      region(1, 1..<30, 2), region(1, 7..<12, 0), region(1, 7..<12, 1), region(1, 15..<20, 0), region(1, 15..<20, 0),
    ]
    #expect(stretches(regions, [.partlyRan]) == [DeadStretch(line: 1, columns: 15..<20)])
  }

  @Test("What ran inside of something dead is not marked, and the rest of it is")
  func inner() {
    let regions = [region(1, 1..<30, 2), region(1, 5..<20, 0), region(1, 8..<10, 3)]
    #expect(
      stretches(regions, [.partlyRan])
        == [DeadStretch(line: 1, columns: 5..<8), DeadStretch(line: 1, columns: 10..<20)])
  }

  @Test("A stretch over several lines is marked on those that ran, up to its end")
  func lines() {
    let regions = [region((1, 1), (4, 2), 2), region((1, 5), (3, 9), 0), region(3, 12..<14, 1)]
    #expect(
      stretches(regions, [.partlyRan, .neverRan, .ran, .ran])
        == [DeadStretch(line: 1, columns: 5..<Int.max), DeadStretch(line: 3, columns: 1..<9)])
  }

  @Test("On a line that is said to have run as a whole, nothing dead begins")
  func whole() {
    #expect(stretches([region((1, 1), (3, 2), 2), region((1, 9), (3, 1), 0)], [.ran, .neverRan]) == [])
  }
}
