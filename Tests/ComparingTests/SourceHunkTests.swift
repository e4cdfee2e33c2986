import Model
import Testing

@testable import Comparing

@Suite("Changed stretches of sources")
struct SourceHunkTests {
  private static let before = Array("a\nb\nc\nd\ne\n".utf8)
  private static let after = Array("a\nb\nC1\r\nC2\nd\ne\n".utf8)
  private static let hunk = LineMap.Hunk(old: 3..<4, new: 3..<5)

  private static func lines(_ hunk: SourceHunk) -> [String] {
    hunk.lines.map { "\($0.number)\($0.change == .removed ? "-" : $0.change == .added ? "+" : " ")\($0.text)" }
  }

  @Test("A hunk has what went, what came, and two lines on either side")
  func around() {
    let hunk = SourceHunk(Self.hunk, of: "S.swift", from: Self.before, to: Self.after)
    #expect(Self.lines(hunk) == ["1 a", "2 b", "3-c", "3+C1", "4+C2", "5 d", "6 e"])
  }

  @Test("A new file is cut to ten lines, the first or those around one, and nothing follows the cut")
  func new() throws {
    let text = Array((1...30).map { "line \($0)\n" }.joined().utf8)
    let hunk = SourceHunk(try #require(LineMap.allNew.hunks.first), of: "S.swift", from: [], to: text)
    #expect(Self.lines(hunk) == (1...10).map { "\($0)+line \($0)" })
    let later = SourceHunk(try #require(LineMap.allNew.hunks.first), of: "S.swift", from: [], to: text, around: 20)
    #expect(Self.lines(later) == (15...24).map { "\($0)+line \($0)" })
  }

  @Test("Removed lines at the end of a file have nothing behind them")
  func end() {
    let hunk = SourceHunk(
      LineMap.Hunk(old: 4..<6, new: 4..<4), of: "S.swift", from: Self.before, to: Array(Self.before.prefix(6)))
    #expect(Self.lines(hunk) == ["2 b", "3 c", "4-d", "5-e"])
  }

  @Test("The hunks of current lines come before that of an earlier line, each once, and untouched lines have none")
  func places() {
    let other = LineMap.Hunk(old: 9..<10, new: 10..<11)
    let file = FileDifference(
      status: .renamed, oldPath: "Old.swift", newPath: "S.swift", lines: LineMap(hunks: [Self.hunk, other]))
    let difference = SourceDifference([file])
    func place(_ file: String, _ line: Int) -> Model.SourceLocation { Model.SourceLocation(file: file, line: line) }
    let found = difference.hunks(
      at: [place("S.swift", 10), place("S.swift", 3), place("S.swift", 4), place("S.swift", 7), place("X.swift", 3)],
      replacing: place("Old.swift", 3))
    #expect(found.map(\.hunk) == [other, Self.hunk])
    #expect(difference.hunks(at: [], replacing: place("Old.swift", 3)).map(\.hunk) == [Self.hunk])
    #expect(difference.hunks(at: [], replacing: place("Old.swift", 5)).isEmpty)
  }
}
