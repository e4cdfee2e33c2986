import Testing

@Suite("Rules for names")
struct NameRulesTests {
  private func mismatch(_ name: String, _ text: String) -> [String] {
    NameRules.mismatch(of: SwiftText(path: "Sources/A/\(name).swift", text)).map(\.description)
  }

  @Test("A file is named after a type that it declares")
  func types() {
    #expect(mismatch("Bird", "package final class Bird<T>: Wing {}") == [])
    #expect(mismatch("Bird", "@MainActor enum Bird { case martlet }") == [])
    #expect(mismatch("Bird", "typealias Bird = Int") == [])
    #expect(
      mismatch("Bird", "// struct Bird\nlet text = \"struct Bird\"\nextension Bird {}") == [
        "Sources/A/Bird.swift: a file is named after a type that it declares, or 'Type+Verb'; 'Bird' is not in it"
      ])
  }

  @Test("A file of an extension is named after the type and a verb")
  func extensions() {
    #expect(mismatch("Bird+Fly", "extension Bird: Flying {}") == [])
    #expect(mismatch("Nest+Build", "extension Bird.Nest {}") == [])
    #expect(mismatch("Bird+Fly", "extension Fish {}").count == 1)
  }

  @Test("A name of a type is used once, but for types inside others")
  func twins() {
    let texts = [
      ("Bird", "struct Bird {\n  enum Kind {}\n}"), ("Fish", "private enum Bird {}\nstruct Fish {\n  enum Kind {}\n}"),
    ]
    .map { SwiftText(path: "Sources/A/\($0.0).swift", $0.1) }
    #expect(
      NameRules.twins(in: texts).map(\.description) == [
        "Sources/A/Fish.swift: there is another 'Bird' in Sources/A/Bird.swift"
      ])
  }

  @Test("The entry point and files without code have free names")
  func exempt() {
    #expect(mismatch("main", "run()") == [])
    #expect(mismatch("Placeholder", "import Model\n\n// Later.") == [])
    #expect(mismatch("Free", "func free() {}").count == 1)
  }

  @Test("Names that say nothing are refused", arguments: ["Utils", "StringHelpers", "NestManager", "Common", "Misc"])
  func vague(name: String) {
    #expect(NameRules.vagueness(of: SwiftText(path: "Tests/A/\(name).swift", "")).count == 1)
  }

  @Test("Names that only resemble them are fine", arguments: ["Commons", "Miscount", "Managers"])
  func clear(name: String) {
    #expect(NameRules.vagueness(of: SwiftText(path: "Tests/A/\(name).swift", "")) == [])
  }
}
