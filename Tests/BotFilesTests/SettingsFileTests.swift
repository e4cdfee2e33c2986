import Model
import Testing

@testable import BotFiles

@Suite("The settings of the server")
struct SettingsFileTests {
  private func read(_ text: String) throws -> ServerSettings {
    try Reading.settings(Array(text.utf8), in: "/etc/martlet")
  }

  private func messages(_ text: String) -> [String] {
    Reading.problems { _ = try read(text) }.map(Reading.line)
  }

  @Test("Without anything in the file everything is as by default", arguments: ["", "# nothing\n", "defaults: {}"])
  func empty(text: String) throws {
    #expect(try read(text) == ServerSettings())
  }

  /// The lines of a help text that are settings: those with a default, and examples.
  private static func lines(of text: String) -> (settings: [String], examples: [String]) {
    let lines = text.split(separator: "\n").map(String.init)
    return (
      lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { String($0.dropFirst()) },
      lines.filter { $0.hasPrefix("# Example: ") }.map { String($0.dropFirst(11)) }
    )
  }

  @Test("Help shows every field, with examples that are right and defaults that are the defaults")
  func help() throws {
    let (settings, examples) = Self.lines(of: SettingsFile.explanation)
    #expect(try read(settings.joined(separator: "\n")) == ServerSettings())
    for example in examples {
      #expect(try read(example) != ServerSettings(), "\(example)")
    }
    let shown = Set((settings + examples).compactMap { $0.split(separator: ":").first.map(String.init) })
    // What an unknown key is told are all that there are.
    let known = messages("zzzzzzzzzzzz: 1").joined()
    for key in shown { #expect(known.contains(key), "\(key)") }
    #expect(shown.count == known.split(separator: ",").count)
    #expect(SettingsFile.explanation.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test("Help of a package's settings has examples that are right")
  func packageHelp() throws {
    let (settings, examples) = Self.lines(of: PackageSettingsFile.explanation)
    for line in settings + examples {
      #expect(try PackageSettingsFile.read(Array(line.utf8)) != PackageSettings(), "\(line)")
    }
    #expect(settings.count == 1 && examples.count == 2)
    #expect(PackageSettingsFile.explanation.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test("Every field is read")
  func everything() throws {
    let settings = try read(
      """
      jobs: 2
      disk-share: 60%
      keep-runs: {integrations: 20}
      address: https://ci.example.org/
      mail: {smtp: "smtps://mail.example.org:465", from: martlet@example.org, user: SMTP_USER, password: SMTP_PASSWORD}
      people:
        ada: {mail: ada@example.org, commits-as: [ada@home.example]}
        bob: bob@example.org
      aliases: {team: [ada, bob, list@example.org]}
      toolchains: {"6.2": /usr/local/swift-6.2, next: ~/swift}
      defaults:
        clean: daily
        toolchain: next
        tests: {timeout: 5m}
        triggers: [{after: {beside: tell.sh}}, {mail: {to: [team]}}]
      """)
    var expected = ServerSettings()
    expected.jobs = 2
    expected.diskShare = 60
    expected.keepRuns.integrations = 20
    expected.address = SiteAddress("https://ci.example.org")
    expected.mail = .init(
      way: .smtp(url: "smtps://mail.example.org:465"), from: "martlet@example.org", user: "SMTP_USER",
      password: "SMTP_PASSWORD")
    expected.people = [
      "ada": .init(mail: "ada@example.org", commitsAs: ["ada@home.example"]), "bob": .init(mail: "bob@example.org"),
    ]
    expected.aliases = ["team": ["ada", "bob", "list@example.org"]]
    expected.toolchains = ["6.2": "/usr/local/swift-6.2", "next": "/users/ada/swift"]
    expected.defaults.clean = .daily
    expected.defaults.toolchain = "/users/ada/swift"
    expected.defaults.tests.limits.test = .seconds(300)
    expected.defaults.triggers = [
      .script(.init(moment: .after, source: .botFile("/etc/martlet/tell.sh"))), .mail(.init(to: ["team"])),
    ]
    #expect(settings == expected)
  }

  @Test("A mail server's certificate can be proved by others than the machine's")
  func authorities() throws {
    let mail = try read("mail: {smtp: \"smtps://a.org\", from: martlet@example.org, ca: /etc/ssl/our.pem}").mail
    #expect(mail?.authorities == "/etc/ssl/our.pem")
  }

  @Test("A program can send the mail")
  func sendmail() throws {
    let mail = try read("mail: {sendmail: /usr/sbin/sendmail, from: martlet@example.org}").mail
    #expect(mail == .init(way: .sendmail(path: "/usr/sbin/sendmail"), from: "martlet@example.org"))
  }

  @Test("A bot begins with the defaults: its lists replace theirs, its mappings go field by field")
  func defaults() throws {
    let settings = try read(
      """
      toolchains: {"6.2": /usr/local/swift-6.2}
      defaults:
        branches: [main]
        tags: ["v*"]
        schedule: {on: periodic, every: {hour: 5}, time-zone: UTC}
        tests: {timeout: 5m, retries: 1}
        environment: {A: "1", B: "2"}
      """)
    let bot = try Reading.bot(
      saying: "branches: [next]\ntests: {retries: 2}\nenvironment: {B: \"3\"}\ntoolchain: 6.2", settings: settings)
    #expect(bot.name == "greeter")
    #expect(bot.branches == ["next"])
    #expect(bot.tags == ["v*"])
    #expect(bot.schedule.every == .hourly(minute: 5))
    #expect(bot.tests.limits.test == .seconds(300))
    #expect(bot.tests.retries == 2)
    #expect(bot.environment == ["A": "1", "B": "3"])
    #expect(bot.toolchain == "/usr/local/swift-6.2")
    let other = try Reading.bot(saying: "schedule: {on: commit}", settings: settings)
    #expect(other.schedule.every == nil)
    #expect(other.schedule.timeZone == "UTC")
  }

  @Test("Defaults go with what each bot says, and only a bot's own file is wrong without it")
  func unfinishedDefaults() throws {
    let settings = try read("defaults: {trust: none, analyze: lint}")
    let plain = try Reading.bot(saying: "", settings: settings)
    #expect(plain.trust == Bot.Trust.none)
    #expect(plain.actions == [.build, .test])
    let bot = try Reading.bot(
      saying: "branches: \"refs/pull/*/head\"\nactions: [build, analyze]", settings: settings)
    #expect(bot.trust == Bot.Trust.none)
    #expect(bot.analyze == "lint")
    let asking = try read("defaults: {actions: [analyze]}")
    #expect(try Reading.bot(saying: "analyze: lint", settings: asking).actions == [.analyze])
    #expect(
      Reading.messages(saying: "", settings: asking) == [
        "1:1: the action 'analyze' needs a command, such as analyze: swift format lint -r ."
      ])
  }

  @Test("A bot writes to people and aliases that the server knows")
  func names() throws {
    let settings = try read("people: {ada: ada@example.org}\naliases: {team: [ada]}")
    let bot = try Reading.bot(saying: "triggers: [{mail: {to: [team, ada]}}]", settings: settings)
    #expect(bot.triggers == [.mail(.init(to: ["team", "ada"]))])
    #expect(
      Reading.messages(saying: "triggers: [{mail: {to: [teem]}}]", settings: settings) == [
        "2:25: 'teem' is neither an address nor a name under 'people' or 'aliases' in martlet.yml; did you mean 'team'?"
      ])
  }

  @Test(
    "What is wrong is told",
    arguments: [
      ("jobs: 0", ["1:7: 'jobs' should be a whole number from 1 to 1024, not '0'"]),
      ("disk-share: 100", ["1:13: 'disk-share' should be a percentage from 1 to 99 such as 75, not '100'"]),
      ("clean: daily", ["1:1: unknown key 'clean'; what all bots begin with goes under 'defaults'"]),
      ("alias: {}", ["1:1: unknown key 'alias'; did you mean 'aliases'?"]),
      ("defaults: {repository: /x}", ["1:12: 'repository' has no default; each bot names its own"]),
      (
        "defaults: {tests: {timeout: 5}}",
        ["1:29: 'timeout' needs a unit: write 5s for seconds, or a duration such as 10m or 2h"]
      ),
      (
        "mail: {smtp: \"smtp://ada:x@example.org\", from: a@b.org}",
        ["1:14: an address in 'smtp' is no place for a login; write user: and password: with names in secrets.env"]
      ),
      (
        "mail: {from: a@b.org}",
        [
          "1:7: 'mail' should have either 'smtp' or 'sendmail', such as {smtp: \"smtps://mail.example.org\", from: martlet@example.org}"
        ]
      ),
      (
        "mail: {sendmail: /bin/x, from: a@b.org, ca: /c.pem}",
        ["1:45: 'ca' goes with 'smtp'; a program has settings of its own"]
      ),
      (
        "mail: {smtp: \"smtp://a\", from: a@b.org, ca: c.pem}",
        ["1:45: 'ca' should be the whole path of a file such as /etc/ssl/our-ca.pem, not 'c.pem'"]
      ),
      (
        "mail: {sendmail: /bin/x}",
        [
          "1:7: 'mail' needs 'from', the address that mail comes from, such as {smtp: \"smtps://mail.example.org\", from: martlet@example.org}"
        ]
      ),
      (
        "mail: {smtp: \"smtp://a\", from: a@b.org, user: A}",
        ["1:7: 'user' and 'password' go together; both are names in secrets.env"]
      ),
      (
        "people: {ada: {}}",
        ["1:15: 'ada' needs an address, such as {mail: ada@example.org, commits-as: [ada@home.example]}"]
      ),
      (
        "people: {ada: a@b.org}\naliases: {ada: [ada]}",
        ["2:16: 'ada' is a name under 'people' too; call the alias otherwise"]
      ),
      (
        "toolchains: {\"6.2\": swift}",
        ["1:21: 'swift' should be a whole path that begins with / or ~/, such as /usr/local/swift-6.2"]
      ),
      ("toolchains: {a/b: /x}", ["1:14: 'a/b' is no name; leave out '@', '/' and '~'"]),
    ])
  func refusals(text: String, expected: [String]) {
    #expect(messages(text) == expected)
  }

  @Test("What is right is read although something else is wrong")
  func partly() {
    let (settings, error) = SettingsFile.readWhatIsRight(
      Array("jobs: many\ntoolchains: {a: /a}".utf8), file: "martlet.yml",
      in: Surroundings(folder: "/etc/martlet", home: nil))
    #expect(settings.toolchains == ["a": "/a"])
    #expect(error?.problems.count == 1)
  }
}
