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

  @Test("Of values of which several lines differ, the first that do stand for them")
  func firstLines() throws {
    func brief(_ first: String, _ second: String) throws -> [String] {
      let operands = try #require(Operands(ParsedFailure(assertion: "#expect", first: first, second: second)))
      let brief = operands.brief()
      return [brief.first, brief.second].map { $0.map(\.text).joined() }
    }
    #expect(
      try brief("Cakes\n\n• 250g flour\n• milk\nFry.", "Cakes\n- 250 g flour\n- milk\nFry.") == [
        "… • 250g flour …", "… - 250 g flour …",
      ])
    #expect(try brief("a: 1\nb: 2\nc: 3", "a: 9\nb: 2\nc: 8") == ["a: 1 …", "a: 9 …"])
    #expect(try brief("a\n  b\n", "a\n  c\n") == ["… b …", "… c …"])
  }

  @Test("What is left out of a long value begins and ends with a word")
  func words() throws {
    let start = "Recipe(title: \"Pancakes with buttermilk and a little syrup\", servings: 4, ingredients: ["
    let steps =
      "steps: [\"Whisk everything.\", \"Let it rest for half an hour, or for a whole one if there is time, and stir it now and then.\"])"
    let told = try brief(
      "\(start)], \(steps)", "\(start)Ingredient(name: \"flour\", quantity: 250, isOptional: false)], \(steps)")
    #expect(
      told == [
        "…servings: 4, ingredients: [], steps: [\"Whisk…",
        "…servings: 4, ingredients: [Ingredient(name: \"flour\", quantity: 250, isOptional: false)], steps: [\"Whisk…",
      ])
  }

  @Test("A value of one line stays whole, and so does what differs in where its lines end")
  func whole() throws {
    #expect(try brief("tip: 292", "tip: 347") == ["tip: 292", "tip: 347"])
    #expect(try brief("a b", "a\nb") == ["a b", "a\\nb"])
  }
}
