import Testing

@testable import Rendering

@Suite("Differences of two texts")
struct DifferenceTests {
  /// The text with what differs in brackets.
  private func marked(_ pieces: [WordDifference.Piece]) -> String {
    pieces.map { $0.differs ? "[\($0.text)]" : $0.text }.joined()
  }

  @Test(
    "Only what differs is marked, word by word",
    arguments: [
      (#""Good morning, Ada""#, #""Good afternoon, Ada""#, #""Good [morning], Ada""#, #""Good [afternoon], Ada""#),
      ("3", "4", "[3]", "[4]"),
      ("same", "same", "same", "same"),
      ("abcdefghij", "abcdeXghij", "abcde[f]ghij", "abcde[X]ghij"),
      ("a b", "a  b", "a b", "a [ ]b"),
      ("Point(x: 1, y: 2)", "Point(x: 1, y: 25)", "Point(x: 1, y: 2)", "Point(x: 1, y: 2[5])"),
      ("", "new", "", "[new]"),
      ("one two three", "one 2 drei three", "one [two] three", "one [2 drei] three"),
    ])
  func words(first: String, second: String, markedFirst: String, markedSecond: String) {
    let difference = WordDifference(first, second)
    #expect(marked(difference.first) == markedFirst)
    #expect(marked(difference.second) == markedSecond)
  }

  @Test("The pieces of each text join to the text")
  func whole() {
    let texts = ["", "a", "a b c", "x(y, z)", "Grüße, 👋 Welt", "  two  spaces ", "line\nline", "a_b-c.d"]
    for first in texts {
      for second in texts {
        let difference = WordDifference(first, second)
        #expect(difference.first.map(\.text).joined() == first)
        #expect(difference.second.map(\.text).joined() == second)
      }
    }
  }

  @Test("Places pair what differs in the first with what differs in the second")
  func places() {
    let difference = WordDifference("a = 1, b = 2, c = 3", "a = 1, b = 5, c = 33")
    #expect(difference.places.map(\.first) == ["2", ""])
    #expect(difference.places.map(\.second) == ["5", "3"])
    #expect(WordDifference("x", "x").places.isEmpty)
  }

  @Test("The runs of two sequences cover both")
  func runs() {
    let runs = SequenceDifference.runs(Array("abcabba"), Array("cbabac"))
    #expect(runs.flatMap(\.first) == Array(0..<7))
    #expect(runs.flatMap(\.second) == Array(0..<6))
    #expect(runs.filter(\.isSame).reduce(0) { $0 + $1.first.count } == 4)
  }

  @Test("Parts that are too long to compare count as replaced")
  func limit() {
    let runs = SequenceDifference.runs([1, 2, 3, 4, 9], [1, 4, 3, 2, 9], limit: 3)
    #expect(
      runs == [
        .init(first: 0..<1, second: 0..<1, isSame: true), .init(first: 1..<4, second: 1..<4, isSame: false),
        .init(first: 4..<5, second: 4..<5, isSame: true),
      ])
  }

  @Test("Long operands keep what stands beside a difference")
  func folded() {
    let long = String(repeating: "same ", count: 200)
    let difference = WordDifference(long + "1", long + "2")
    let folded = Operands.folded(difference.first)
    #expect(marked(folded).hasPrefix("… 880 characters alike … same"))
    #expect(marked(folded).hasSuffix("same [1]"))
  }

  @Test("Few lines are not compared line by line")
  func fewLines() {
    #expect(LineDifference("a\nb", "a\nc") == nil)
    #expect(LineDifference("a\nb\nc\nd", "a") != nil)
    #expect(LineDifference(#""a\nb\nc\nd""#, #""a""#) != nil, "the line feeds of a printed literal count")
    #expect(LineDifference(#"a\nb\nc\nd"#, "a") == nil)
  }
}
