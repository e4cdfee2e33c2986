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

  @Test("A command without hyphens is its text, with all its spaces and without what a page cannot show")
  func plain() {
    #expect(markup("martlet  run .\u{202E}") == "martlet  run .⟨U+202E⟩")
    #expect(TemplateValue.command(ifAny: nil) == .missing)
  }

  private func markup(_ command: String) -> String? {
    guard case .html(let html) = TemplateValue.command(command) else { return nil }
    return String(decoding: html.bytes, as: UTF8.self)
  }
}
