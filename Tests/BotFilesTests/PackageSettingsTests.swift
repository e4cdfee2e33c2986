import BotFiles
import Model
import Testing

@Suite("The settings of a package")
struct PackageSettingsTests {
  private func read(_ text: String) throws -> PackageSettings { try PackageSettingsFile.read(Array(text.utf8)) }

  private func messages(_ text: String) -> [String] {
    Reading.problems { _ = try read(text) }.map(Reading.line)
  }

  @Test("A package chooses what is done and which tests")
  func everything() throws {
    var expected = PackageSettings()
    expected.actions = [.build, .test]
    expected.filter = ["Greeter"]
    expected.skip = ["Slow"]
    expected.timeout = .seconds(60)
    expected.silence = .seconds(30)
    expected.coverageExclude = ["Sources/Generated/**"]
    let text = """
      actions: [test]
      tests: {filter: [Greeter], skip: [Slow], timeout: 1m, silence: 30s}
      coverage: {exclude: ["Sources/Generated/**"]}
      """
    #expect(try read(text) == expected)
    #expect(try read("") == PackageSettings())
  }

  @Test("Every other setting of a bot is refused, with the place where it can be made", arguments: BotFileText.keys)
  func forbidden(key: String) {
    if ["actions", "tests", "coverage"].contains(key) { return }
    #expect(
      messages("\(key): x") == ["1:1: a package may not set '\(key)'; set it in the bot's file, bots/NAME.yml"])
  }

  @Test("Inside of tests and coverage only some are allowed")
  func inner() {
    #expect(
      messages("tests: {retries: 3, step: 5m, fitler: []}\ncoverage: {gates: []}") == [
        "1:9: a package may not set 'tests.retries'; set it in the bot's file, bots/NAME.yml",
        "1:21: a package may not set 'tests.step'; set it in the bot's file, bots/NAME.yml",
        "1:31: unknown key 'fitler' in 'tests'; did you mean 'filter'?",
        "2:12: a package may not set 'coverage.gates'; set it in the bot's file, bots/NAME.yml",
      ])
    #expect(
      messages("tests: none") == [
        "1:8: 'tests' should be a mapping such as {timeout: 5m}; only the bot's file can say that there are none, not 'none'"
      ])
    #expect(
      messages("tests: {only: affected}") == [
        "1:9: a package may not set 'tests.only'; set it in the bot's file, bots/NAME.yml"
      ])
    #expect(messages("filter: [a]") == ["1:1: unknown key 'filter'; it belongs under 'tests'"])
  }

  @Test("A package tightens limits, adds to what is left out and replaces what is chosen")
  func applied() throws {
    var bot = Bot(name: "greeter", repository: "/git/Greeter")
    bot.tests.skip = ["Network"]
    bot.tests.limits.silence = .seconds(20)
    let settings = try read(
      """
      actions: [build]
      tests: {filter: [Greeter], skip: [Slow, Network], timeout: 1m, silence: 30s}
      coverage: {exclude: ["Generated/**"]}
      """)
    let (applied, origins) = settings.applied(to: bot)
    var expected = bot
    expected.actions = [.build]
    expected.tests.filter = ["Greeter"]
    expected.tests.skip = ["Network", "Slow"]
    expected.tests.limits.test = .seconds(60)
    expected.coverage.exclude = ["Generated/**"]
    #expect(applied == expected)
    #expect(
      origins == [
        SettingOrigin("actions", .package), SettingOrigin("tests.filter", .package),
        SettingOrigin("tests.skip", .both, remark: "The package's are added to those that were asked for."),
        SettingOrigin("tests.timeout", .package),
        SettingOrigin("tests.silence", .bot, remark: "The package asks for more than is allowed."),
        SettingOrigin("coverage.exclude", .package),
      ])
  }

  @Test("A package that says nothing changes nothing")
  func nothing() {
    let bot = Bot(name: "greeter", repository: "/git/Greeter")
    let (applied, origins) = PackageSettings().applied(to: bot)
    #expect(applied == bot)
    #expect(origins.isEmpty)
  }

  @Test("A package that asks to analyze needs a bot with a command")
  func analyze() {
    var bot = Bot(name: "greeter", repository: "/git/Greeter")
    var settings = PackageSettings()
    settings.actions = [.analyze]
    let remark = "The package asks for analyze, but there is no command for it."
    #expect(settings.applied(to: bot).bot == bot)
    #expect(settings.applied(to: bot).origins == [SettingOrigin("actions", .bot, remark: remark)])
    settings.actions = [.build, .analyze]
    #expect(settings.applied(to: bot).bot.actions == [.build])
    bot.analyze = "lint"
    #expect(settings.applied(to: bot).bot.actions == [.build, .analyze])
  }
}
