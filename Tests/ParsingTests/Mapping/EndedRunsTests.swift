import Model
import Testing

@testable import Parsing

@Suite("Runs that ended the process")
struct EndedRunsTests {
  private typealias Counter = CoverageMapping.Counter

  private static let name = "/a/A.swift"

  private func all(_ source: String, _ others: String...) -> [String: [EndOfRuns]] {
    EndOfRuns.all(
      in: ([source] + others).enumerated().map { number, text in
        (name: number == 0 ? Self.name : "/a/\(number).swift", bytes: Array(text.utf8))
      })
  }

  private func ends(_ source: String) -> [String] {
    (all(source)[Self.name] ?? []).map { end in
      "\(end.call.line):\(end.call.column)" + (end.block.map { " \($0.line):\($0.column)" } ?? "")
    }
  }

  @Test("They end where a call that does not return is the last statement of a block or of a case")
  func places() {
    #expect(ends("guard a else { exit(0) }\nb()\n") == ["1:23 1:25"])
    #expect(ends("if a {\n  log()\n  Glibc.exit(status(1))\n}\n") == ["3:24 4:2"])
    #expect(ends("switch a {\ncase 1: exit(0)\ncase 2:\n  fatalError(\"x\");\ndefault: b()\n}\n") == ["2:16", "4:18"])
    #expect(ends("switch a {\ndefault: exit(0)\n}\n") == ["2:17 3:2"])
  }

  @Test(
    "A call of a method, within an expression or before another statement ends none",
    arguments: [
      "if a { loop.exit(0) }\n", "if a { exit(0)\n  b() }\n", "if a { let b = exit(0) }\n", "if a { exit }\n",
      "if a { b(exit(0)) }\n", "// if a { exit(0) }\n",
    ])
  func others(source: String) {
    #expect(ends(source).isEmpty)
  }

  @Test(
    "A call of what the package itself has by that name ends none, wherever that is declared",
    arguments: [
      "func exit(_ code: Int) {}\n", "func exit<Code>(_ code: Code) {}\n", "struct A { let exit: (Int) -> Void }\n",
      "var exit = { (code: Int) in }\n",
    ])
  func declared(source: String) {
    let call = "if a { exit(0) }\nif b { abort() }\n"
    #expect(all(call, source)[Self.name]?.map(\.call.line) == [2])
    #expect(all(source + call)[Self.name]?.map(\.call.line) == [3])
  }

  @Test(
    "A call of a parameter ends none, and one in another source that is no parameter does",
    arguments: [
      "func run(exit: (Int) -> Void) {}\n", "func run(with exit: (Int) -> Void) {}\n", "let run = { exit in }\n",
    ])
  func parameters(source: String) {
    let call = "if a { exit(0) }\nif b { abort() }\n"
    #expect(all(source + call)[Self.name]?.map(\.call.line) == [3])
    #expect(all(call, source)[Self.name]?.map(\.call.line) == [1, 2])
  }

  @Test(
    "A member of that name is declared and called otherwise, and is another",
    arguments: ["let end = Command.exit\n", "switch a {\ncase .exit: b()\n}\n", "enum A { case exit }\n"])
  func members(source: String) {
    #expect(all("if a { exit(0) }\n", source)[Self.name]?.map(\.call.line) == [1])
  }

  private func region(_ start: (Int, Int), _ end: (Int, Int), _ counter: Counter) -> CoverageMapping.Region {
    CoverageMapping.Region(
      file: 0, start: SourcePosition(line: start.0, column: start.1),
      end: SourcePosition(line: end.0, column: end.1), kind: .code, counter: counter)
  }

  /// Returns the counts of the regions, those that were added last; nil if nothing changed.
  private func counts(
    _ function: CoverageMapping.Function, _ source: String, _ counters: [UInt64]
  ) -> [UInt64]? {
    function.withoutEndedRuns(at: all(source)) { counters[$0] }?.counts { counters[$0] }.map(\.ran)
  }

  @Test("What follows the block ran without them, also as a branch that is counted by what did not go another way")
  func following() {
    let source = """
      func parse() {
        guard ok else { exit(0) }
        if more {
          go()
        } else {
          stop()
        }
      }

      """
    let function = CoverageMapping.Function(
      files: [Self.name],
      regions: [
        region((1, 14), (8, 2), .counted(0)), region((2, 17), (2, 28), .counted(1)),
        region((3, 11), (5, 4), .counted(2)), region((5, 10), (7, 4), .difference(0)),
      ], expressions: [.init(left: .counted(0), right: .counted(2))])
    #expect(counts(function, source, [3, 1, 0]) == [3, 1, 0, 2, 2])
    #expect(counts(function, source, [3, 1, 2]) == [3, 1, 2, 0, 2])
    #expect(counts(function, source, [1, 1, 0]) == [1, 1, 0, 0, 0])
    // Where none ended, nothing is touched.
    #expect(counts(function, source, [3, 0, 2]) == nil)
  }

  @Test("What follows the blocks around it ran without them as well, and the other side of a branch is not concerned")
  func around() {
    let source = """
      func parse() {
        if a {
          if b { exit(0) }
          c()
        } else {
          d()
        }
        e()
      }

      """
    let function = CoverageMapping.Function(
      files: [Self.name],
      regions: [
        region((1, 14), (9, 2), .counted(0)), region((2, 8), (5, 4), .counted(1)),
        region((3, 10), (3, 21), .counted(2)),
        region((5, 10), (7, 4), .difference(0)),
      ], expressions: [.init(left: .counted(0), right: .counted(1))])
    // Behind the inner block up to the end of the one around it, then behind that.
    #expect(counts(function, source, [5, 3, 1]) == [5, 3, 1, 2, 2, 4])
  }

  @Test("Several blocks that end runs are left out one after the other")
  func several() {
    let source = """
      func parse() {
        guard a else { exit(1) }
        guard b else { exit(2) }
        c()
      }

      """
    let function = CoverageMapping.Function(
      files: [Self.name],
      regions: [
        region((1, 14), (5, 2), .counted(0)), region((2, 16), (2, 27), .counted(1)),
        region((3, 16), (3, 27), .counted(2)),
      ])
    #expect(counts(function, source, [9, 2, 3]) == [9, 2, 3, 7, 4])
  }

  @Test("A function of which it is not certain what those runs added to its counts stays as it is")
  func uncertain() {
    let source = "func parse() {\n  guard a else { exit(1) }\n  c()\n}\n"
    let function = CoverageMapping.Function(
      files: [Self.name],
      regions: [
        region((1, 14), (4, 2), .counted(0)), region((2, 16), (2, 27), .counted(1)), region((3, 3), (3, 6), .sum(0)),
      ], expressions: [.init(left: .counted(0), right: .counted(1))])
    #expect(counts(function, source, [3, 1]) == nil)
  }
}
