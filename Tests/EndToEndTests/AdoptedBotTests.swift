import Model
import Testing

extension Builds {
  /// Runs by hand of a package that a bot integrates.
  @Suite("Runs by the settings of a bot")
  struct AdoptedBotTests {
    private let story: AdoptedStory

    init() throws {
      story = try AdoptedStory.told.get()
    }

    private let remark = "This ran without the settings of a bot; --bot watched integrates with them.\n"

    /// The tests that were listed, and how they ended.
    private func states(_ integrated: Integrated) -> [String: TestState] {
      Dictionary(integrated.document.tests.cases.map { ($0.id.name, $0.state) }) { $1 }
    }

    /// Asks for a run that is refused before anything is built.
    private func refused(_ arguments: String...) throws -> Program.Run {
      try story.program.run(["run", story.repository.path, "--sandbox", "off", "--quiet"] + arguments)
    }

    @Test("A run goes by a bot's settings if asked to; red without them, it names the bot")
    func settings() throws {
      #expect(story.plain.run.status == 1)
      #expect(story.plain.run.errors == remark)
      #expect(states(story.plain) == ["stands()": .passed, "falls()": .failed])
      for adopted in [story.adopted, story.unmeasured] {
        #expect(adopted.run.status == 0, "\(adopted.run.errors)\(adopted.run.output)")
        #expect(adopted.run.errors == "")
        #expect(states(adopted) == ["stands()": .passed])
      }
      // What an option says stands instead.
      #expect(story.chosen.run.status == 1)
      #expect(states(story.chosen) == ["falls()": .failed])
      let unknown = try refused("--bot", "watchet")
      #expect(unknown.status == 2)
      #expect(unknown.errors == "error: unknown bot 'watchet'; did you mean 'watched'? See 'martlet help bots'.\n")
    }

    @Test("What an option asks of the coverage is measured, though the bot measures none")
    func measured() {
      #expect(story.unmeasured.document.coverage.totals == nil)
      #expect(story.adopted.document.coverage.totals != nil)
    }

    @Test("A time limit for each test goes by the bot's other limits")
    func limits() throws {
      try story.scratch.write(
        "repository: \(story.repository.path)\ntests: {step: 15m}\n", to: "config/bots/watched.yml")
      let late = try refused("--bot", "watched", "--timeout", "20m")
      #expect(late.status == 2)
      #expect(
        late.errors
          == "error: '--timeout' takes a duration such as 90s or 10m, of at most 15m, not '20m'. See 'martlet help run'.\n"
      )
    }

    @Test("What is silenced for the bot does not count in a run by its settings, and the issues of the run say so")
    func silences() {
      #expect(story.watched.status == 1)
      #expect(story.silencing.status == 0, "\(story.silencing.errors)")
      #expect(story.unsilenced.run.status == 1)
      let adopted = story.silenced.run
      #expect(adopted.status == 0, "\(adopted.errors)\(adopted.output)")
      #expect(adopted.output.contains("\n  silenced by "))
      #expect(story.issues.output.contains(": 1 silenced\n"))
    }
  }
}
