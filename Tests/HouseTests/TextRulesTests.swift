import Testing

@Suite("Rules for texts")
struct TextRulesTests {
  private func text(_ text: String) -> SwiftText {
    SwiftText(path: "Sources/A/A.swift", text)
  }

  @Test(
    "A path of a machine is found where it begins, also in strings", arguments: ["work", "root", "home", "opt/swift"])
  func machinePaths(folder: String) {
    let found = TextRules.machinePaths(in: "a.md", "one\nsee \"/\(folder)/x\" and \u{60}/\(folder)/y\u{60}")
    #expect(found.map(\.description) == ["a.md:2: '/\(folder)/' is a path of one machine"])
    #expect(TextRules.machinePaths(in: "a.md", "/\(folder)/x").count == 1)
    for fine in ["a/\(folder)/x", "~/\(folder)/x", "https://example.org/\(folder)/x", "/\(folder)s/x"] {
      #expect(TextRules.machinePaths(in: "a.md", fine) == [], "\(fine)")
    }
  }

  @Test(
    "A way around the compiler needs a comment on its line or the one above",
    arguments: [
      "try! f()", "fatalError(\"x\")", "extension A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1",
    ])
  func dangers(code: String) {
    #expect(TextRules.unexplainedDangers(in: text("f()\n\(code)")).map(\.line) == [2])
    #expect(TextRules.unexplainedDangers(in: text("f()  // Why f.\n\(code)")).map(\.line) == [2])
    #expect(TextRules.unexplainedDangers(in: text("\(code)  // Because.")) == [])
    #expect(TextRules.unexplainedDangers(in: text("// Because.\n\(code)")) == [])
    #expect(TextRules.unexplainedDangers(in: text("/* \(code) */ let a = #\"\(code)\"#")) == [])
  }

  @Test("What is wrong with a danger is told with its line")
  func message() {
    #expect(
      TextRules.unexplainedDangers(in: text("try! f()")).map(\.description) == [
        "Sources/A/A.swift:1: 'try!' needs its reason in a comment beside it"
      ])
  }

  @Test("A reminder must say when it is due")
  func reminders() {
    let word = "TO" + "DO"
    #expect(
      TextRules.openReminders(in: text("f()\n// \(word): tidy up")).map(\.description) == [
        "Sources/A/A.swift:2: a reminder must say when it is due: \(word)(when …)"
      ])
    #expect(TextRules.openReminders(in: text("// \(word)(when Swift 7 is out): tidy up")) == [])
    #expect(TextRules.openReminders(in: text("let a = \"\(word)\"")) == [])
  }
}
