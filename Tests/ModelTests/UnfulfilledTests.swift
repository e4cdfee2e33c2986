import Model
import Testing

@Suite("What settings do nothing yet")
struct UnfulfilledTests {
  @Test("A bot with everything left as it is, or with triggers, asks for nothing in vain")
  func nothing() {
    var bot = Bot(name: "greeter", repository: "/r")
    bot.notes = true
    bot.triggers = [
      .script(Trigger.Script(moment: .after, source: .inline("true"))), .mail(Trigger.Mail(to: ["a@b.example"])),
      .webhook(Trigger.Webhook(url: "https://b.example")),
    ]
    #expect(bot.unfulfilled.isEmpty)
  }

  @Test("Each setting without effect is told, with its place in the file")
  func told() {
    var bot = Bot(name: "greeter", repository: "/r")
    bot.coverage.incidental = true
    bot.tests.names = "test_.*"
    bot.tests.slow = .seconds(1)
    #expect(
      bot.unfulfilled.map(\.path) == [
        ["coverage", "incidental"], ["tests", "names"], ["tests", "slow"],
      ])
    #expect(
      bot.unfulfilled.first?.sentence
        == "'coverage.incidental' does nothing in this version: lines that run without any test are not told apart.")
  }
}
