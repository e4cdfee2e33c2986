import Model
import Testing

@testable import Rendering

@Suite("Why a line ran only partly, in words")
struct PartlyRanReasonTests {
  /// The reason for the stretch between the two bars of a text.
  private func reason(_ marked: String) -> PartlyRanReason? {
    // The third bar of `a ||| b|` belongs to the operator.
    let parts = marked.replacing("|||", with: "\u{1}\u{1}|").split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.replacing("\u{1}", with: "|") }
    return partlyRanReason(in: "\(parts[0])⟦\(parts[1])⟧\(parts.count > 2 ? parts[2] : "")")
  }

  @Test(
    "The text around the stretch gives the reason",
    arguments: [
      ("  if a |{|", PartlyRanReason.condition), ("  } else if a |{|", .condition), ("  } else |{|", .otherwise),
      ("  guard let a else |{ return }|", .guardFailed), ("  } catch |{|", .caught), ("do { a() } catch |{|", .caught),
      ("repeat |{|", .loopBody), ("  defer |{|", .deferred),
      ("  for a in b |{|", .loopBody), ("  while a |{|", .loopBody), ("  let a = b ?? | c|", .rightSide("??")),
      ("  a && |b|", .rightSide("&&")), ("  a ||| b|", .rightSide("||")), ("  a ? |b| : c", .choice),
      ("  a ? b : |c|", .choice), ("  ? |b|", .choice), ("|  case .a: b|", .caseBody), ("  case .a: |b|", .caseBody),
      ("|  default: b|", .caseBody), ("  a.map |{ $0 }|", .closure),
      ("  precondition(a == f(b), |\"no \\(a)\"|)", .message("precondition")),
      ("  assert(a, |\"b\"|)", .message("assert")),
      ("  expectTrue(a(\"(\"), |b + \"c\"|, trap: true)", .argument("expectTrue")), ("  f(|a + b|)", .argument("f")),
      ("  x = a[b, default: |[]|]", .argument(nil)), ("f(\n  |\"out of bounds\"|)", .argument("f")),
      ("f(a,\n  |\"\"\"|", .argument("f")), ("f(a,\n  |message()|, trap: true", .argument("f")),
      ("let t = a ??\n  |\"b\"|", .rightSide("??")), ("if a &&\n  |b|, c {", .rightSide("&&")),
      ("  f(a, b: |c()|, d)", .argument("f")), ("  a[|...|]", .passedFunction),
      ("  a.map(|\\.b|)", .passedFunction), ("  try f(try g(a)|)|", .thrown),
    ])
  func reasons(_ marked: String, _ expected: PartlyRanReason) {
    #expect(reason(marked) == expected)
  }

  @Test(
    "A block is what its own brace opens, whatever its line begins with",
    arguments: [
      ("  if xs.allSatisfy(⟦{ $0 > 0 }⟧) {", .closure), ("  if xs.contains ⟦{ $0 > 0 }⟧ {", .closure),
      ("  if let x = xs.first(where: ⟦{ $0 > 3 }⟧) ?? Optional(4) {", .closure),
      ("  for _ in xs.filter(⟦{ $0 > 0 }⟧) + [1] {", .closure), ("  for x in xs.filter ⟦{ $0 > 0 }⟧ {", .closure),
      ("  while n < 3, !xs.contains(where: ⟦{ $0 == n }⟧) {", .closure),
      ("  for x in xs { if x > 3 ⟦{ n += 1 }⟧ }", .condition), ("  let x = if a { 1 } else ⟦{ 2 }⟧", .otherwise),
      ("  let x = if a ⟦{ 1 }⟧ else { 2 }", .condition), ("  case 1: if b ⟦{ n += 1 }⟧", .condition),
      ("  case .a(let x): xs.map ⟦{ x }⟧", .closure), ("  xs.forEach { if $0 > 3 ⟦{ n += 1 }⟧ }", .condition),
      ("  do { if b ⟦{ throw Oops() }⟧ } catch { }", .condition),
      ("  do { if b { throw Oops() } } catch ⟦{ }⟧", .caught),
      ("  do { try a() } catch let e as Oops ⟦{ }⟧", .caught),
      ("  { var n = 0; if b ⟦{ n = 3 }⟧; return n }", .condition), ("  func helper(_ x: Int) -> Int ⟦{⟧", .function),
      ("  if a { f() } else { g ⟦{ b }⟧ }", .closure), ("  if a, let b = c ⟦{⟧", .condition),
      ("  while let x = xs.next() ⟦{ n += x }⟧", .loopBody), ("  outer: for case let x? in xs ⟦{⟧", .loopBody),
      ("  lazy var x: Int = ⟦{ 1 }⟧()", .closure), ("  var x: Int ⟦{ 1 }⟧", .block),
      ("  var x: Int { get { 1 } set ⟦{ y = 1 }⟧ }", .block), ("  return xs.map ⟦{ $0 }⟧", .closure),
      ("  let f = a ? ⟦{ 1 }⟧ : { 2 }", .choice), ("  let f = a ? { 1 } : ⟦{ 2 }⟧", .choice),
      ("  f(a, else: ⟦{ 1 }⟧)", .closure), ("  f(a, for: b, ⟦{ 1 }⟧)", .closure),
      ("  let z = q ?? f { 1 } onError: ⟦{ 2 }⟧", .closure), ("  let s = \"if \\(xs.map ⟦{ $0 }⟧)\"", .closure),
      ("  let s = f(\"for {\") ⟦{ $0 }⟧", .closure), ("  f.if ⟦{ $0 }⟧", .closure),
      ("  guard a else ⟦{ return }⟧", .guardFailed),
      ("  switch a { case 1: for x in xs ⟦{ }⟧", .loopBody), ("  if a { } else if b ⟦{ }⟧", .condition),
      ("  guard xs.contains(where: { $0 }) else ⟦{ return }⟧", .guardFailed),
      ("  if #available(macOS 99, *) ⟦{ return }⟧", .condition), ("  a ?? ⟦{ 1 }⟧()", .rightSide("??")),
    ] as [(String, PartlyRanReason)])
  func blocks(_ marked: String, _ expected: PartlyRanReason) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "The statement that a brace stands in may begin on an earlier line",
    arguments: [
      ("if let a,\n  b > 3 ⟦{⟧", .condition), ("if a\n⟦{⟧", .condition),
      ("if a\n  && b // for {\n  || c ⟦{⟧", .condition),
      ("guard let a,\n  b\nelse ⟦{⟧", .guardFailed), ("if a {\n  b()\n} else ⟦{⟧", .otherwise),
      ("if a {\n  b()\n} else if c ⟦{⟧", .condition), ("while a\nlet b = c\n  .map ⟦{ $0 }⟧", .closure),
      ("if a { }\nxs.map ⟦{ $0 }⟧", .closure), ("for x\n  in xs\n⟦{⟧", .loopBody),
      ("let a =\n  xs.map ⟦{ $0 }⟧", .closure), ("case 1:\n  f ⟦{ $0 }⟧", .closure),
      ("func f(\n  a: Int\n) -> Int ⟦{⟧", .function), ("f(\n  a,\n  ⟦{ $0 }⟧", .closure),
      ("#if DEBUG\n  f ⟦{ $0 }⟧", .closure), ("xs.map { x in\n  f ⟦{ x }⟧", .closure),
      ("if a /* while { */ ⟦{⟧", .condition),
    ] as [(String, PartlyRanReason)])
  func lines(_ marked: String, _ expected: PartlyRanReason) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test(
    "The message of a check is told from its condition, which an optimised build leaves out, too",
    arguments: [
      ("  assert(⟦x > 0⟧, ‹\"x\"›)", .argument("assert")), ("  assert(‹x > 0›, ⟦\"x\"⟧)", .argument("assert")),
      ("  assert(x > 0 || ‹y›, ⟦\"x\"⟧)", .message("assert")), ("  assert(⟦x⟧)", .argument("assert")),
      ("  assert(f(x, y), ⟦\"x\"⟧)", .message("assert")),
    ] as [(String, PartlyRanReason)])
  func checks(_ marked: String, _ expected: PartlyRanReason) {
    #expect(partlyRanReason(in: marked) == expected)
  }

  @Test("A comment above the argument does not hide the call that it belongs to")
  func commentAbove() {
    #expect(partlyRanReason(in: "  precondition(\n    a,\n    // why\n    ⟦\"text\"⟧)") == .message("precondition"))
  }

  @Test("A very long statement has no reason rather than a guessed one")
  func longStatement() {
    #expect(partlyRanReason(in: "if " + String(repeating: "a + ", count: 3000) + "b ⟦{⟧") == nil)
  }

  @Test("Only a line that is nothing but an if says that its condition was never false")
  func oneLineIf() {
    func sentence(_ line: String) -> Bool {
      html(
        line, lines: [LineCoverage(line: 1, count: 1, state: .partlyRan)],
        dead: [DeadStretch(line: 1, columns: (line.utf8.count + 1)..<Int.max)]
      ).contains("The condition was never false")
    }
    #expect(sentence("if a { return }"))
    #expect(!sentence("if a { return } else { try f() }") && !sentence("if a { f() }; if b { return }"))
  }

  @Test(
    "Where the text does not say it plainly there is no reason",
    arguments: [
      "  f(|a, b)|", "  let a: |B| = c", "a| |", "  (|a|)", "  f(a|)|", "  [|a|]", "  f { [a, |b|] }",
      "  |\"b\"|", "  |b|, c {",
    ])
  func none(_ marked: String) {
    #expect(reason(marked) == nil)
  }

  @Test(
    "Away from its line, a stretch is named by its text",
    arguments: [
      ("a ? ⟦\"one\"⟧ : c", "\"one\" never ran."), ("⟦  case .a: b⟧", "case .a: b never ran."),
      ("  f(⟦a + b⟧)", "f never evaluated a + b."), ("if ⟦a == b⟧ {", "a == b was never reached."),
      ("a.map(⟦\\.b⟧)", "\\.b, which is passed here, was never called."),
      ("a ?? ⟦b⟧", "The right side of ?? never ran: the left side was never nil."),
      ("a ? ⟦\(String(repeating: "b", count: 61))⟧ : c", "\(String(repeating: "b", count: 59))… never ran."),
    ])
  func naming(_ marked: String, _ expected: String) {
    let probe = PartlyRanProbe(marked)
    let place = DeadPlace(
      probe.stretches[probe.asked], in: file(lines: [], dead: probe.stretches),
      HighlightedSource(probe.source, path: "a.swift"))
    #expect(PartlyRanReason(place)?.sentence(naming: place.quote) == expected)
    let open = DeadPlace(
      DeadStretch(line: 1, columns: 3..<Int.max), in: file(lines: []),
      HighlightedSource(Array("  case .a:\n    b\n".utf8), path: "a.swift"))
    #expect(open.quote == "case .a: …")
  }

  @Test("A stretch inside a dead one gives no reason of its own")
  func inner() {
    let lines = [LineCoverage(line: 1, count: 1, state: .partlyRan)]
    let html = html(
      "f { a && b }", lines: lines,
      dead: [DeadStretch(line: 1, columns: 3..<9), DeadStretch(line: 1, columns: 9..<13)])
    #expect(html.contains("The closure that starts here never ran."))
    #expect(!html.contains("The right side"))
  }

  @Test("A line whose dead part has no text says that what follows never ran")
  func atEnd() {
    let lines = [LineCoverage(line: 1, count: 1, state: .partlyRan)]
    let html = html("  }\nx", lines: lines, dead: [DeadStretch(line: 1, columns: 4..<Int.max)])
    #expect(html.contains("What begins at the end of this line never ran."))
  }
}
