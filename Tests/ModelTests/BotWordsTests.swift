import Testing

@testable import Model

@Suite("The settings of a bot in words")
struct BotWordsTests {
  private func words(_ change: (inout Bot) -> Void) -> [WatchState.Setting] {
    var bot = Bot(name: "a", repository: "/git/a")
    change(&bot)
    return bot.words
  }

  @Test("Of a bot without settings the main ones are told")
  func main() {
    #expect(
      words { _ in }.map(\.label) == [
        "Repository", "Schedule", "Commits", "Actions", "Clean", "Configuration", "Sandbox", "Kept",
      ])
  }

  @Test("That a person's order comes before the order of commits is told")
  func order() {
    #expect(
      words { $0.commits = .every }.first { $0.label == "Commits" }?.words
        == "each, in order unless somebody asks for one")
  }

  @Test("The times of a periodic bot read as on a timetable")
  func times() {
    func told(_ every: Schedule.Period) -> String? {
      words {
        ($0.schedule.on, $0.schedule.every) = (.periodic, every)
        $0.schedule.alsoWhenToolchainChanges = false
      }.first { $0.label == "Schedule" }?.words
    }
    let night = Schedule.TimeOfDay(hour: 3, minute: 0)
    #expect(told(.weekly(.sunday, night)) == "Sundays at 03:00")
    #expect(told(.daily(night)) == "daily at 03:00")
    #expect(told(.hourly(minute: 5)) == "hourly at :05")
  }

  @Test("Time-outs, the map of tests and gates are told")
  func tests() {
    let told = words {
      $0.tests.limits.test = .seconds(4)
      $0.coverage.map = true
      $0.coverage.gates = [.patch(atLeast: 80)]
    }
    #expect(told.contains(.init("Time-out", "4 s a test")))
    #expect(told.contains(.init("Coverage", "mapped to tests")))
    #expect(told.contains(.init("Gates", "80% patch")))
    let long = words { $0.tests.limits = TestLimits(test: .seconds(1200), silence: .seconds(1200)) }
    #expect(long.contains(.init("Time-out", "20 min a test")))
  }

  @Test("Whatever differs from its default is told")
  func all() {
    let changes: [(String, (inout Bot) -> Void)] = [
      ("package", { $0.package = "App" }), ("branches", { $0.branches = ["main"] }), ("tags", { $0.tags = ["v*"] }),
      ("commits", { $0.commits = .every }), ("cancelSuperseded", { $0.cancelSuperseded = true }),
      ("paths", { $0.paths = ["App/**"] }), ("ignore.paths", { $0.ignore.paths = ["docs/**"] }),
      ("ignore.messages", { $0.ignore.messages = ["[skip ci]"] }), ("clean", { $0.clean = .daily }),
      ("actions", { $0.actions = [.build] }), ("analyze", { $0.analyze = "lint" }),
      ("configuration", { $0.configuration = "release" }), ("toolchain", { $0.toolchain = "/opt/swift" }),
      ("sanitize", { $0.sanitize = [.thread] }), ("arguments", { $0.arguments = ["-Xswiftc", "-DSLOW"] }),
      ("tests", { $0.tests.areExpected = false }), ("filter", { $0.tests.filter = ["A"] }),
      ("skip", { $0.tests.skip = ["A"] }), ("timeout", { $0.tests.limits.test = .seconds(4) }),
      ("silence", { $0.tests.limits.silence = .seconds(700) }), ("step", { $0.tests.limits.step = .seconds(60) }),
      ("retries", { $0.tests.retries = 1 }), ("slow", { $0.tests.slow = .seconds(1) }),
      ("names", { $0.tests.names = "^test" }), ("isolation", { $0.tests.isolation = true }),
      ("first", { $0.tests.first = .off }), ("only", { $0.tests.only = .affected }),
      (
        "quarantine",
        {
          $0.quarantine = [
            QuarantinedTest(test: TestID(module: "T", suite: "", name: "slow()"), reason: "", lastDay: "2026-12-24")
          ]
        }
      ),
      ("coverage", { $0.coverage.isMeasured = false }), ("exclude", { $0.coverage.exclude = ["Generated/**"] }),
      ("map", { $0.coverage.map = true }), ("mutants", { $0.coverage.mutants = .changed }),
      ("incidental", { $0.coverage.incidental = true }), ("blame", { $0.coverage.blame = true }),
      ("gates", { $0.coverage.gates = [.ratchet] }), ("practice", { $0.practice.off = [.fast] }),
      ("mode", { $0.sandbox.mode = .off }), ("network", { $0.sandbox.network = true }),
      ("read", { $0.sandbox.read = ["/srv"] }), ("write", { $0.sandbox.write = ["/srv"] }),
      ("allow", { $0.sandbox.allow = [.bpf] }), ("submodules", { $0.submodules.allow = ["/srv/git"] }),
      ("environment", { $0.environment = ["A": "b"] }), ("secrets", { $0.secrets = ["KEY"] }),
      ("triggers", { $0.triggers = [.mail(.init(to: ["a@example.org"]))] }), ("notes", { $0.notes = true }),
      ("labels", { $0.labels = ["fast"] }), ("visibility", { $0.visibility = .public }),
      ("hook", { $0.hookSecret = "HOOK" }), ("keep", { $0.keep.days = 7 }),
    ]
    let usual = words { _ in }
    for (name, change) in changes { #expect(words(change) != usual, "\(name) is not told") }
  }

  @Test("Of the environment the names are told, and no value")
  func environment() {
    #expect(words { $0.environment = ["B": "2", "A": "1"] }.contains(.init("Environment", "A, B")))
  }

  @Test("What is kept is told as it is kept: twelve, however few and new they should be")
  func kept() {
    #expect(words { $0.keep.integrations = 13 }.contains(.init("Kept", "13 integrations, 90 days")))
    #expect(words { $0.keep.integrations = 2 }.contains(.init("Kept", "12 integrations")))
  }
}
