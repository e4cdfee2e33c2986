import Testing

@testable import Rendering

@Suite("Commands on pages")
struct TemplateCommandTests {
  @Test("A command's lines end at its spaces only, not behind the hyphens of an option")
  func options() {
    #expect(
      markup("swift test --filter '^A<b>' --no-parallel")
        == "swift test <span class=whole>--filter</span> &#39;^A&lt;b&gt;&#39; <span class=whole>--no-parallel</span>")
  }

  @Test("A word that is longer than a line may be ends its lines after dots and slashes, and not within a name")
  func longWord() {
    #expect(
      markup(#"--filter '^KitchenTests\.MenuMoreTests/testTitleOfTwo$'"#)
        == "<span class=whole>--filter</span> "
        + #"<span class=whole>&#39;^KitchenTests\.<wbr>MenuMoreTests/<wbr>testTitleOfTwo$&#39;</span>"#)
    #expect(markup(#"'^GreeterTests\.ExitTests/'"#) == #"&#39;^GreeterTests\.ExitTests/&#39;"#)
  }

  @Test("A command without hyphens is its text, with all its spaces and without what a page cannot show")
  func plain() {
    #expect(markup("martlet  run .\u{202E}") == "martlet  run .⟨U+202E⟩")
  }

  @Test("Two braces put in a command as it is, as they do in templates of a user's own")
  func plainText() throws {
    let data: TemplateValue = ["c": .command("swift test --filter 'A'")]
    #expect(try render("{{c}}", data) == "swift test --filter &#39;A&#39;")
    #expect(try render("{{{c}}}", data) == "swift test <span class=whole>--filter</span> &#39;A&#39;")
    #expect(try render("{{#c}}{{.}}{{/c}}", data) == "swift test --filter &#39;A&#39;")
  }

  private func markup(_ command: String) -> String {
    String(decoding: SafeHTML.command(command).bytes, as: UTF8.self)
  }
}
