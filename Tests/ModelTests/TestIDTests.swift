import FoundationEssentials
import Model
import TestGround
import Testing

@Suite("Names of tests")
struct TestIDTests {
  @Test(
    "Split into module, suite and name",
    arguments: [
      ("Shop.CartTests/test_add", TestID(module: "Shop", suite: "CartTests", name: "test_add")),
      ("Shop.Outer/Inner/adds(_:to:)", TestID(module: "Shop", suite: "Outer/Inner", name: "adds(_:to:)")),
      ("Shop.adds()", TestID(module: "Shop", suite: "", name: "adds()")),
      ("Shop.`a.b/c`/`d/e`()", TestID(module: "Shop", suite: "`a.b/c`", name: "`d/e`()")),
      ("Shop.`one / two`()", TestID(module: "Shop", suite: "", name: "`one / two`()")),
      (
        "Shop.CartTests/adds(_:)/CartTests.swift:15:6",
        TestID(module: "Shop", suite: "CartTests", name: "adds(_:)/CartTests.swift:15:6")
      ),
      ("Shop.adds(_:)/CartTests.swift:15:6", TestID(module: "Shop", suite: "", name: "adds(_:)/CartTests.swift:15:6")),
      ("Shöp.Körbe/größer()", TestID(module: "Shöp", suite: "Körbe", name: "größer()")),
      ("A.B.C/d", TestID(module: "A", suite: "B.C", name: "d")),
    ])
  func splitting(text: String, id: TestID) {
    #expect(TestID(text) == id)
    #expect(id.description == text)
  }

  @Test(
    "Refuses what is no name",
    arguments: ["", ".", "Shop", "Shop.", ".adds()", "Shop.CartTests/", "Shop.`adds()", "`Shop.adds()"])
  func refused(text: String) {
    #expect(TestID(text) == nil)
  }

  @Test("Only a place of two numbers belongs to the name before it")
  func places() {
    #expect(TestID("Shop.CartTests/adds(a:b:)")?.suite == "CartTests")
    #expect(TestID("Shop.CartTests/adds(_:)/x:1")?.suite == "CartTests/adds(_:)")
    #expect(TestID("Shop.CartTests/adds(_:)/x.swift:1:2")?.suite == "CartTests")
  }

  @Test(
    "Lose nothing but a place at their end",
    arguments: [
      ("Shop.CartTests/adds(_:)/CartTests.swift:15:6", "Shop.CartTests/adds(_:)"),
      ("Shop.adds()/CartTests.swift:15:6", "Shop.adds()"), ("Shop.`a/b`/`c:1:2`()/X.swift:1:2", "Shop.`a/b`/`c:1:2`()"),
      ("Shop.CartTests/adds()", "Shop.CartTests/adds()"), ("Shop.CartTests/`c/d:1:2`()", "Shop.CartTests/`c/d:1:2`()"),
      ("Shop.CartTests/test_add", "Shop.CartTests/test_add"),
    ])
  func withoutPlace(text: String, rest: String) throws {
    let id = try #require(TestID(text))
    #expect(id.withoutPlace.description == rest)
    #expect(id.hasPlace == (text != rest))
  }

  @Test("A name that was split and joined is the same name, for any characters")
  func roundTrip() {
    var generator = SeededGenerator(seed: 3)
    let alphabet = Array("aZ_0./`:() é🦅\u{0}\n")
    var read = 0
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0...14, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? "a"
        })
      // No library has a suite without a name.
      guard !text.contains("./"), let id = TestID(text) else { continue }
      read += 1
      #expect(id.description == text)
      #expect(TestID(id.description) == id)
    }
    #expect(read > 100)
  }

  @Test("Are ordered by module, then suite, then name")
  func order() {
    let names = ["B.A/a", "A.B/a", "A.a()", "A.A/b", "A.A/a"]
    #expect(
      names.compactMap { TestID($0) }.sorted().map(\.description) == ["A.a()", "A.A/a", "A.A/b", "A.B/a", "B.A/a"])
  }

  @Test("Stand in documents as text; text that is no name is refused with the text")
  func coding() throws {
    let id = try #require(TestID("Shop.CartTests/adds(_:)"))
    let bytes = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([TestID].self, from: bytes) == [id])
    #expect {
      _ = try JSONDecoder().decode([TestID].self, from: Data(#"["Shop"]"#.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription == "'Shop' is no test name"
    }
  }
}
