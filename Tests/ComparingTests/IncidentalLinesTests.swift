import Comparing
import Model
import Testing

@Suite("Lines that ran without any test")
struct IncidentalLinesTests {
  private func lines(_ counts: [UInt64?]) -> [LineCoverage] {
    counts.enumerated().compactMap { index, count in
      count.map { LineCoverage(line: index + 1, count: $0, state: $0 > 0 ? .ran : .neverRan) }
    }
  }

  @Test("A line is incidental when the start of the processes explains all of its runs")
  func among() {
    let all = lines([2, 3, 2, 0, 1, nil, 7])
    #expect(IncidentalLines.among(all, startUp: lines([2, 2, 0, 0, 4, 9, nil])) == [1, 5])
    #expect(IncidentalLines.among(all, startUp: []) == [])
    #expect(IncidentalLines.among([], startUp: all) == [])
  }

  @Test("A counter that fell below zero proves nothing")
  func underflow() {
    #expect(IncidentalLines.among(lines([5, 1]), startUp: lines([UInt64.max - 2, 1])) == [2])
    #expect(IncidentalLines.among(lines([5, 1]), startUp: lines([UInt64(Int64.max), 1])) == [2])
  }
}
