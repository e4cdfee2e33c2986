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
    let hunk = SourceHunk(
      Self.hunk, in: LineMap(hunks: [Self.hunk]), of: "S.swift", from: Self.before, to: Self.after)
    #expect(Self.lines(hunk) == ["1 a", "2 b", "3-c", "3+C1", "4+C2", "5 d", "6 e"])
  }

  @Test("A new file is cut to ten lines, the first or those around one, and nothing follows the cut")
  func new() throws {
    let text = Array((1...30).map { "line \($0)\n" }.joined().utf8)
    let own = try #require(LineMap.allNew.hunks.first)
    let hunk = SourceHunk(own, in: .allNew, of: "S.swift", from: [], to: text)
    #expect(Self.lines(hunk) == (1...10).map { "\($0)+line \($0)" })
    let later = SourceHunk(own, in: .allNew, of: "S.swift", from: [], to: text, around: 20)
    #expect(Self.lines(later) == (15...24).map { "\($0)+line \($0)" })
    #expect(later.adds(.init(file: "S.swift", line: 20)) && !later.adds(.init(file: "S.swift", line: 3)))
  }

  @Test("A line is added where none was removed, also if that is left out")
  func adds() {
    let place = Model.SourceLocation(file: "S.swift", line: 20)
    let text = Array((1...30).map { "line \($0)\n" }.joined().utf8)
    func hunk(_ old: Range<Int>, _ new: Range<Int>) -> SourceHunk {
      let own = LineMap.Hunk(old: old, new: new)
      return SourceHunk(own, in: LineMap(hunks: [own]), of: "S.swift", from: Self.before, to: text, around: 20)
    }
    #expect(hunk(3..<3, 3..<30).adds(place) && hunk(3..<3, 19..<21).adds(place))
    #expect(!hunk(3..<4, 3..<30).adds(place) && !hunk(3..<4, 19..<21).adds(place))
  }

  @Test("All that changed in a file is kept, stretch by stretch, if it is little; of a new file nothing is")
  func all() throws {
    let before = Array((1...40).map { "line \($0)\n" }.joined().utf8)
    let after = Array((1...40).filter { $0 != 20 }.map { $0 == 3 ? "new\n" : "line \($0)\n" }.joined().utf8)
    let hunks = [LineMap.Hunk(old: 3..<4, new: 3..<4), LineMap.Hunk(old: 20..<21, new: 20..<20)]
    func all(_ hunks: [LineMap.Hunk]) -> SourceHunk? {
      SourceHunk(allOf: LineMap(hunks: hunks), of: "S.swift", from: before, to: after)
    }
    let hunk = try #require(all(hunks))
    #expect(
      Self.lines(hunk) == [
        "1 line 1", "2 line 2", "3-line 3", "3+new", "4 line 4", "5 line 5", "18 line 18", "19 line 19", "20-line 20",
        "20 line 21", "21 line 22",
      ])
    #expect(all([LineMap.Hunk(old: 3..<14, new: 3..<4)]) == nil && all([]) == nil)
    #expect(all([1, 11, 21, 31].map { LineMap.Hunk(old: $0..<($0 + 1), new: $0..<($0 + 1)) }) == nil)
    #expect(SourceHunk(allOf: .allNew, of: "S.swift", from: [], to: after) == nil)
  }

  @Test("Of a deleted file there are the lines around the one in question")
  func deleted() throws {
    let text = Array((1...30).map { "line \($0)\n" }.joined().utf8)
    let hunk = try #require(SourceHunk(deleted: "S.swift", text: text, around: 7))
    #expect(Self.lines(hunk) == (2...11).map { "\($0)-line \($0)" })
    #expect(SourceHunk(deleted: "S.swift", text: Self.before, around: 5)?.lines.map(\.number) == [1, 2, 3, 4, 5])
    #expect(SourceHunk(deleted: "S.swift", text: Self.before, around: 6) == nil)
  }

  @Test("Lines near each other are kept in one excerpt with those around them, and no more than may be")
  func excerpts() {
    func at(_ file: String, _ lines: [Int]) -> [Model.SourceLocation] { lines.map { .init(file: file, line: $0) } }
    let texts = [
      "S.swift": Array((1...30).map { "line \($0)\n" }.joined().utf8),
      "L.swift": Array((1...900).map { "line \($0)\n" }.joined().utf8),
    ]
    let found = SourceHunk.excerpts(of: at("S.swift", [3, 4, 12, 29]) + at("Gone.swift", [1])) { texts[$0] }
    #expect(found.map { $0.lines.map(\.number) } == [Array(1...16), Array(25...30)])
    #expect(found[0].lines[2].text == "line 3" && found[0].lines[2].change == nil)
    let many = SourceHunk.excerpts(of: at("L.swift", Array(1...500)) + at("S.swift", [3])) { texts[$0] }
    #expect(many.map(\.lines.count) == [200])
  }

  @Test("Removed lines at the end of a file have nothing behind them")
  func end() {
    let own = LineMap.Hunk(old: 4..<6, new: 4..<4)
    let hunk = SourceHunk(
      own, in: LineMap(hunks: [own]), of: "S.swift", from: Self.before, to: Array(Self.before.prefix(6)))
    #expect(Self.lines(hunk) == ["2 b", "3 c", "4-d", "5-e"])
  }

  @Test("Hunks whose surroundings meet are one, so that no line seems to have stood where it stands")
  func close() {
    let (before, after) = (Array("x\na\nb\nc\nd\n".utf8), Array("a\nb\nC1\nC2\nd\n".utf8))
    let hunks = [LineMap.Hunk(old: 1..<2, new: 1..<1), LineMap.Hunk(old: 4..<5, new: 3..<5)]
    for own in hunks {
      let hunk = SourceHunk(own, in: LineMap(hunks: hunks), of: "S.swift", from: before, to: after)
      #expect(Self.lines(hunk) == ["1-x", "1 a", "2 b", "4-c", "3+C1", "4+C2", "5 d"])
    }
  }

  @Test("A neighbour with too many lines is left out, with the lines that it added")
  func long() {
    let before = Array("a\nb\n".utf8)
    let after = Array(((1...11).map { "new \($0)\n" }.joined() + "a\nB\n").utf8)
    let (neighbour, own) = (LineMap.Hunk(old: 1..<1, new: 1..<12), LineMap.Hunk(old: 2..<3, new: 13..<14))
    let hunk = SourceHunk(own, in: LineMap(hunks: [neighbour, own]), of: "S.swift", from: before, to: after)
    #expect(Self.lines(hunk) == ["12 a", "2-b", "13+B"])
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
      replacing: [place("Old.swift", 3)])
    #expect(found.map(\.hunk) == [other, Self.hunk])
    #expect(difference.hunks(at: [], replacing: [place("Old.swift", 3)]).map(\.hunk) == [Self.hunk])
    #expect(difference.hunks(at: [], replacing: [place("Old.swift", 5)]).isEmpty)
  }
}
