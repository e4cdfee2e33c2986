import Testing

@testable import Rendering

@Suite("Names on pages")
struct TemplateNameTests {
  @Test(
    "A long name or path may go on in the next line, but not within a word",
    arguments: [
      ("test_greeting_isPlain", "test_<wbr>greeting_<wbr>is<wbr>Plain"),
      ("Sources/Greeter/Clock.swift", "Sources/<wbr>Greeter/<wbr>Clock.swift"),
      ("ShoppingListTests.swift:11", "Shopping<wbr>List<wbr>Tests.swift:11"),
      ("B.swift:3:16 in 1a2b", "B.swift:3:16 in 1a2b"), ("org.example.Mill", "org.<wbr>example.<wbr>Mill"),
      ("greet(name:_:)", "greet(name:<wbr>_<wbr>:)"), ("evening()", "evening()"),
      ("a<b>\u{202E}", "a&lt;b&gt;⟨U+202E⟩"),
    ])
  func breaks(name: String, markup: String) throws {
    #expect(String(decoding: SafeHTML.name(name).bytes, as: UTF8.self) == markup)
    #expect(try render("{{{n}}}", ["n": .name(name)]) == markup)
  }

  @Test(
    "A heading ends its lines as names do, and not between a figure and what it counts",
    arguments: [
      ("80% patch gate failed", "80%&nbsp;patch gate failed"),
      ("Shop 1 → 2: 1 test fixed", "Shop 1 → 2: 1&nbsp;test fixed"),
      ("12\u{202F}345 lines in 41 and 7.5 of 9", "12\u{202F}345&nbsp;lines in 41 and 7.5&nbsp;of 9"),
      ("test_a failed again since 5 on main", "test_<wbr>a failed again since 5 on main"),
    ])
  func heading(text: String, markup: String) throws {
    #expect(try render("{{{h}}}", ["h": .heading(text)]) == markup)
    #expect(try render("{{h}}", ["h": .heading(text)]) == text)
  }

  @Test("Two braces put in a name as it is, as they do in templates of a user's own")
  func plainText() throws {
    #expect(try render("{{#n}}{{.}}{{/n}}{{n}}", ["n": .name("test_a<b>")]) == "test_a&lt;b&gt;test_a&lt;b&gt;")
    #expect(try render("{{^n}}none{{/n}}", ["n": .name("")]) == "none")
  }
}
