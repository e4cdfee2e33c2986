import Model
import Syntax
import Testing

@testable import Integrating

@Suite("What the source says of a function that is tried without its body")
struct FunctionTextTests {
  private func text(_ source: String) throws -> FunctionText {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("{") })
    let column = lines[row].utf8.distance(
      from: lines[row].startIndex, to: try #require(lines[row].utf8.firstIndex(of: UInt8(ascii: "{"))))
    let last = try #require(lines.lastIndex { $0.contains("}") })
    let body = CoverageRegion(
      start: SourcePosition(line: row + 1, column: column + 1),
      end: SourcePosition(line: last + 1, column: lines[last].utf8.count + 1), count: 1)
    return try #require(FunctionText(body, in: SourceCode(Array(source.utf8), in: .swift)))
  }

  @Test(
    "A body that is a constant, empty, or ends the process is constant",
    arguments: [
      "func a() {}", "func a() { /* nothing */ }", "var a: Int { 0 }", "var a: Int { return -1 }",
      "var a: [Int] { [] }", "var a: [Int: Int] { [:] }", "var a: Bool { true }", "var a: Int? { nil }",
      "var a: String { \"A\" }", "func a() -> Int { fatalError(\"no\") }", "func a() -> Int {\n  // one\n  return 1\n}",
    ])
  func constant(source: String) throws {
    #expect(try text(source).isConstant)
  }

  @Test(
    "What does something is not",
    arguments: [
      "func a() { b() }", "var a: Int { b }", "var a: Int { 1 + 1 }", "var a: [Int] { [b] }", "var a: Int { -b }",
      "var a: String { \"\\(b)\" }",
    ])
  func notConstant(source: String) throws {
    #expect(try !text(source).isConstant)
  }

  @Test("A body that is one assertion asserts, one that does something besides does more, unless it helps tests")
  func assertion() throws {
    #expect(try text("func a() { precondition(b(1), \"no\") }").isAssertion)
    #expect(try text("func a() {\n  // why\n  assert(b)\n}").isAssertion)
    for library in ["XCTest", "Testing"] {
      #expect(try text("@_exported import \(library)\nfunc a() { b(c) }").isAssertion, "It helps tests.")
    }
    #expect(try !text("import TestingSupport\nfunc a() { b(c) }").isAssertion)
    for source in ["func a() { assert(b); c() }", "func a() { assert }", "func a() { b(assert(c)) }", "func a() {}"] {
      #expect(try !text(source).isAssertion)
    }
  }

  @Test("Only an attribute of its own makes a function transparent")
  func transparent() throws {
    #expect(try text("@_transparent\npublic func a(_ b: Int = 1) -> Int { b }").isTransparent)
    #expect(try !text("@inlinable\npublic func a(_ b: Int) -> Int { b }").isTransparent)
  }
}
