import Model
import Testing

@testable import Rendering

@Suite("What to test next")
struct NextFunctionsTests {
  private func region(_ start: (Int, Int), _ end: (Int, Int), _ count: UInt64) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
      count: count)
  }

  @Test("A way is added by each region that ends before the one around it")
  func paths() {
    // if … { } else { }, a closure behind ??, and an early return, behind which the code goes on to the end.
    let body = region((1, 1), (20, 2), 3)
    #expect(NextFunctions.paths([body]) == 1)
    #expect(NextFunctions.paths([body, region((2, 5), (4, 6), 1), region((4, 12), (6, 6), 2)]) == 3)
    #expect(NextFunctions.paths([body, region((7, 5), (9, 6), 0), region((9, 6), (20, 2), 3)]) == 2)
    #expect(NextFunctions.paths([]) == 1)
  }

  @Test(
    "Static and free functions need no object",
    arguments: [
      ("bake()", true), ("static Cookie.bake(at:)", true), ("Cookie.bake()", false), ("Cookie.init()", false),
      ("static Cookie.size", false), ("total", false), ("init()", false),
    ])
  func easy(_ name: String, _ isEasy: Bool) {
    #expect(NextFunctions.needsNoObject(name) == isEasy)
  }

  @Test("Functions that ran whole are in neither list, and the most winding one is first")
  func lists() {
    func winding(_ name: String, at line: Int, ways: Int, count: UInt64) -> FunctionCoverage {
      let arms = (0..<ways).map { region((line + 1 + $0, 5), (line + 1 + $0, 9), $0 == 0 ? 0 : 1) }
      return FunctionCoverage(
        name: name, symbol: name, count: count, regions: [region((line, 1), (line + 20, 2), count)] + arms)
    }
    let whole = FunctionCoverage(name: "whole()", symbol: "w", count: 1, regions: [region((90, 1), (95, 2), 1)])
    let functions = [
      winding("A.few()", at: 1, ways: 4, count: 1), winding("A.many()", at: 30, ways: 9, count: 1),
      winding("never()", at: 60, ways: 1, count: 0), whole,
    ]
    let next = NextFunctions(Coverage(files: [file(lines: [], functions: functions)]))
    #expect(next.winding.map(\.function.name) == ["A.many()", "A.few()"])
    #expect(next.winding.map(\.paths) == [10, 5])
    #expect(next.easy.map(\.function.name) == ["never()"])
  }
}
