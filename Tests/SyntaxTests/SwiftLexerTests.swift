import Syntax
import Testing

@Suite("Swift source becomes tokens")
struct SwiftLexerTests {
  @Test("A declaration has keywords, types and plain names")
  func declaration() {
    #expect(
      tokenList("public func greeting(for name: Name, hour: Int) -> String {") == """
        keyword public
        keyword func
        type Name
        type Int
        type String
        """)
  }

  @Test("A value before a colon is a label between arguments only")
  func valuesBeforeColons() {
    #expect(tokenList("case .linebreak?, nil: f()") == "keyword case\nkeyword nil")
    #expect(tokenList("case (1, 2), true: f()") == "keyword case\nnumber 1\nnumber 2\nkeyword true")
    #expect(tokenList("f(x.map { switch $0 { case .a, nil: 1 } })").hasSuffix("keyword case\nkeyword nil\nnumber 1"))
    #expect(tokenList("[false: 1, true: 2]") == "keyword false\nnumber 1\nkeyword true\nnumber 2")
    #expect(tokenList("f(nil: a, self: b, [c], true: d)").isEmpty)
    #expect(tokenList("\"\\(f(a, self: b))\"") == "string \"\\(\nstring )\"")
    // What a condition of the compiler left open ends with the block that it is in.
    #expect(tokenList("{\n#if A\nf(\n#else\ng(\n#endif\n)\n}\ncase .a, nil: 1").hasSuffix("keyword nil\nnumber 1"))
  }

  @Test("An argument label is no keyword, whatever its word")
  func labels() {
    #expect(tokenList("f(for: a, in: b, default: c, inout: d)") == "")
    #expect(tokenList("repeat { } while x") == "keyword repeat\nkeyword while")
    #expect(tokenList("switch x { default: break }") == "keyword switch\nkeyword default\nkeyword break")
    #expect(tokenList("f(try g(), self, nil)") == "keyword try\nkeyword self\nkeyword nil")
  }

  @Test(
    "Behind a comma in a list of conditions or patterns, a word before a name and a colon is no label",
    arguments: [
      ("if let flag = any, let value: Int = f {", "keyword if\nkeyword let\nkeyword let\ntype Int"),
      ("if let flag = any,\n   let value: Int = f {", "keyword if\nkeyword let\nkeyword let\ntype Int"),
      (
        "guard let flag = any,\n  var value: Int = f else",
        "keyword guard\nkeyword let\nkeyword var\ntype Int\nkeyword else"
      ),
      ("while let a = f(x, y), let b: Int = a {", "keyword while\nkeyword let\nkeyword let\ntype Int"),
      ("case is A, is B: 1", "keyword case\nkeyword is\ntype A\nkeyword is\ntype B\nnumber 1"),
      ("f({ if let a, let b: Int = a { } })", "keyword if\nkeyword let\nkeyword let\ntype Int"),
      ("f(a, for b: Int)", "type Int"), ("table[a, in: b]", ""),
      ("subscript(a: Int, in b: Int)", "keyword subscript\ntype Int\ntype Int"),
    ])
  func conditions(_ source: String, _ expected: String) {
    #expect(tokenList(source) == expected)
  }

  @Test("A member is no keyword, except self and init")
  func members() {
    #expect(tokenList("x.default.in.self.init()") == "keyword self\nkeyword init")
    #expect(tokenList("0...self") == "number 0\nkeyword self")
  }

  @Test("A contextual keyword counts only where it is one")
  func contextual() {
    #expect(tokenList("final lazy var open = lazy") == "keyword final\nkeyword lazy\nkeyword var")
    #expect(tokenList("for prefix in list { }") == "keyword for\nkeyword in")
    #expect(tokenList("nonisolated(unsafe) let x: any P") == "keyword nonisolated\nkeyword let\nkeyword any\ntype P")
    #expect(tokenList("var x: Int { get async throws }").hasSuffix("keyword get\nkeyword async\nkeyword throws"))
    #expect(tokenList("set(newValue) { }") == "keyword set")
    #expect(tokenList("for i in set { set(x) }") == "keyword for\nkeyword in")
    #expect(tokenList("{ get set }") == "keyword get\nkeyword set")
    #expect(tokenList("f(a: isolated (any A)?)") == "keyword isolated\nkeyword any\ntype A")
    #expect(tokenList("isolated(a)").isEmpty)
  }

  @Test(
    "An accessor may stand behind its attribute on one line, and a function of that name is none",
    arguments: [
      ("@inlinable get { 1 }", ["attribute @inlinable", "keyword get", "number 1"]),
      ("@inline(__always) set { }", ["attribute @inline", "keyword set"]),
      ("@objc func get() { }", ["attribute @objc", "keyword func"]),
      ("@Test(get) { }", ["attribute @Test"]), ("unsafeAddress { p }", ["keyword unsafeAddress"]),
      ("_read { handle in 1 }", ["keyword in", "number 1"]), ("_read { $0.a() }", []),
      ("_read { yield x }", ["keyword _read", "keyword yield"]),
    ])
  func attributedAccessors(_ source: String, _ expected: [String]) {
    #expect(tokenList(source).split(separator: "\n").map(String.init) == expected)
  }

  @Test("Attributes and number-sign words stand out")
  func marks() {
    #expect(
      tokenList("@Test(.tags(.slow)) @Foo.Bar #if DEBUG #expect(a)") == """
        attribute @Test
        attribute @Foo.Bar
        directive #if
        type DEBUG
        directive #expect
        """)
  }

  @Test("A backticked name is plain, with blanks too")
  func escaped() {
    #expect(tokenList("func `class`() { `a for b` }") == "keyword func")
    #expect(tokenList("a ` for") == "keyword for")
  }

  @Test("Comments nest, and end only where they end")
  func comments() {
    #expect(
      tokenList("/// Doc\n/* a /* b */ c\nd */ let x // end") == """
        comment /// Doc
        comment /* a /* b */ c⏎d */
        keyword let
        comment // end
        """)
    #expect(tokenList("a+/*c*/b") == "comment /*c*/")
    #expect(tokenList("x /* never ends\nlet y") == "comment /* never ends⏎let y")
    #expect(tokenList("#!/usr/bin/env swift\nlet") == "comment #!/usr/bin/env swift\nkeyword let")
  }

  @Test(
    "Every form of number is one token",
    arguments: [
      "0", "1_000", "0x1F", "0b1010_1", "0o17", "1.5", "1_0.5e-3", "1e5", "0x1.8p3", "0x1p-3", "2E+10", "0xFEED_BEEF",
    ])
  func numbers(_ literal: String) {
    #expect(tokenList("let x = \(literal), y") == "keyword let\nnumber \(literal)")
  }

  @Test("Dots that do not belong to a number stay outside it")
  func numberEdges() {
    #expect(tokenList("5...12") == "number 5\nnumber 12")
    #expect(tokenList("5..<7") == "number 5\nnumber 7")
    #expect(tokenList("1.description") == "number 1")
    #expect(tokenList("pair.0.1") == "number 0\nnumber 1")
    #expect(tokenList("0x1.fff") == "number 0x1")
    #expect(tokenList("-1") == "number 1")
  }
}
