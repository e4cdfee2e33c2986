import Model
import Syntax
import Testing

@Suite("Brackets, statements and certainty")
struct SourceCodeTests {
  private func code(_ text: String, _ language: SourceLanguage = .swift) -> SourceCode {
    SourceCode(Array(text.utf8), in: language)
  }

  private func all(_ text: String, _ language: SourceLanguage = .swift) -> [String] {
    let code = code(text, language)
    return code.tokens.indices.map { String(decoding: code.text($0), as: UTF8.self) }
  }

  /// The texts between a bracket and its partner, both included.
  private func pairs(_ text: String, _ language: SourceLanguage = .swift) -> [String] {
    let code = code(text, language)
    return code.tokens.filter(\.isOpening).compactMap { token in
      token.partner.map { String(decoding: code.bytes[token.start..<code.tokens[$0].range.upperBound], as: UTF8.self) }
    }
  }

  @Test("Every word and sign is a token, and an operator is one")
  func everything() {
    #expect(all("a ?? b!.c&&d") == ["a", "??", "b", "!", ".", "c", "&&", "d"])
    #expect(
      all("f(x: -1, `in`)->A<B>?") == ["f", "(", "x", ":", "-", "1", ",", "`in`", ")", "->", "A", "<", "B", ">?"])
    #expect(all("a ??.b = .c ..< d") == ["a", "??", ".", "b", "=", ".", "c", "..<", "d"])
    #expect(
      all("if (a&&b||!c) *p++;", .c) == ["if", "(", "a", "&&", "b", "||", "!", "c", ")", "*", "p", "+", "+", ";"])
  }

  @Test(
    "A function may wait at each await in its body, and for what it begins",
    arguments: [
      ("@Test func f() async { while true { try? await g() } }", 1, ["1:42"]),
      ("@Test\nfunc f() async {\n  a()\n  await b()\n}\nfunc g() { await c() }", 1, ["4:3"]),
      ("func f() async { await a(); await b() }", 1, ["1:18", "1:29"]),
      ("func f() async { async let a = b(); await a }", 1, ["1:18", "1:37"]),
      ("func f() { a() }\nfunc g() { await b() }", 1, []),
      ("func f() { \"await\" /* await */ }", 1, []), ("func f() { await a() }", 2, []),
      ("func f() { await a(", 1, []),
    ] as [(String, Int, [String])])
  func awaits(text: String, line: Int, places: [String]) {
    #expect(code(text).awaits(inFunctionAt: line).map { "\($0.line):\($0.column)" } == places)
  }

  @Test("The body of a function reaches from one bracket to the other")
  func body() {
    let text = "@Test\nfunc f() {\n  a { b() }\n}\nfunc g() { c() }\n"
    #expect(code(text).bodyLines(ofFunctionAt: 1) == 2...4)
    #expect(code(text).bodyLines(ofFunctionAt: 5) == 5...5)
    #expect(code(text).bodyLines(ofFunctionAt: 6) == nil)
  }

  @Test("Brackets know each other, also around an interpolation")
  func brackets() {
    #expect(pairs("f(a[1], { b })") == ["(a[1], { b })", "[1]", "{ b }"])
    #expect(pairs(##""a \(f(")")) b""##) == [##"\(f(")"))"##, ##"(")")"##])
    #expect(pairs("{ ( }") == ["{ ( }"] && pairs("( ]") == [])
    #expect(pairs("\"\\(f(\n)") == [])
    #expect(pairs("f(')', \"(\") /* ( */", .c) == ["(')', \"(\")"])
  }

  @Test("A string is cut at what is interpolated")
  func interpolation() {
    let code = code(#""a \(b)c\(d)""#)
    #expect(
      code.tokens.map(\.kind) == [
        .string, .interpolation, .name, .interpolationEnd, .string, .interpolation, .name, .interpolationEnd, .string,
      ])
  }

  @Test(
    "A source in which something is not closed is not whole",
    arguments: ["{", "}", "(]", "\"a", "\"\"\"a\"", "/* a", "#/a", "f(\n}", "\"\\(a\nb)\"", "\"\\(a"])
  func broken(_ text: String) {
    #expect(!code(text).isWhole)
    #expect(code("let a = f(\"(\", #\"\"\"#, /[(]\"/) { \"\\(1)\" } // {").isWhole)
  }

  @Test("A line of a condition of the compiler is one to its end")
  func conditions() {
    let code = code("#if A && B // c\nf() #if\n  #elseif os(X)\n#endif\n#warning(\"a\")")
    let found = code.tokens.indices.filter { code.tokens[$0].isOfCondition }.map { code.word($0) }
    #expect(found == ["if", "A", "&&", "B", "// c", "elseif", "os", "(", "X", ")", "endif"])
  }

  @Test(
    "A line break ends a statement unless what stands around it goes on",
    arguments: [
      ("a\nb", true), ("a,\nb", false), ("a\n.b", false), ("a\n? b", false), ("a ?\nb", false), ("a?\nb", true),
      ("try\nb", false), ("a\nelse", false), ("f()\nb", true), ("f(\nb", false),
      ("a // c\nb", true), ("a ??\nb", false), ("() ->\nb", false), ("Int??\nb", true),
    ])
  func statements(_ text: String, _ isStart: Bool) throws {
    let code = code(text)
    let second = try #require(code.tokens.indices.last { code.tokens[$0].startsLine })
    #expect(code.startsStatement(second) == isStart)
  }

  @Test("Walking backwards, what is in brackets counts as one, and the bracket around ends it")
  func backwards() {
    let code = code("x { a(1, [2]) \"\\(b) c\" // )\n d")
    var walk = BackwardTokens(code, before: code.tokens.count)
    var found: [String] = []
    while let token = walk.next() { found.append(String(decoding: code.text(token), as: UTF8.self)) }
    #expect(found == ["d", " c\"", "\\(", "\"", "(", "a"])
    #expect(walk.enclosing.map { code.isToken($0, "{") } == true && !walk.isCut)
    walk.leaveBracket()
    #expect(walk.next() == 0 && walk.next() == nil && walk.enclosing == nil)
  }

  @Test("Lines are known by their offsets, and words are found in any bytes")
  func lines() {
    let code = code("a\nbc\n\nd")
    #expect((0...7).map(code.lines.line(of:)) == [1, 1, 2, 2, 2, 3, 4, 4])
    #expect(code.range(ofLine: 2) == 2..<4 && code.range(ofLine: 5).isEmpty)
    #expect(SourceLines.count(Array("a\n".utf8)) == 1 && SourceLines.count([]) == 0)
    let bytes = Array("x:coverage:ignore".utf8)
    #expect(
      bytes.holds("coverage:ignore") && !bytes.holds("average:ignore") && !bytes.dropLast().holds("coverage:ignore"))
  }
}

extension ArraySlice<UInt8> {
  fileprivate func holds(_ word: String) -> Bool { Array(self).holds(word) }
}
