import Syntax
import TestGround
import Testing

@Suite("Any bytes become sound tokens")
struct SwiftLexerPropertyTests {
  @Test("Random bytes never trap and never overlap", arguments: 0..<20)
  func randomBytes(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0...400, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      expectSound(bytes, "seed \(seed): \(bytes)")
    }
  }

  @Test("Random pieces of Swift never trap and never overlap", arguments: 0..<20)
  func randomPieces(_ seed: UInt64) {
    let pieces = [
      "\"", "\"\"\"", "#", "##", "\\(", "\\#(", "(", ")", "/", "/*", "*/", "//", "\n", "\r\n", " ", "\\", "`", "@",
      "0x",
      "1", ".", "e+", "let", "self", "Foo", "é", "!", "[", "]", "{", "}", "get", "\u{0}", "\u{FEFF}", "async", "_",
      "$0",
    ]
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 0...60, using: &generator)
      let source = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      expectSound(Array(source.utf8), "seed \(seed): \(source.debugDescription)")
    }
  }

  @Test("Every beginning of a source is sound")
  func everyPrefix() {
    let source = Array(###"let a = "x \(f(#"y \#(1)"# + /re/)) z" /* é */ #/b/# 0x1.8p3 `c` @d"###.utf8)
    for end in source.indices { expectSound(Array(source[..<end]), "the first \(end) bytes") }
  }

  @Test(
    "What invites repeated searching takes a step per byte",
    arguments: [
      ("/(\\", ""), ("#\"\"\"\\#(", ""), ("#\"\"\"\\#(", "\"#"), ("\"\\(", ""), ("/a\\/", ""), ("/a\\/", " /"),
      ("\\/", " /"), ("####", ""), ("/*", ""), ("{/[", ""), ("(", ""), ("`", ""), ("set(", ""), ("#/", ""),
      ("#/a/#,", ""), ("0x1.f", ""),
    ])
  func repeated(_ piece: String, _ end: String) {
    let growth = Growth.atFourTimes(5_000) {
      Array((String(repeating: piece, count: $0) + end).utf8)
    } _: {
      expectSound($0, "\(piece) again and again, then \(end)")
    }
    #expect(growth < Growth.inProportion, "\(piece) again and again, then \(end)")
  }
}
