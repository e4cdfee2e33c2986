import Testing

@Suite("Swift text")
struct SwiftTextTests {
  private func code(_ text: String) -> [String] {
    SwiftText(path: "a.swift", text).code
  }

  /// The code without spaces; blanks stand for what is no code.
  private func squeezed(_ text: String) -> [String] {
    code(text).map { String($0.filter { $0 != " " }) }
  }

  @Test("Comments are no code, nested ones included")
  func comments() {
    let text = SwiftText(path: "a.swift", "a // b\n/* c /* d */\ne */ f")
    #expect(text.code == ["a     ", "            ", "     f"])
    #expect(text.comments == ["  // b", "/* c /* d */", "e */  "])
  }

  @Test("The contents of strings are no code, what is interpolated is")
  func strings() {
    #expect(squeezed(#"a("x // \(b("y")) \" {", c)"#) == ["a(b(),c)"])
    #expect(squeezed("let a = #\"\\(b) \"# + c") == ["leta=+c"])
    #expect(squeezed("let a = ##\"\"# \\##(b) \"## + c") == ["leta=b+c"])
    #expect(squeezed("let a = \"\"\"\n  \" { \\(b)\n  \"\"\" + c") == ["leta=", "b", "+c"])
  }

  @Test("A string that is never closed ends with its line")
  func openString() {
    #expect(code("a \"b\nc") == ["a   ", "c"])
  }

  @Test("Number signs that begin no string are code")
  func directives() {
    #expect(code("#if a\n#expect(b)\n##") == ["#if a", "#expect(b)", "##"])
  }
}
