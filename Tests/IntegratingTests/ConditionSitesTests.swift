import Model
import Parsing
import Syntax
import Testing

@testable import Integrating

@Suite("Which jump decides a condition")
struct ConditionSitesTests {
  private static let source = """
    func a(_ x: Int) {
      if x < 1 && b { c() }
      if b == 2.5 { c() }
      if isNew { c() }
      if isRare { c() }
    }

    """

  /// Each row of llvm-objdump is about a jump, and each of llvm-symbolizer about its place.
  private static let rows: [(instruction: String, line: Int, column: Int)] = [
    ("1000: a8 01\ttestb\t$0x1, %al\n1002: 75 02\tjne\t0x1004", 2, 12),
    ("1010: a8 01\ttestb\t$0x1, %al\n1012: 74 02\tje\t0x1014", 2, 12),
    ("1020: 66 0f 2e c1\tucomisd\t%xmm1, %xmm0\n1024: 75 33\tjne\t0x1059", 3, 8),
    ("1026: 7a 31\tjp\t0x1059", 3, 8),
    ("1030: a8 01\ttestb\t$0x1, %al\n1032: 75 02\tjne\t0x1034", 4, 6),
    ("1040: a8 01\ttestb\t$0x1, %al\n1042: 75 02\tjne\t0x1044", 5, 6),
    ("1050: a8 01\ttestb\t$0x1, %al\n1052: 75 02\tjne\t0x1054", 5, 14),
  ]

  /// - Parameter inProcess: the number of tests that ran the function in their own process; nil where no other one did.
  private func sites(
    _ scope: MutationScope, touched: Set<Int> = [], inProcess: Int? = nil
  ) -> [ConditionSites.Site] {
    let jumps = ConditionalJump.read(Array(Self.rows.map { "\($0.instruction)\n" }.joined().utf8))
    let places = zip(jumps, Self.rows).map { jump, row in
      #"{"Address":"0x\#(String(jump.address, radix: 16))","Symbol":[{"FileName":"/p/A.swift","Line":\#(row.line),"#
        + #""Column":\#(row.column)}]}"#
    }
    let found = SymbolizedPlaces.read(Array(places.joined(separator: "\n").utf8)) { _ in "A.swift" }
    func region(_ start: (Int, Int), _ end: (Int, Int), _ count: UInt64) -> CoverageRegion {
      CoverageRegion(
        start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
        count: count)
    }
    let body = region((1, 18), (6, 2), 3)
    let tests = ["a", "b"].map { TestID(module: "M", suite: "", name: $0) }
    let map = TestMap(
      tests: tests, sets: [[0, 1], [1]],
      files: ["A.swift": .init(lines: [.init(lines: 1...3, set: 0), .init(lines: 4...5, set: 1)], functions: [])])
    let candidate = MutationPlan.Candidate(
      path: "A.swift",
      function: FunctionCoverage(
        name: "a(_:)", symbol: "$sa", count: 3, regions: [body, region((5, 3), (5, 20), 0)]),
      body: body, tests: Array(tests.prefix(inProcess ?? tests.count)), isInPrograms: inProcess != nil,
      touched: touched)
    return ConditionSites(jumps, at: found, map: map, scope: scope).sites(
      in: candidate, SourceCode(Array(Self.source.utf8), in: .swift))
  }

  @Test("The last jump at its place decides a condition, the first one the left side of it")
  func sides() {
    let found = sites(.all)
    #expect(found.map(\.condition.name) == ["x < 1 && b", "x < 1", "isNew"])
    #expect(found.map(\.opposite.address) == [0x1012, 0x1002, 0x1032])
    #expect(found.map(\.opposite.code.bytes) == ["75", "74", "74"])
    #expect(found.map(\.condition.tests) == [2, 2, 1])
    #expect(found[0].condition.start == SourcePosition(line: 2, column: 6))
    #expect(found[0].condition.end == SourcePosition(line: 2, column: 16))
  }

  @Test("Where programs that tests started ran the function as well, only those try it that ran it themselves")
  func programs() {
    let found = sites(.all, inProcess: 1)
    #expect(found.map(\.condition.name) == ["x < 1 && b", "x < 1"])
    #expect(found.map(\.condition.tests) == [1, 1] && found.allSatisfy(\.isInPrograms))
    let others = sites(.all)
    #expect(others.allSatisfy { !$0.isInPrograms })
  }

  @Test("Jumps at one place in two functions leave in doubt which one decides")
  func functions() {
    let condition = SourceCode(Array("if a { b() }".utf8), in: .swift).conditions(in: 0..<12)
    let rows = Self.rows.prefix(2).map(\.instruction)
    let one = ConditionalJump.read(Array(("0ff0 <a>:\n" + rows.joined(separator: "\n")).utf8))
    let two = ConditionalJump.read(Array(("0ff0 <a>:\n" + rows.joined(separator: "\n1008 <b>:\n")).utf8))
    #expect(condition.first?.jumpDecided(among: one)?.address == 0x1012)
    #expect(condition.first?.jumpDecided(among: two) == nil)
  }

  @Test("Of a change, the conditions on touched lines count")
  func touched() {
    #expect(sites(.changed, touched: [4]).map(\.condition.name) == ["isNew"])
    #expect(sites(.all, touched: [4]).map(\.condition.isChanged) == [false, false, true])
  }
}
