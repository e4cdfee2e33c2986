import Model
import Testing

@testable import Rendering

@Suite("Lines whose words say something else than they seem to")
struct PartlyRanTrapTests {
  @Test(
    "A closure in a condition is no body, whatever keyword it stands behind",
    arguments: [
      "repeat { i += 1 } while xs.contains ⟦{ $0 > n }⟧", "repeat {\n  i += 1\n} while a && xs.contains ⟦{ $0 > n }⟧",
      "repeat {\n  i += 1\n}\nwhile xs.contains ⟦{ $0 > n }⟧\nf()",
      "for x in [1] + ys.map ⟦{ $0 * 2 }⟧ where x > 0 { }",
      "for x in ys.map ⟦{ $0 * 2 }⟧ + [1] { }", "if ys.reduce(0) ⟦{ $0 + $1 }⟧ + 1 > 0 { s += 1 }",
      "if ys.first ⟦{ $0 > 5 }⟧ != nil || f { s += 1 }", "while ys.reduce(0) ⟦{ $0 + $1 }⟧ - s < -3 { }",
      "if let q = ys.map ⟦{ $0 + 1 }⟧ as [Int]? { }", "if ys.sorted ⟦{ $0 < $1 }⟧ is [Int] { s += 1 }",
      "if ys.contains ⟦{ \"}\" == $0 }⟧ /* } */ == true { }", "if xs.contains ⟦{ $0 > 3⟧\n}, b { }",
      "if xs.contains ⟦{ $0 > 3 }⟧\n  , b { }", "if xs.contains ⟦{ $0 > 3 }⟧ // why\n{ }",
      "if a, xs.f ⟦{ 1 }⟧.isEmpty { }",
      "guard xs.first ⟦{ $0 > 3 }⟧ == nil else { }",
      "do { } catch let e as E where xs.contains ⟦{ $0 == e }⟧ == true { }",
    ])
  func closures(_ marked: String) {
    #expect(partlyRanReason(in: marked) == .closure)
  }

  @Test(
    "A closure behind a colon is no side of a conditional expression that stands before it",
    arguments: [
      "anim(x ? 0.1 : 0.3, completion: ⟦{ side(1) }⟧)", "x ? lab { 1 } orElse: ⟦{ 2 }⟧ : 5",
      "anim(\n  x ? 0.1 : 0.3, options: [\"k\": ⟦{ side(3) }⟧], completion: { side(1) })",
      "anim(\n  x ? 0.1 : 0.3, options: [\"k\": { side(3) }],\n  completion: ⟦{ side(1) }⟧)",
      "let z = x > 0 ? 1 : 2, w = lab { z } orElse: ⟦{ 3 }⟧", "[b ? \"x\" : \"y\": ⟦{ side(1) }⟧]",
      "[b ? x : y, 1: ⟦{ side(1) }⟧]", "[1: b ? x : y, a.b: ⟦{ side(1) }⟧]", "x ? [\"a\": ⟦{ 1 }⟧] : [:]",
      "x ? lab {\n  1\n}\norElse: ⟦{ 2 }⟧ : 5",
    ])
  func labels(_ marked: String) {
    #expect(partlyRanReason(in: marked) == .closure)
  }

  @Test(
    "A closure is a side of a conditional expression, whatever labels stand between",
    arguments: [
      "x ? lab { 1 } orElse: { 2 } : ⟦{ 5 }⟧", "x ? f(a: 1) : ⟦{ 5 }⟧", "a ? b : c ? d : ⟦{ e }⟧",
      "a ? b ? c : d : ⟦{ e }⟧", "f(n: a ? { 1 } : ⟦{ 2 }⟧)", "a\n  ? { 1 }\n  : ⟦{ 2 }⟧",
      "[\"k\": a ? { 1 } : ⟦{ 2 }⟧]",
      "a ? ⟦{ 1 }⟧ : { 2 }",
    ])
  func sides(_ marked: String) {
    #expect(partlyRanReason(in: marked) == .choice)
  }

  @Test(
    "An accessor is a block, also with a parameter or an effect",
    arguments: [
      "var a: Int { get { b } set(v) ⟦{ b = v }⟧ }", "var a: Int { get { b } nonmutating set(newer) ⟦{ b = newer }⟧ }",
      "subscript(i: Int) -> Int { get { i } set(new) ⟦{ b = new }⟧ }", "var a = 1 { willSet(x) ⟦{ b = x }⟧ }",
      "var a = 1 { willSet { b = 1 } didSet(old) ⟦{ b = old }⟧ }", "var a: Int { get throws ⟦{ 1 }⟧ }",
      "var a: Int { get async ⟦{ 1 }⟧ }", "var a: Int {\n  mutating get async throws(E)\n  ⟦{⟧\n    1 } }",
    ])
  func accessors(_ marked: String) {
    #expect(partlyRanReason(in: marked) == .block)
  }

  @Test("A function that is called like an accessor has a closure")
  func likeAccessors() {
    #expect(partlyRanReason(in: "cache.set(v) ⟦{ $0 }⟧") == .closure)
    #expect(partlyRanReason(in: "let a = set(v) ⟦{ $0 }⟧") == .closure)
  }

  @Test(
    "What a statement ends with is its body, whatever follows the statement",
    arguments: [
      ("if a ⟦{ b() }⟧ // + 1", .condition), ("if a ⟦{ b() }⟧ /* .c */ else { }", .condition),
      ("f { if a ⟦{ b() }⟧ }", .condition), ("if a ⟦{ b() }⟧; c()", .condition), ("if a ⟦{ b() }⟧\n+1", .condition),
      ("if a ⟦{⟧ // {\n  b()\n} + 1", .condition), ("case 1: if a ⟦{ b() }⟧ case 2: c()", .condition),
      ("while a ⟦{ b() }⟧\n.c", .loopBody), ("if b { }\nwhile a ⟦{ b() }⟧", .loopBody),
      ("if a {\n  b()\n}\nwhile c ⟦{⟧", .loopBody), ("do { } catch is E ⟦{ }⟧ catch { }", .caught),
      ("if a ⟦{ b(\"{\") }⟧", .condition),
      ("if a ⟦{ b();⟧\n\(String(repeating: "b();\n", count: 1000))}", .condition),
    ] as [(String, PartlyRanReason)])
  func bodies(_ marked: String, _ expected: PartlyRanReason) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "Only the operators of the standard library say what their left side was",
    arguments: [
      ("let x = a ??? ⟦7⟧", .rightSide("???")), ("let z = t &&& ⟦(x == 1)⟧", .rightSide("&&&")),
      ("let y = t <||> ⟦b⟧", .rightSide("<||>")), ("let y = t .&& ⟦b⟧", .rightSide(".&&")),
      ("let y = a ?? // else\n  ⟦b⟧", .rightSide("??")), ("let y = a // ?? here\n  ?? ⟦b⟧", .rightSide("??")),
      ("let y = a\n  /* && */ || ⟦b⟧", .rightSide("||")), ("let y = a ??⟦.b⟧", .rightSide("??")),
      ("f(\"\\(a ?? ⟦b⟧)\")", .rightSide("??")), ("let x = a ?? ⟦{ 7 }()⟧", .rightSide("??")),
      ("x // a ??\n⟦b⟧", nil), ("f(a) // &&\n  ⟦b⟧", nil), ("a == ⟦b⟧", nil),
    ] as [(String, PartlyRanReason?)])
  func operators(_ marked: String, _ expected: PartlyRanReason?) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "Only a check of the standard library says that its condition held",
    arguments: [
      ("r.assert(false, ⟦6 + 1⟧)", .argument("assert")), ("r.precondition(a, ⟦6 + 1⟧)", .argument("precondition")),
      ("Swift.assert(a, ⟦\"b\"⟧)", .message("assert")), ("assert(try a(), ⟦\"b\"⟧)", .argument("assert")),
      ("precondition(\n  a == \"-\", ⟦\"text\"⟧)", .message("precondition")),
      ("precondition(\n  a.f { $0 },\n  ⟦\"text\"⟧)", .message("precondition")),
      ("assert(\n  // why\n  a, ⟦message⟧)", .message("assert")),
      ("assert(a, \"b\", file: ⟦f()⟧)", .argument("assert")),
    ] as [(String, PartlyRanReason)])
  func checks(_ marked: String, _ expected: PartlyRanReason) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test("A check whose condition on an earlier line never ran says nothing of that")
  func deadCheck() {
    #expect(partlyRanReason(in: "assert(\n  x > 0,\n  ⟦\"x\"⟧)") == .message("assert"))
    #expect(partlyRanReason(in: "assert(\n  x > 0,\n  ⟦\"x\"⟧)", neverRan: [2]) == .argument("assert"))
    #expect(partlyRanReason(in: "assert(\n  // why\n  x > 0,\n  ⟦\"x\"⟧)", neverRan: [3]) == .argument("assert"))
    #expect(partlyRanReason(in: "assert(\n  ‹x > 0›, f(),\n  ⟦\"x\"⟧)") == .argument("assert"))
    #expect(partlyRanReason(in: "assert(\n  ‹x > 0›,\n  ⟦\"x\"⟧)") == .argument("assert"))
  }

  @Test(
    "A condition that was never reached was neither true nor false",
    arguments: [
      ("} else if ⟦n < -5⟧ ‹{›", .unreachedCondition), ("} else if ‹n < -5› ⟦{⟧", nil),
      ("if n > 3 { return 1 } else if ‹n > 2› ⟦{ return 2 }⟧ else { return 3 }", nil),
      ("if n > 3 { return 1 } else if ‹n > 2› { return 2 } else ⟦{ return 3 }⟧", .otherwise),
      ("} else if ⟦case .a = b⟧ ‹{›", .unreachedCondition), ("} else if a && ‹b› ⟦{⟧", .condition),
      ("} else if n < -5 ⟦{⟧", .condition), ("} else if let a = b ⟦{⟧", .elseCondition),
      ("} else if a, b > 3 ⟦{⟧", .elseCondition), ("} else if case .a = b ⟦{⟧", .elseCondition),
      ("} else if #available(macOS 99, *) ⟦{⟧", .elseCondition), ("if let a = b, c ⟦{⟧", .condition),
    ] as [(String, PartlyRanReason?)])
  func unreached(_ marked: String, _ expected: PartlyRanReason?) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "What is passed by its name alone may be a function",
    arguments: [
      ("f(⟦a.b⟧)", .named), ("f(transform: ⟦Color.make⟧)", .named), ("let f = ⟦a.b⟧", .named),
      ("f(⟦nil⟧)", .argument("f")),
      ("xs.map(⟦Int.init(_:)⟧)", .passedFunction), ("xs.reduce(0, ⟦+⟧)", .passedFunction),
      ("d[k, default: ⟦a⟧]", .argument(nil)), ("\"\\(a, default: ⟦\"b\"⟧)\"", .argument(nil)),
      ("log.debug⟦(\"a\"⟧)", .argument("debug")), ("log.debug⟦(⟧level: a)", .defaultArgument("debug")),
      ("func f(a: () -> Int = ⟦3⟧) { }", .defaultValue), ("  _ a: () -> String = ⟦\"\"⟧) -> Bool {", .defaultValue),
      ("let a: Int = ⟦f(3)⟧", .initialValue), ("f(_ = ⟦g()⟧)", nil), ("a ? b\n  : ⟦c⟧", .choice),
      ("a ?\n  3 :\n  ⟦4⟧", .choice),
      ("a ? // why?\n  ⟦b⟧ :", .choice), ("a ? b: ⟦c⟧", .choice), ("x?.y(a: ⟦b()⟧)", .argument("y")),
    ] as [(String, PartlyRanReason?)])
  func values(_ marked: String, _ expected: PartlyRanReason?) {
    // Only where an open parenthesis shows that it is a parameter.
    let text = marked.hasPrefix("  _") ? "func f(\n\(marked)" : marked
    #expect(partlyRanReason(in: text) == expected)
  }

  @Test(
    "What keeps the rest of a line from running is named",
    arguments: [
      ("{ if x > 0 { throw E() }⟦; return x⟧ }", .afterCondition), ("guard a else { return }⟦; f()⟧", .afterGuard),
      ("let a = try t(1)⟦ + t(2); return a⟧", .thrown), ("let a = [try b()⟦, 5]⟧", .thrown),
      ("f(_ = try P(a)⟦.b()⟧)", .thrown), ("let a = try f(1, g()⟦, 2)⟧", .thrown), ("\"a\\(try f()⟦) b\"⟧", .thrown),
      ("let a = try? f()⟦ + 1⟧", nil), ("let a = try! f()⟦ + 1⟧", nil), ("try f(); g()⟦ + 1⟧", nil),
      ("try f()\ng()⟦ + 1⟧", nil), ("let a = try f(\n  n\n)⟦ + 1⟧", .thrown), ("g({ try f() })⟦ + 1⟧", nil),
      ("repeat { if x { return } } ⟦while⟧ true", .afterRepeat), ("for x in xs { return x }⟦; f()⟧", .afterStatement),
      ("if a { return } else { return }⟦; f()⟧", .afterStatement), ("if a { f() }⟦; g()⟧", nil),
      ("for x in xs { f() }⟦; g()⟧", nil),
    ] as [(String, PartlyRanReason?)])
  func leaving(_ marked: String, _ expected: PartlyRanReason?) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "What keeps the next line from running is named at the end of a line",
    arguments: [
      ("guard let a else { return }⟦⟧", "The guard never held: what follows never ran."),
      ("guard let a = try b() else { return } ⟦// why⟧", "The guard never held: what follows never ran."),
      ("guard a,\n  b\n  else { return }⟦⟧", "The guard never held: what follows never ran."),
      ("if a { return }⟦⟧", "The condition was never false: what follows never ran."),
      ("_ = try A.parse(b)⟦⟧", "What is tried here never succeeded: what follows never ran."),
      ("try a.b(c) ⟦// why⟧", "What is tried here never succeeded: what follows never ran."),
      ("_ = try await A.parse(\n  b)⟦⟧", "What is tried here never succeeded: what follows never ran."),
      ("for a in b { return }⟦⟧", "The statement that ends here never ran to its end: what follows never ran."),
      ("if a { f() }; if b { return }⟦⟧", "The statement that ends here never ran to its end: what follows never ran."),
      ("_ = try? A.parse(b)⟦⟧", "What begins at the end of this line never ran."),
      // As result builders leave it, which never count what follows.
      ("if a { b() }⟦⟧", "What begins at the end of this line never ran."),
    ])
  func ends(_ marked: String, _ expected: String) {
    #expect(partlyRanSentences(marked) == [expected])
  }

  @Test("What began above a line has its reason there, but for an operator that can only begin here")
  func continued() {
    func sentences(_ line: String) -> [String] {
      let dead = [DeadStretch(line: 1, columns: 1..<(line.firstIndex(of: "{")!.utf16Offset(in: line)))]
      return html(line, lines: [LineCoverage(line: 1, count: 1, state: .partlyRan)], dead: dead)
        .split(separator: "<tr class=why><td colspan=3><p>").dropFirst().map { String($0.prefix { $0 != "\n" }) }
    }
    #expect(sentences("  for a in b ?? [] { }") == ["The right side of ?? never ran: the left side was never nil."])
    #expect(sentences("  for a in b ?? c ?? [] { }") == [] && sentences("  if a == b { }") == [])
  }

  @Test(
    "In C, a statement without braces has a reason as well, and what follows an unreached condition has none",
    arguments: [
      ("  if (a) ⟦return b⟧;", .statement), ("  } else if (f(a)) ⟦return b⟧;", .statement),
      ("  for (;;) ⟦a++⟧;", .loopBody), ("  f(a) ⟦b⟧", nil), ("  } else if (⟦b⟧) ‹{›", .unreachedCondition),
      ("  } else if (‹b›) ⟦{⟧", nil), ("  if (a) ⟦{⟧", .condition), ("  a && ⟦b⟧", .rightSide("&&")),
      ("  // a &&\n  ⟦b⟧", nil), ("  a ? ⟦b⟧ : c", .choice), ("  ⟦case 2:⟧", .caseBody),
    ] as [(String, PartlyRanReason?)])
  func plain(_ marked: String, _ expected: PartlyRanReason?) {
    #expect(partlyRanReason(in: marked, path: "a.c") == expected)
  }

  @Test("A line with very many stretches gives the reasons of the first ones")
  func many() {
    let line = (0..<300).map { "f\($0)(a, ⟦b()⟧)" }.joined(separator: ";")
    let sentences = partlyRanSentences(line)
    #expect(sentences.count == 1)
    #expect(sentences.joined().contains("f49 never evaluated this argument."))
    #expect(!sentences.joined().contains("f50 never"))
  }
}
