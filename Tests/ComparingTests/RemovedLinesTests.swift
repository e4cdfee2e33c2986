import Comparing
import Model
import Testing

@Suite("What is gone from a file")
struct RemovedLinesTests {
  private let text = Array("a\nb\nc\nd\ne".utf8)

  @Test("Each stretch that a diff took out has its text, its place now and how much of it ran")
  func find() {
    let map = LineMap(hunks: [.init(old: 2..<4, new: 2..<2), .init(old: 5..<6, new: 3..<5)])
    let deleted = [
      FileComparison.Line(line: 2, category: .deletedRan, before: 3),
      FileComparison.Line(line: 3, category: .deletedNeverRan, before: 0),
    ]
    #expect(
      RemovedLines.find(by: map, in: text, deleted: deleted) == [
        RemovedLines(
          before: 2, first: 2, text: Array("b\nc\n".utf8), count: 2, code: Tally(total: 2, covered: 1)),
        RemovedLines(before: 3, first: 5, text: Array("e".utf8), count: 1, code: Tally()),
      ])
  }

  @Test("What was only added took nothing out, and a diff of another text is not believed")
  func nothing() {
    #expect(RemovedLines.find(by: LineMap(hunks: [.init(old: 2..<2, new: 2..<4)]), in: text, deleted: []).isEmpty)
    #expect(RemovedLines.find(by: LineMap(hunks: [.init(old: 4..<9, new: 4..<4)]), in: text, deleted: []).isEmpty)
    #expect(RemovedLines.find(by: LineMap(hunks: [.init(old: 1..<2, new: 1..<1)]), in: [], deleted: []).isEmpty)
  }

  @Test("Of a very long stretch the first lines are kept, and all are counted")
  func long() {
    let text = Array(String(repeating: "x\n", count: 500).utf8)
    let map = LineMap(hunks: [.init(old: 1..<501, new: 1..<1)])
    let removed = RemovedLines.find(by: map, in: text, deleted: [])
    #expect(removed.map(\.count) == [500] && removed.map(\.text.count) == [200])
  }

  @Test("Each stretch tells the lines with code that are its own")
  func several() {
    let map = LineMap(hunks: [
      .init(old: 1..<2, new: 1..<1), .init(old: 2..<2, new: 1..<3), .init(old: 3..<5, new: 4..<4),
    ])
    let deleted = [1, 3, 4].map { FileComparison.Line(line: $0, category: .deletedRan, before: $0 == 4 ? 0 : 2) }
    let removed = RemovedLines.find(by: map, in: Array("a\nb\nc\nd\n".utf8), deleted: deleted)
    #expect(removed.map(\.first) == [1, 3])
    #expect(removed.map(\.code) == [Tally(total: 1, covered: 1), Tally(total: 2, covered: 1)])
  }
}
