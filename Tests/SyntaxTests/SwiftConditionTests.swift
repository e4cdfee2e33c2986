import Syntax
import Testing

@Suite("Conditions whose jumps are certain")
struct SwiftConditionTests {
  /// The conditions in a source, one a line: which jump at which text of a place, and the condition.
  private func conditions(_ source: String) -> [String] {
    let code = SourceCode(Array(source.utf8), in: .swift)
    return code.conditions(in: 0..<code.bytes.count).map { condition in
      let text = String(decoding: code.bytes[condition.range], as: UTF8.self)
      let place = code.tokens[code.firstToken(endingAfter: condition.place)]
      #expect(place.start == condition.place)
      return "\(condition.jump) \(String(decoding: code.bytes[place.range], as: UTF8.self)): \(text)"
    }
  }

  @Test(
    "An operator, the last name, a subscript or a sign at one of the ends is where a condition is decided",
    arguments: [
      ("if a < b { c() }", "last <: a < b"), ("if flag { c() }", "last flag: flag"),
      ("if !flag { c() }", "last !: !flag"), ("if self.a.b(1).c(2) { d() }", "last c: self.a.b(1).c(2)"),
      ("if a[1] { c() }", "last [: a[1]"), ("if a[1]! { c() }", "last !: a[1]!"), ("if (a) { c() }", "last a: a"),
      ("if try f(x) { c() }", "last f: f(x)"), ("if try! await f() { c() }", "last f: f()"),
      ("if a + 1 == b - 2 { c() }", "last ==: a + 1 == b - 2"),
      ("if a?.b() ?? false { c() }", "last ??: a?.b() ?? false"),
      ("while at < end { c() }", "last <: at < end"), ("repeat { c() } while a > 0\nd()", "last >: a > 0"),
      ("repeat { c() } while a }", nil), ("guard isOn else { return }", "last isOn: isOn"),
      ("let x = a < b ? 1 : 2", "last <: a < b"), ("f(a.b ? 1 : 2, 3)", "last b: a.b"),
      ("x += a ? 1 : 2", "last a: a"), ("return z.map { $0 > 2 ? 1 : 2 }", "last >: $0 > 2"),
      ("if a.contains(where: { $0 > 2 }) { c() }", "last contains: a.contains(where: { $0 > 2 })"),
      ("if [\"a\", \"b\"].contains(c) { d() }", "last contains: [\"a\", \"b\"].contains(c)"),
      ("if \"\\(a)\" == b { c() }", "last ==: \"\\(a)\" == b"),
      ("if a // one\n  == b { c() }", "last ==: a // one\n  == b"),
      ("if x == -1 { c() }", "last ==: x == -1"), ("if a { print(b) } else { c() }", "last a: a"),
    ] as [(String, String?)])
  func decided(source: String, condition: String?) {
    #expect(conditions(source) == [condition].compactMap(\.self))
  }

  @Test("Each condition of a list is one of its own, except for bindings")
  func lists() {
    #expect(
      conditions("if let a, a > 2, !b, case .c(let d) = e, d.isOn { f() }") == [
        "last >: a > 2", "last !: !b", "last isOn: d.isOn",
      ])
    #expect(
      conditions("guard a, #available(macOS 12, *), b else { return }") == ["last a: a", "last b: b"])
  }

  @Test("Of && and || the left side is one of its own, too, unless it is on the right of another")
  func sides() {
    #expect(conditions("if a < b && c { d() }") == ["last &&: a < b && c", "first &&: a < b"])
    #expect(
      conditions("if a && b && c { d() }") == ["last &&: a && b && c", "first &&: a && b", "first &&: a"])
    #expect(conditions("if a || b && c { d() }") == ["last ||: a || b && c", "first ||: a"])
    #expect(
      conditions("if (a || b) && (c || d) { e() }") == [
        "last &&: (a || b) && (c || d)", "first &&: a || b", "first ||: a",
      ])
    #expect(conditions("if !(a || b) { c() }") == ["last !: !(a || b)", "first ||: a"])
  }

  @Test("Of a chain of choices each is one of its own")
  func choices() {
    #expect(conditions("let x = a ? 1 : b == c ? 2 : 3") == ["last a: a", "last ==: b == c"])
    #expect(conditions("let x = a ? b ? 1 : 2 : 3") == ["last a: a", "last b: b"])
    #expect(conditions("foo()\na.b\n  ? c : d") == ["last b: a.b"])
  }

  @Test(
    "What binds or casts, is not a condition, or may be read in two ways is left out",
    arguments: [
      "if let a { b() }", "if case .a = b { c() }", "if a is B { c() }", "if a as Bool { c() }",
      "if #available(macOS 12, *) { a() }", "switch a { case .b where c: d() }", "for a in b where a.c { d() }",
      "let x = a && b", "let x = a ?? b", "if a <=> b { c() }", "if a ± b { c() }", "if -a { c() }",
      "if a.contains { $0 } { c() }", "if a[0](1) { c() }", "if f(1)(2) { c() }", "if a < b > c { d() }",
      "if a + b { c() }", "let x: Int? = a as? B ?? c ? d : e",
      "if a\n#if DEBUG\n  , b\n#endif\n{ c() }", "if #isOn { c() }", "if a.0 { b() }",
    ])
  func leftOut(source: String) {
    #expect(conditions(source) == [])
  }

  @Test("A condition on which nothing but a message or an assertion depends is left out")
  func reports() {
    #expect(
      conditions("if isVerbose { print(1) }\nif a { assert(b > c, \"d\") }\nif e { assert(f); g() }") == ["last e: e"])
  }
}
