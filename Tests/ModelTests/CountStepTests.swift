import Model
import Testing

@Suite("The steps of counts through a file")
struct CountStepTests {
  private func region(
    _ start: (Int, Int), _ end: (Int, Int), _ count: UInt64
  ) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
      count: count)
  }

  private func words(_ regions: [CoverageRegion]) -> [String] {
    CountStep.steps(of: regions).map { step in
      "\(step.start.line):\(step.start.column) \(step.count.map(String.init) ?? "none")\(step.isEntry ? "" : " on")"
    }
  }

  @Test("The innermost region says the count, and behind it the one around it goes on")
  func nested() {
    #expect(
      words([region((1, 20), (1, 30), 2), region((1, 5), (3, 2), 9), region((1, 22), (1, 25), 0)])
        == ["1:5 9", "1:20 2", "1:22 0", "1:25 2 on", "1:30 9 on", "3:2 none on"])
  }

  @Test("Where a region begins as another ends, or as the one around it begins, there is one step")
  func adjacent() {
    #expect(
      words([region((1, 1), (1, 9), 4), region((1, 1), (1, 3), 1), region((1, 3), (1, 5), 2)])
        == ["1:1 1", "1:3 2", "1:5 4 on", "1:9 none on"])
  }

  @Test("Regions of one span are added up, as a closure and the side of ?: that it is")
  func sameSpan() {
    #expect(
      words([region((1, 5), (1, 9), 0), region((1, 5), (1, 9), 3), region((1, 5), (1, 9), 2)])
        == ["1:5 5", "1:9 none on"])
    #expect(words([region((1, 5), (1, 9), .max), region((1, 5), (1, 9), 3)]).first == "1:5 \(UInt64.max)")
  }

  @Test("A region of no width makes no step, and none reaches out of the one around it")
  func odd() {
    #expect(words([region((1, 5), (1, 5), 3)]) == [])
    #expect(
      words([region((1, 1), (1, 9), 4), region((1, 5), (2, 3), 1), region((1, 7), (3, 3), 2)])
        == ["1:1 4", "1:5 1", "1:7 2", "1:9 none on"])
    #expect(words([]) == [])
  }

  @Test("From the highest signed number on, a count is one below zero")
  func underflow() {
    #expect(UInt64(Int64.max).isUnderflow && UInt64.max.isUnderflow && !(UInt64(Int64.max) - 1).isUnderflow)
  }
}
