import Model
import Testing

@testable import Rendering

@Suite("Operands of an assertion")
struct OperandsTests {
  private func brief(_ first: String, _ second: String) throws -> [String] {
    let parsed = ParsedFailure(assertion: "#expect", first: first, second: second, relation: "==")
    let operands = try #require(Operands(parsed))
    return [operands.first, operands.second].map { Operands.brief($0).map(\.text).joined() }
  }

  @Test("On a line, values of several lines are their lines that differ")
  func lines() throws {
    #expect(
      try brief("Bill(\n  table: 7,\n  tip: 292\n)", "Bill(\n  table: 7,\n  tip: 347\n)") == [
        "… tip: 292 …", "… tip: 347 …",
      ])
    #expect(
      try brief("a: 1\nb: 2\nc: 3\nd: 4", "a: 9\nb: 2\nc: 3\nd: 8") == ["a: 1 … d: 4", "a: 9 … d: 8"])
    #expect(try brief("a: 1\nd: 4", "a: 9\nd: 8") == ["a: 1\\nd: 4", "a: 9\\nd: 8"])
  }

  @Test("A value of one line stays whole, and so does what differs in where its lines end")
  func whole() throws {
    #expect(try brief("tip: 292", "tip: 347") == ["tip: 292", "tip: 347"])
    #expect(try brief("a b", "a\nb") == ["a b", "a\\nb"])
  }
}
