import FoundationEssentials
import Integrating
import Model
import Testing

@Suite("A request with the settings of a package")
struct PackageSettingsRequestTests {
  private let settings: PackageSettings

  init() {
    var settings = PackageSettings()
    settings.actions = [.build, .analyze]
    settings.filter = ["FastTests"]
    settings.skip = ["Slow"]
    settings.timeout = .seconds(30)
    settings.silence = .seconds(3600)
    settings.coverageExclude = ["Sources/Generated/**"]
    self.settings = settings
  }

  private func request(_ filter: [String] = [], skip: [String] = []) -> IntegrationRequest {
    var bot = Bot(name: "", repository: "/git/Greeter")
    (bot.tests.filter, bot.tests.skip) = (filter, skip)
    return IntegrationRequest(bot, queuedAt: Date(timeIntervalSince1970: 0))
  }

  @Test("Without a bot the package chooses, and tightens what the program allows")
  func withoutBot() {
    let (applied, origins) = request(skip: ["Late"]).applying(settings)
    #expect(applied.actions == [.build])
    #expect(applied.tests.filter == ["FastTests"])
    #expect(applied.tests.skip == ["Late", "Slow"])
    #expect(applied.tests.limits == TestLimits(test: .seconds(30)))
    #expect(applied.coverage.exclude == ["Sources/Generated/**"])
    #expect(
      origins == [
        SettingOrigin("actions", .package, remark: "The package asks for analyze, but there is no command for it."),
        SettingOrigin("tests.filter", .package),
        SettingOrigin("tests.skip", .both, remark: "The package's are added to those that were asked for."),
        SettingOrigin("tests.timeout", .package),
        SettingOrigin("tests.silence", .commandLine, remark: "The package asks for more than is allowed."),
        SettingOrigin("coverage.exclude", .package),
      ])
  }

  @Test("A filter of the command line stands instead of the package's")
  func filterOfCommandLine() {
    let (applied, origins) = request(["GreetingTests"]).applying(settings)
    #expect(applied.tests.filter == ["GreetingTests"])
    let remark = "The command line's filter stands instead of the package's."
    #expect(origins.filter { $0.setting == "tests.filter" } == [.init("tests.filter", .commandLine, remark: remark)])
  }

  @Test("The order of a bot comes to the same as the bot with the settings")
  func order() {
    var bot = Bot(name: "greeter", repository: "/git/Greeter")
    bot.analyze = "lint"
    bot.tests.filter = ["GreetingTests"]
    bot.tests.limits.silence = .seconds(60)
    bot.coverage.exclude = ["Sources/Old/**"]
    func request(_ bot: Bot) -> IntegrationRequest {
      IntegrationRequest(
        IntegrationOrder(
          bot: bot, number: 3, commit: CommitID(rawValue: "a"), branch: "main", cause: .commit,
          queuedAt: Date(timeIntervalSince1970: 0)))
    }
    let (applied, origins) = request(bot).applying(settings)
    let expected = settings.applied(to: bot)
    let wanted = request(expected.bot)
    #expect(applied.actions == [.build, .analyze])
    #expect(applied.actions == wanted.actions)
    #expect(applied.tests.filter == wanted.tests.filter)
    #expect(applied.tests.skip == wanted.tests.skip)
    #expect(applied.tests.limits == wanted.tests.limits)
    #expect(applied.coverage.exclude == wanted.coverage.exclude)
    #expect(origins == expected.origins)
  }

  @Test("A package that says nothing changes nothing")
  func nothing() {
    let (applied, origins) = request(["A"], skip: ["B"]).applying(PackageSettings())
    #expect(applied.tests.filter == ["A"])
    #expect(applied.tests.skip == ["B"])
    #expect(applied.actions == [.build, .test])
    #expect(applied.tests.limits == TestLimits())
    #expect(origins.isEmpty)
  }
}
