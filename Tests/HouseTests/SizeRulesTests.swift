import Testing

@Suite("Rules for sizes")
struct SizeRulesTests {
  private func text(_ lines: String...) -> SwiftText {
    SwiftText(path: "Sources/A/A.swift", lines.joined(separator: "\n"))
  }

  @Test("A file may have 400 lines, not 401")
  func files() {
    let line = "let a = 1\n"
    let path = "Sources/A/A.swift"
    #expect(SizeRules.violations(ofFile: SwiftText(path: path, String(repeating: line, count: 400))) == [])
    let long = SizeRules.violations(ofFile: SwiftText(path: path, String(repeating: line, count: 401)))
    #expect(long.map(\.description) == ["Sources/A/A.swift: a file of 401 lines; the limit is 400"])
  }

  @Test("A function may have 60 lines, not 61")
  func functions() {
    func function(_ count: Int) -> SwiftText {
      text(
        "struct A {", "  func f(a: Int = { 1 }()) {", Array(repeating: "x", count: count - 2).joined(separator: "\n"),
        "  }", "}")
    }
    #expect(SizeRules.violations(ofFunctionsIn: function(60)) == [])
    #expect(
      SizeRules.violations(ofFunctionsIn: function(61)).map(\.description) == [
        "Sources/A/A.swift:2: a function of 61 lines; the limit is 60"
      ])
  }

  @Test("Functions, initialisers, subscripts and their nested ones are found, calls are not")
  func spans() {
    let spans = FunctionSpan.all(
      in: text(
        "protocol P { func none(); init() }", "struct S: P {", "  init?() { self.init() }", "  func a()",
        "    throws -> Int", "  {", "    func b() { \"}}}\" }  // }", "    return .init()", "  }",
        "  subscript(i: Int) -> Int {", "    i }", "  deinit {", "  }", "}", "let funcs = 1"))
    #expect(spans.map(\.line) == [3, 4, 7, 10, 12])
    #expect(spans.map(\.length) == [1, 6, 1, 2, 2])
  }
}
