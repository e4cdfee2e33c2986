import Syntax
import Testing

@Suite("String and regex literals become tokens")
struct SwiftLexerLiteralTests {
  @Test("Escapes do not end a string")
  func escapes() {
    #expect(tokenList(#""a\"b\\" + "c""#) == #"string "a\"b\\""# + "\n" + #"string "c""#)
    #expect(tokenList(#""" + x"#) == #"string """#)
  }

  @Test("Code inside an interpolation is code, to any depth")
  func interpolation() {
    #expect(
      tokenList(#"let a = "x \(f("y \(1)") + Int(2)) z""#) == #"""
        keyword let
        string "x \(
        string "y \(
        number 1
        string )"
        type Int
        number 2
        string ) z"
        """#)
  }

  @Test("A raw string ends with its number signs only")
  func raw() {
    #expect(tokenList(##"#"a " \n \(x) "#"##) == ##"string #"a " \n \(x) "#"##)
    #expect(
      tokenList(###"##"a "# \#(no) \##(yes)"##"###) == ###"string ##"a "# \#(no) \##("### + "\n" + ###"string )"##"###)
    #expect(tokenList(##"#"""# + 1"##) == ##"string #"""#"## + "\nnumber 1")
  }

  @Test("A multi-line string holds quotes, and strings in its interpolations")
  func multiline() {
    let source = """
      let a = \"""
        "one" ""two"" \\(x + \"""
          inner
          \""")
        \\\"""
        \"""
      1
      """
    #expect(
      tokenList(source) == """
        keyword let
        string \"""⏎  "one" ""two"" \\(
        string \"""⏎    inner⏎    \"""
        string )⏎  \\\"""⏎  \"""
        number 1
        """)
  }

  @Test("A raw multi-line string")
  func rawMultiline() {
    #expect(tokenList("#\"\"\"\na \"\"\" \\(b)\n\"\"\"#\n1") == "string #\"\"\"⏎a \"\"\" \\(b)⏎\"\"\"#\nnumber 1")
  }

  @Test("An unterminated string ends with its line, with or without interpolation")
  func unterminated() {
    #expect(tokenList("\"abc\nlet x") == "string \"abc\nkeyword let")
    #expect(tokenList("\"abc \\(x\nlet y = \"z\"") == "string \"abc \\(\nkeyword let\nstring \"z\"")
    #expect(tokenList("\"\"\"\nabc\nlet") == "string \"\"\"⏎abc⏎let")
    #expect(tokenList("\"abc\\") == "string \"abc\\")
    #expect(tokenList("#\"abc\"\n1") == "string #\"abc\"\nnumber 1")
  }

  @Test(
    "A slash begins a regex literal where no operand stands before it",
    arguments: [
      ("let r = /ab+c/", "/ab+c/"), ("f(/a/, x)", "/a/"), ("return /a b/", "/a b/"), (#"x = /a\/b/"#, #"/a\/b/"#),
      ("!/a/", "/a/"), ("x = /[)/]/", "/[)/"), ("a\n/b/", "/b/"), ("case /b/: y", "/b/"), ("f(/(a)/)", "/(a)/"),
    ])
  func regex(_ source: String, _ literal: String) {
    #expect(tokenList(source).contains("regex \(literal)"), "in \(source): \(tokenList(source))")
  }

  @Test(
    "A slash divides or is an operator elsewhere",
    arguments: [
      "a / b / c", "a/b/c", "f(a)/b/c", "x[y]/a/b", "x! / a / b", "f(a, / b/)", "reduce(1, /) + f(2, /)", "x = /a )/",
      "a\n / b/ c", "x = /a", "x = /a\nb/", "a*/b", "self/a/b",
    ])
  func division(_ source: String) {
    #expect(!tokenList(source).contains("regex"), "in \(source): \(tokenList(source))")
  }

  @Test("A regex literal with number signs may hold slashes and span lines")
  func extendedRegex() {
    #expect(tokenList("#/a/b/# 1") == "regex #/a/b/#\nnumber 1")
    #expect(tokenList("##/a/#b/##") == "regex ##/a/#b/##")
    #expect(tokenList("#/\n a / b \n/#\n1") == "regex #/⏎ a / b ⏎/#\nnumber 1")
    #expect(tokenList("#/abc\n1") == "regex #/abc\nnumber 1")
  }

  @Test("A backslash at the end of its line does not carry a regex literal to the next one")
  func regexAtLineEnd() {
    #expect(tokenList("a = /b\\\nc/ // d") == "comment // d")
  }
}
