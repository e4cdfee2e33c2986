import Testing

@testable import Rendering

@Suite("Names on pages")
struct TemplateNameTests {
  @Test(
    "A long name or path may go on in the next line, but not within a word",
    arguments: [
      ("test_greeting_isPlain", "test_<wbr>greeting_<wbr>is<wbr>Plain"),
      ("Sources/Greeter/Clock.swift", "Sources/<wbr>Greeter/<wbr>Clock.<wbr>swift"),
      ("greet(name:_:)", "greet(name:<wbr>_<wbr>:)"), ("evening()", "evening()"),
      ("a<b>\u{202E}", "a&lt;b&gt;⟨U+202E⟩"),
    ])
  func breaks(name: String, markup: String) throws {
    #expect(String(decoding: SafeHTML.name(name).bytes, as: UTF8.self) == markup)
    #expect(try render("{{{n}}}", ["n": .name(name)]) == markup)
  }

  @Test("Two braces put in a name as it is, as they do in templates of a user's own")
  func plainText() throws {
    #expect(try render("{{#n}}{{.}}{{/n}}{{n}}", ["n": .name("test_a<b>")]) == "test_a&lt;b&gt;test_a&lt;b&gt;")
    #expect(try render("{{^n}}none{{/n}}", ["n": .name("")]) == "none")
  }
}
