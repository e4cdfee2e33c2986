import Model
import Testing

@Suite("What settings do nothing yet")
struct UnfulfilledTests {
  @Test("A bot with everything left as it is, or with scripts, asks for nothing in vain")
  func nothing() {
    var bot = Bot(name: "greeter", repository: "/r")
    bot.triggers = [.script(Trigger.Script(moment: .after, source: .inline("true")))]
    #expect(bot.unfulfilled.isEmpty)
    #expect(ServerSettings().unfulfilled.isEmpty)
  }

  @Test("Each setting without effect is told, with its place in the file")
  func told() {
    var bot = Bot(name: "greeter", repository: "/r")
    bot.notes = true
    bot.triggers = [.mail(Trigger.Mail(to: ["a@b.example"])), .webhook(Trigger.Webhook(url: "https://b.example"))]
    bot.tests.names = "test_.*"
    bot.tests.slow = .seconds(1)
    #expect(
      bot.unfulfilled.map(\.path) == [
        ["triggers", "0"], ["triggers", "1"], ["notes"], ["tests", "slow"],
      ])
    #expect(bot.unfulfilled.first?.sentence == "'triggers' does nothing in this version: no mail is sent.")
    var settings = ServerSettings()
    settings.people = ["ada": ServerSettings.Person(mail: "ada@b.example")]
    #expect(
      settings.unfulfilled == ["'mail', 'people' and 'aliases' do nothing in this version: no mail is sent."])
  }
}
