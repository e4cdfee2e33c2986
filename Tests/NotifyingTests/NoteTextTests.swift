import Model
import Rendering
import Testing

@Suite("The text of a git note")
struct NoteTextTests {
  private func integration(_ number: Int, bot: String = "Greeter") -> Integration {
    var integration = MessageSample.red
    integration.number = number
    integration.bot = bot
    return integration
  }

  private func note(_ number: Int, bot: String = "Greeter", to old: String?) -> String {
    NoteText.adding(integration(number, bot: bot), page: "/site/\(bot)/\(number)/index.html", to: old)
  }

  private func paragraph(_ number: Int, bot: String = "Greeter") -> String {
    "\(bot) \(number): test-failures\n2 tests (+2), 2 red\n/site/\(bot)/\(number)/index.html\n"
  }

  @Test("A note tells the outcome, the counts and where the report is", arguments: [nil, "", " \n\n"])
  func first(old: String?) {
    #expect(note(42, to: old) == paragraph(42))
  }

  @Test("A failed gate without a red test is no test failure")
  func gate() {
    var integration = integration(42)
    for index in integration.tests.results.indices { integration.tests.results[index].state = .passed }
    integration.onlyGatesFailed = true
    #expect(NoteText.adding(integration, page: "/site", to: nil).hasPrefix("Greeter 42: gate failed\n2 tests"))
  }

  @Test("A newer integration takes the place of an older one of the same bot and leaves everything else")
  func replaces() {
    let old = "By hand: look here\n\n\n\(paragraph(41))\n\(paragraph(7, bot: "Greeter release"))\nGreeter 12 was odd\n"
    let new = "By hand: look here\n\n\(paragraph(42))\n\(paragraph(7, bot: "Greeter release"))\nGreeter 12 was odd\n"
    #expect(note(42, to: old) == new)
    #expect(note(42, to: new) == new)
  }

  @Test("An older integration changes nothing, and another bot adds its own")
  func others() {
    #expect(note(41, to: paragraph(42)) == paragraph(42))
    #expect(note(3, bot: "Nightly", to: paragraph(42)) == "\(paragraph(42))\n\(paragraph(3, bot: "Nightly"))")
  }
}
