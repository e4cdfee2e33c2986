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
    bot.coverage.incidental = true
    bot.tests.names = "test_.*"
    bot.tests.slow = .seconds(1)
    #expect(bot.unfulfilled.isEmpty)
  }
}
