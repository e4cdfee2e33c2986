import Model
import Testing

@testable import Rendering

@Suite("Why a line ran only partly, in words")
struct PartlyRanReasonTests {
  /// The reason for the stretch between the two bars of a line.
  private func reason(_ marked: String) -> PartlyRanReason? {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false).map { Array($0.utf8) }
    let source = HighlightedSource(parts[0] + parts[1] + parts[2], path: "a.swift")
    let start = parts[0].count + 1
    return PartlyRanReason(of: DeadStretch(line: 1, columns: start..<(start + parts[1].count)), in: source)
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
      ("  expectTrue(a(\"(\"), |b + \"c\"|, trap: true)", .argument("expectTrue")), ("  f(|a|)", .argument("f")),
      ("  x = a[b, default: |[]|]", .argument(nil)), ("f(\n  |\"out of bounds\"|)", .argument(nil)),
      ("f(a,\n  |\"\"\"|", .argument(nil)), ("f(a,\n  |message()|, trap: true", .argument(nil)),
      ("let t = a ??\n  |\"b\"|", .rightSide("??")), ("if a &&\n  |b|, c {", .rightSide("&&")),
      ("  f(a, b: |c|, d)", .argument("f")), ("  a[|...|]", .passedFunction),
      ("  a.map(|\\.b|)", .passedFunction), ("  try f(try g(a)|)|", .thrown),
    ])
  func reasons(_ marked: String, _ expected: PartlyRanReason) {
    // The third bar of `a ||| b|` belongs to the operator.
    let text = marked.replacing("|||", with: "\u{1}\u{1}|")
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map {
      Array($0.replacing("\u{1}", with: "|").utf8)
    }
    let bytes = parts[0] + parts[1] + (parts.count > 2 ? parts[2] : [])
    let line = parts[0].count { $0 == UInt8(ascii: "\n") } + 1
    let start = parts[0].reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    let columns = start..<(start + parts[1].count)
    let reason = PartlyRanReason(
      of: DeadStretch(line: line, columns: columns), in: HighlightedSource(bytes, path: "a.swift"))
    #expect(reason == expected)
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
