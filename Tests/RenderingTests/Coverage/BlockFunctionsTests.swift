import Model
import TestGround
import Testing

@testable import Rendering

@Suite("The functions of uncovered blocks")
struct BlockFunctionsTests {
  /// What the page about all files says about the only block of a file.
  private func what(
    _ lines: ClosedRange<Int>, _ functions: [FunctionCoverage], in path: String = "Sources/A/A.swift"
  ) throws -> String {
    var report = CoverageSample.report
    let never = lines.map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    report.integration.coverage = .available(Coverage(files: [file(path, lines: never, functions: functions)]))
    report.sources[path] = Array((1...40).map { "  call(\($0))\n" }.joined().utf8)
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    let table = try #require(page.split(separator: "ncovered blocks, the longest first").last)
    let row = try #require(table.split(separator: "data-stop").dropFirst().first?.split(separator: "</tr>").first)
    // Of the markup only the beginnings of what is told apart.
    return String(try #require(row.split(separator: "</td><td>").last)).replacing(/<(?!small|code).*?>/, with: "")
  }

  private func function(_ name: String, _ lines: ClosedRange<Int>, _ count: UInt64 = 0) -> FunctionCoverage {
    CoverageSample.function(name, lines, count: count)
  }

  @Test("A block of one function names it, one of several says how many there are")
  func several() throws {
    let (c, d, e) = (function("A.c()", 10...12), function("A.d()", 13...15), function("A.e()", 16...16))
    #expect(try what(10...15, [c]) == "<code>A.c() was never called")
    #expect(try what(10...12, [c, d]) == "<code>A.c() was never called")
    #expect(try what(10...15, [c, d]) == "<code>A.c() and 1 more function were never called")
    #expect(try what(10...16, [c, d, e]) == "<code>A.c() and 2 more functions were never called")
  }

  /// A declaration that is known by what is inside of it alone.
  private func parts(
    _ name: String, _ lines: ClosedRange<Int>, _ kinds: FunctionCoverage.Folded.Kind...
  ) -> FunctionCoverage {
    var function = function(name, lines)
    function.isOnlyFolded = true
    function.folded = kinds.map { .init($0, count: 0) }
    return function
  }

  @Test("A declaration that is known by its closures alone is not said to have never been called")
  func partsAlone() throws {
    let table = parts("A.table", 10...12, .closure, .defaultArgument)
    let (c, d) = (function("A.c()", 13...15), function("A.d()", 16...16))
    #expect(try what(10...12, [table]) == "A closure in <code>A.table was never called")
    #expect(try what(10...15, [table, c]) == "A closure in <code>A.table and 1 more function were never called")
    #expect(try what(13...18, [c, parts("A.e", 16...18, .closure)]) == "<code>A.c() was never called")
    #expect(
      try what(13...18, [c, d, parts("A.e", 17...18, .closure)]) == "<code>A.c() and 1 more function were never called")
    let values = parts("A.f(_:)", 10...12, .defaultArgument, .defaultArgument)
    #expect(try what(10...12, [values]) == "A default argument of <code>A.f(_:) was never used")
    #expect(
      try what(10...15, [values, c]) == "A default argument of <code>A.f(_:) and 1 more function were never called")
  }

  @Test("Code at top level is not called, but runs")
  func topLevel() throws {
    var main = function("top-level code", 10...12)
    main.isTopLevel = true
    #expect(try what(10...12, [main]) == "<code>top-level code never ran")
    #expect(
      try what(10...15, [main, function("c()", 13...15)]) == "<code>top-level code and 1 more function never ran")
  }

  @Test("Where one of them was called, none is said to have never been")
  func called() throws {
    let (c, d) = (function("A.c()", 8...12, 3), function("A.d()", 13...15))
    #expect(try what(11...15, [c, d]) == "<code>call(11)<small class=\"small\">in A.c() and 1 more function")
    let (f, g) = (function("A.f()", 10...12), function("A.g", 13...15, 2))
    #expect(try what(10...14, [f, g]) == "<code>call(10)<small class=\"small\">in A.f() and 1 more function")
  }

  @Test("A function is not counted beside those that are inside of it, nor beside the one that it is in")
  func nested() throws {
    let (f, inner) = (function("A.f()", 10...20), function("go() in A.f()", 12...14))
    #expect(try what(10...20, [f, inner]) == "<code>A.f() was never called")
    #expect(try what(13...16, [f, inner]) == "<code>go() in A.f() was never called")
    let deep = function("step(_:) in go() in A.f()", 13...13)
    #expect(
      try what(9...20, [function("A.e()", 9...9), f, inner, deep])
        == "<code>A.e() and 1 more function were never called")
    #expect(try what(13...16, [f, inner, deep]) == "<code>step(_:) in go() in A.f() was never called")
    // Statements at top level stand around functions that are not theirs.
    var main = function("main", 10...11)
    main.regions += function("", 15...16).regions
    #expect(try what(10...16, [main, function("top()", 12...14)]).hasPrefix("<code>main and 1 more function were"))
    #expect(try what(12...14, [main, function("top()", 13...14)]).hasPrefix("<code>top() was never called"))
  }

  @Test(
    "Of functions in a header it is not said that they were never called, since calls from Swift are not all counted")
  func headers() throws {
    let (c, d) = (function("c(int)", 10...12), function("d(int)", 13...15))
    #expect(try what(10...12, [c], in: "Sources/A/a.h") == "<code>c(int) has no counted call")
    #expect(try what(10...15, [c, d], in: "Sources/A/a.h") == "<code>c(int) and 1 more function have no counted call")
    let table = parts("A::table", 10...12, .closure)
    #expect(try what(10...12, [table], in: "Sources/A/a.hpp") == "A closure in <code>A::table has no counted call")
  }

  @Test("Functions that one macro makes at one place are several")
  func twins() throws {
    var both = function("one(int) and two(int)", 10...12)
    both.twins = 1
    #expect(try what(10...12, [both]) == "<code>one(int) and two(int) were never called")
    #expect(
      try what(8...12, [function("f(int)", 8...9), both]) == "<code>f(int) and 2 more functions were never called")
  }

  @Test("Thousands of functions in one block take no longer than as many functions")
  func many() {
    let growth = Growth.atFourTimes(2_000) { count in
      file(lines: [], functions: (1...count).map { function("function\($0)(_:)", $0...$0) })
    } _: { file in
      let count = file.functions.count
      let block = BlockFunctions(1...count, in: file)
      #expect(block.neverWords == "and \(CountText.plain(count - 1)) more functions were never called")
    }
    #expect(growth < Growth.inProportion)
  }

  @Test("What was called before is said not to be called in one integration")
  func lost() {
    let all = [function("A.c()", 10...12), function("A.d()", 13...15)]
    let functions = BlockFunctions(10...15, in: file("A.swift", lines: [], functions: all))
    #expect(functions.sentence() == "A.c() and A.d() were never called")
    #expect(functions.sentence(in: 3) == "A.c() and A.d() were not called in 3")
  }
}
