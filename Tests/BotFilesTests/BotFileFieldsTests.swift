import BotFiles
import Model
import Testing

@Suite("The fields of a bot file")
struct BotFileFieldsTests {
  @Test("Only the repository has to be said; the rest is as in the model")
  func defaults() throws {
    #expect(try Reading.bot("repository: /git/Greeter.git") == Bot(name: "greeter", repository: "/git/Greeter.git"))
  }

  @Test("Every field of the documented example is read")
  func everything() throws {
    let bot = try Reading.bot(Self.example)
    var expected = Bot(name: "greeter", repository: "/users/ada/git/Greeter.git")
    expected.package = "Packages/Core"
    expected.branches = ["main", "release/*"]
    expected.tags = ["v*"]
    expected.schedule.on = .periodic
    expected.schedule.every = .weekly(.sunday, Schedule.TimeOfDay(hour: 3, minute: 0))
    expected.schedule.timeZone = "Europe/Berlin"
    expected.schedule.alsoWhenToolchainChanges = false
    expected.commits = .every
    expected.cancelSuperseded = true
    expected.paths = ["Packages/Core/**"]
    expected.ignore.paths = ["docs/**"]
    expected.ignore.messages = ["[skip ci]"]
    expected.clean = .daily
    expected.actions = [.build, .analyze, .test, .archive]
    expected.analyze = "swift format lint -r ."
    expected.configuration = "release"
    expected.toolchain = "/usr/local/swift"
    expected.buildSystem = .swiftbuild
    expected.sanitize = [.thread]
    expected.arguments = ["-Xswiftc", "-DSLOW", "-Xswiftc", "-DMORE"]
    expected.environment = ["API_URL": "http://localhost", "COUNT": "3", "EMPTY": ""]
    expected.secrets = ["DEPLOY_TOKEN"]
    expected.secretBranches = ["main"]
    expected.notes = true
    expected.keep.integrations = 10
    expected.keep.days = 7
    expected.sandbox = SandboxPolicy(
      mode: .on, network: true, read: ["/usr/share/dict"], write: ["/users/ada/cache"], allow: [.ioUring, .vsock])
    expected.submodules.allow = ["/users/ada/git", "/srv/git"]
    expected.tests = Self.tests
    expected.coverage.exclude = ["Sources/Generated/**"]
    expected.coverage.incidental = true
    expected.coverage.mutants = .changed
    expected.coverage.blame = true
    expected.coverage.gates = [.patchFullyCovered, .patch(atLeast: 82.5), .noLostCoverage, .ratchet]
    expected.practice.off = [.names, .selfValidating]
    expected.triggers = Self.triggers
    #expect(bot == expected)
  }

  private static var tests: TestSettings {
    var tests = TestSettings()
    tests.filter = ["GreeterTests"]
    tests.skip = ["Slow.*"]
    tests.limits = TestLimits(test: .seconds(300), silence: .seconds(90), step: .seconds(5400))
    tests.retries = 2
    tests.slow = .milliseconds(250)
    tests.names = "^test[A-Z]"
    tests.isolation = true
    tests.first = .off
    tests.only = .affected
    tests.every = 5
    return tests
  }

  private static let triggers: [Trigger] = [
    .script(.init(moment: .before, source: .packageFile("script/prepare.sh"), timeout: .seconds(300))),
    .script(.init(moment: .after, source: .packageFile("script/deploy.sh"), when: [.success])),
    .script(.init(moment: .after, source: .botFile("/etc/martlet/bots/tell.sh"), when: [.failure, .allResolved])),
    .script(
      .init(
        moment: .after, source: .botFile("/etc/martlet/bots/deploy.sh"), when: [.success],
        write: ["/srv/greeter", "/users/ada/www"], network: false)),
    .script(.init(moment: .after, source: .inline("#!/bin/sh\necho done"), when: [.always])),
    .mail(
      .init(
        to: ["team@example.org"], report: .daily, allowedDomains: ["example.org"], at: .init(hour: 17, minute: 30))),
    .mail(.init(to: [], suspects: true, report: .integration)),
    .webhook(
      .init(
        url: "https://example.org/hook", secret: "HOOK_KEY", template: "slack", when: [.warnings],
        authorities: "/etc/ssl/our.pem")),
  ]

  static let example = """
    repository: ~/git/Greeter.git
    package: ./Packages/Core
    branches: [main, "release/*"]
    tags: ["v*"]
    schedule:
      on: periodic
      every: {day: sunday, at: "03:00"}
      time-zone: Europe/Berlin
      also-when-toolchain-changes: false
    commits: every
    cancel-superseded: true
    paths: ["Packages/Core/**"]
    ignore: {paths: ["docs/**"], messages: ["[skip ci]"]}
    clean: daily
    actions: [archive, test, analyze]
    analyze: swift format lint -r .
    configuration: release
    toolchain: /usr/local/swift
    build-system: swiftbuild
    sanitize: [thread]
    arguments: [-Xswiftc, -DSLOW, -Xswiftc, -DMORE]
    tests: {filter: [GreeterTests], skip: [Slow.*], timeout: 5m, silence: 1.5m, step: 1h30m, retries: 2, slow: 0.25s,
      names: "^test[A-Z]", isolation: true, first: off, only: affected, every: 5}
    coverage:
      exclude: ["Sources/Generated/**"]
      incidental: true
      mutants: changed
      blame: true
      gates: [patch-fully-covered, {patch: 82.5}, no-lost-coverage, ratchet]
    practice: {off: [names, self-validating]}
    sandbox: {mode: on, network: true, read: [/usr/share/dict], write: [~/cache], allow: [io_uring, vsock]}
    submodules: {allow: [~/git, /srv/git]}
    environment: {API_URL: "http://localhost", COUNT: 3, EMPTY: ""}
    secrets: [DEPLOY_TOKEN]
    secret-branches: [main]
    triggers:
      - {before: script/prepare.sh, timeout: 5m}
      - {after: script/deploy.sh, when: [success]}
      - {after: {beside: tell.sh}, when: [failure, all-resolved]}
      - {after: {beside: deploy.sh}, when: [success], write: [/srv/greeter, ~/www], network: false}
      - {after: {run: "#!/bin/sh\\necho done"}, when: [always]}
      - mail: {to: [team@example.org], report: daily, at: "17:30", allowed-domains: [example.org]}
      - mail: {suspects: true, report: integration}
      - webhook: {url: "https://example.org/hook", secret: HOOK_KEY, template: slack, when: [warnings],
          ca: /etc/ssl/our.pem}
    notes: true
    keep: {integrations: 10, days: 7}
    """

  @Test(
    "A list of one may stand without brackets",
    arguments: [
      ("branches: main", "branches: [main]"), ("sanitize: address", "sanitize: [address]"),
      ("paths: Sources/**", "paths: [Sources/**]"),
      ("coverage: {gates: {patch: 80}}", "coverage: {gates: [{patch: 80}]}"),
      ("actions: build", "actions: [build]"), ("secrets: TOKEN", "secrets: [TOKEN]"),
      ("ignore: {messages: skip this one}", "ignore: {messages: [skip this one]}"),
      (
        "triggers: {after: deploy.sh, when: always}", "triggers: [{after: deploy.sh, when: [always]}]"
      ),
      (
        "triggers: {mail: {to: a@b.org, allowed-domains: b.org}}",
        "triggers: [{mail: {to: [a@b.org], allowed-domains: [b.org]}}]"
      ),
    ])
  func listsOfOne(scalar: String, list: String) throws {
    let bot = try Reading.bot(saying: scalar)
    #expect(bot == (try Reading.bot(saying: list)))
    #expect(bot != (try Reading.bot(saying: "")))
  }

  @Test("What has two states is true or on, false or off", arguments: [("on", "true"), ("off", "false")])
  func states(word: String, same: String) throws {
    func bot(_ word: String) throws -> Bot {
      try Reading.bot("repository: .\nnotes: \(word)\ncoverage: {map: \(word)}")
    }
    #expect(try bot(word) == bot(same))
    #expect(try bot(word).coverage.map == (same == "true"))
  }

  @Test("The place of an element is found with and without brackets", arguments: ["[main]", "main"])
  func placeOfElement(branches: String) {
    let bytes = Array("repository: x\nbranches: \(branches)\n".utf8)
    let place = BotFile.place(of: ["branches", "0"], in: bytes)
    #expect(place?.line == 2)
    #expect(place?.column == (branches == "main" ? 11 : 12))
    #expect(BotFile.place(of: ["branches", "1"], in: bytes) == nil)
  }

  @Test("Paths are made whole: the home folder, the bot file's folder, dots taken out")
  func repositories() throws {
    func repository(_ text: String) throws -> String { try Reading.bot("repository: \(text)").repository }
    #expect(try repository("/git//Greeter/") == "/git/Greeter")
    #expect(try repository("~/git/../Greeter") == "/users/ada/Greeter")
    #expect(try repository("..") == "/etc/martlet")
    #expect(try repository("./Greeter.git") == "/etc/martlet/bots/Greeter.git")
    #expect(try repository("\"~\"") == "/users/ada")
  }

  @Test("A package without tests and one without coverage are said with a word")
  func words() throws {
    #expect(try Reading.bot(saying: "tests: none").tests.areExpected == false)
    #expect(try Reading.bot(saying: "coverage: off").coverage.isMeasured == false)
    #expect(try Reading.bot(saying: "sandbox: {mode: off}").sandbox.mode == .off)
  }

  @Test(
    "A duration is a number with a unit, or several",
    arguments: [
      ("10m", Duration.seconds(600)), ("2h", .seconds(7200)), ("0.1s", .milliseconds(100)), ("90s", .seconds(90)),
      ("500ms", .milliseconds(500)), ("1h30m", .seconds(5400)), ("1d", .seconds(86400)),
      ("1.125s", .milliseconds(1125)),
    ])
  func durations(text: String, duration: Duration) throws {
    #expect(try Reading.bot(saying: "tests: {timeout: \(text)}").tests.limits.test == duration)
  }

  @Test("A test may print nothing for as long as it may take, unless the file says otherwise")
  func silence() throws {
    #expect(try Reading.bot(saying: "tests: {timeout: 30m}").tests.limits.silence == .seconds(1800))
    #expect(try Reading.bot(saying: "tests: {timeout: 1m}").tests.limits.silence == .seconds(600))
    #expect(try Reading.bot(saying: "tests: {timeout: 30m, silence: 20s}").tests.limits.silence == .seconds(20))
  }

  @Test(
    "Written durations read back as themselves", arguments: [1, 10, 100, 120, 1000, 1125, 60_000, 5_400_000, 7_200_000])
  func writtenDurations(milliseconds: Int) throws {
    let duration = Duration.milliseconds(milliseconds)
    #expect(try Reading.bot(saying: "tests: {slow: \(DurationField.write(duration))}").tests.slow == duration)
  }

  @Test("Periods have three shapes")
  func periods() throws {
    func period(_ text: String) throws -> Schedule.Period? {
      try Reading.bot(saying: "schedule: {on: periodic, every: \(text)}").schedule.every
    }
    #expect(try period("{hour: 15}") == .hourly(minute: 15))
    #expect(try period("{day: daily, at: \"3:05\"}") == .daily(Schedule.TimeOfDay(hour: 3, minute: 5)))
    #expect(try period("{day: friday, at: 23:59}") == .weekly(.friday, Schedule.TimeOfDay(hour: 23, minute: 59)))
    guard case .cron(let line) = try period("{cron: \"*/20 4 * * mon-fri\"}") else {
      Issue.record("no cron line")
      return
    }
    #expect(line.minutes == [0, 20, 40])
    #expect(line.weekdays == [1, 2, 3, 4, 5])
  }

  @Test("Aliases stand for what their anchor names")
  func aliases() throws {
    let bot = try Reading.bot(saying: "branches: &names [main, next]\nsecret-branches: *names")
    #expect(bot.secretBranches == ["main", "next"])
  }

  @Test("A byte order mark and line ends of other systems are understood")
  func lineEnds() throws {
    #expect(try Reading.bot("\u{FEFF}repository: /git/Greeter\r\nnotes: true\r\n").notes)
    #expect(
      Reading.problems("\u{FEFF}repository: /git/Greeter\r\nnots: true\r\n").map(Reading.line) == [
        "2:1: unknown key 'nots'; did you mean 'notes'?"
      ])
  }
}
