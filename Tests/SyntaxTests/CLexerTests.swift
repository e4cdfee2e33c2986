import Syntax
import TestGround
import Testing

@Suite("C, C++ and Objective-C become tokens")
struct CLexerTests {
  @Test("A declaration has keywords, numbers and plain names")
  func declaration() {
    #expect(
      tokenList("static const int most = 1'000 + x1; // all", .c) == """
        keyword static
        keyword const
        keyword int
        number 1'000
        comment // all
        """)
  }

  @Test("Block comments do not nest, and a line comment goes on behind a backslash")
  func comments() {
    #expect(tokenList("/* a /* b */ if", .c) == "comment /* a /* b */\nkeyword if")
    #expect(tokenList("// a \\\nif\nif", .c) == "comment // a \\⏎if\nkeyword if")
    #expect(tokenList("a / b // c\r\nif", .c) == "comment // c\nkeyword if")
    #expect(tokenList("/* a", .c) == "comment /* a")
  }

  @Test("What looks like a comment in a literal is none")
  func literals() {
    #expect(
      tokenList(#"f("/* \" //", '"', L"x", u8'y') /* z */"#, .c)
        == "string \"/* \\\" //\"\nstring '\"'\nstring L\"x\"\nstring u8'y'\ncomment /* z */")
    #expect(
      tokenList(#"R"(a)" R"end(" )"x )end" if"#, .c) == "string R\"(a)\"\nstring R\"end(\" )\"x )end\"\nkeyword if")
    #expect(tokenList("\"a\\\nb\" if", .c) == "string \"a\\⏎b\"\nkeyword if")
  }

  @Test("A literal that is not closed ends with its line")
  func unclosed() {
    #expect(tokenList("#error don't\nif", .c) == "directive #error\nstring 't\nkeyword if")
    #expect(tokenList(#"R"no parenthesis" if"#, .c) == "string R\"no parenthesis\"\nkeyword if")
  }

  @Test("Numbers have signs behind the letter of an exponent only")
  func numbers() {
    #expect(
      tokenList("1e-5 0x1E+2 0x1p-3 1.5f-.2", .c)
        == "number 1e-5\nnumber 0x1E\nnumber 2\nnumber 0x1p-3\nnumber 1.5f\nnumber .2")
  }

  @Test("Directives stand first on their line, and headers are literals")
  func directives() {
    #expect(
      tokenList("#include <a//b.h>\n  # define X a #b\n/* c */ #if X", .c) == """
        directive #include
        string <a//b.h>
        directive # define
        comment /* c */
        directive #if
        """)
  }

  @Test("Objective-C's words begin with a sign")
  func objectiveC() {
    #expect(tokenList(#"@interface A : B @"text" @1"#, .c) == "keyword @interface\nstring @\"text\"\nnumber 1")
  }

  @Test("Random pieces never trap and never overlap", arguments: 0..<20)
  func randomPieces(_ seed: UInt64) {
    let pieces = [
      "\"", "'", "R\"", "R\"x(", ")x\"", "(", ")", "/", "/*", "*/", "//", "\n", "\r\n", " ", "\\", "@", "#", "0x", "1",
      ".", "e+", "int", "u8", "L", "é", "<", ">", "#include", "\u{0}", "\u{FEFF}",
    ]
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0...60, using: &generator)
      let source = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      expectSound(Array(source.utf8), in: .c, "seed \(seed): \(source.debugDescription)")
    }
  }

  @Test(
    "What invites repeated searching takes a step per byte",
    arguments: ["R\"", "R\"x(", "R\"(", ")", "/*", "\"\\", "'", "\\\n", "#include <", "@", "1e+", "u8"])
  func repeated(_ piece: String) {
    let growth = Growth.atFourTimes(5_000) {
      Array(String(repeating: piece, count: $0).utf8)
    } _: {
      expectSound($0, in: .c, "\(piece) again and again")
    }
    #expect(growth < Growth.inProportion, "\(piece) again and again")
  }
}
