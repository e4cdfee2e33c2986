import FoundationEssentials
import Model
import Testing

extension Histories {
  /// Runs by hand of a package that a bot integrates.
  @Suite("Runs by the settings of a bot")
  struct AdoptedBotTests {
    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    private static let shared = Result { try ScratchFolder("adopted") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Tiny", in: scratch)
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.text(
            "Tiny", targets: #".target(name: "Tiny"), .testTarget(name: "TinyTests", dependencies: ["Tiny"])"#),
          "Sources/Tiny/Tiny.swift": "public func one() -> Int { 1 }\n",
          "Tests/TinyTests/TinyTests.swift": """
          import Testing
          @Test func stands() {}
          @Test func falls() { Issue.record("no") }

          """,
        ])
    }

    private func write(_ settings: String) throws {
      try scratch.write(
        "repository: \(repository.path)\nsandbox: {mode: off}\n\(settings)", to: "config/bots/watched.yml")
    }

    private func run(_ arguments: String...) throws -> Program.Run {
      try program.run(["run", repository.path, "--sandbox", "off", "--quiet"] + arguments)
    }

    private let remark = "This ran without the settings of a bot; --bot watched integrates with them.\n"

    @Test("A run goes by a bot's settings if asked to; red without them, it names the bot")
    func settings() throws {
      try write("tests: {skip: [falls]}\n")
      let plain = try run()
      #expect(plain.status == 1)
      #expect(plain.errors == remark)
      let adopted = try run("--bot", "watched")
      #expect(adopted.status == 0, "\(adopted.errors)\(adopted.output)")
      #expect(adopted.errors == "")
      // What an option says stands instead.
      #expect(try run("--bot", "watched", "--skip", "stands").status == 1)
      let unknown = try run("--bot", "watchet")
      #expect(unknown.status == 2)
      #expect(unknown.errors == "error: unknown bot 'watchet'; did you mean 'watched'? See 'martlet help bots'.\n")
    }

    @Test("What an option asks of the coverage is measured, though the bot measures none")
    func measured() throws {
      try write("tests: {skip: [falls]}\ncoverage: off\n")
      let arguments = [repository.path, "--sandbox", "off", "--quiet", "--bot", "watched"]
      #expect(try program.integrate(arguments, bot: "Tiny").document.coverage.totals == nil)
      let measured = try program.integrate(arguments + ["--gate", "patch=0"], bot: "Tiny")
      #expect(measured.document.coverage.totals != nil)
    }

    @Test("A time limit for each test goes by the bot's other limits")
    func limits() throws {
      try write("tests: {step: 15m}\n")
      let late = try run("--bot", "watched", "--timeout", "20m")
      #expect(late.status == 2)
      #expect(
        late.errors
          == "error: '--timeout' takes a duration such as 90s or 10m, of at most 15m, not '20m'. See 'martlet help run'.\n"
      )
    }

    @Test("What is silenced for the bot does not count in a run by its settings, and the issues of the run say so")
    func silences() throws {
      try write("")
      #expect(try program.run("watch", "--once").status == 1)
      let issues = try program.run("issues", "watched").output
      let id = try #require(issues.firstMatch(of: /t-[0-9a-f]+/)).output
      #expect(try program.run("silence", String(id), "--bot", "watched", "--reason", "known").status == 0)
      #expect(try run().status == 1)
      let adopted = try run("--bot", "watched")
      #expect(adopted.status == 0, "\(adopted.errors)\(adopted.output)")
      #expect(adopted.output.contains("\n  silenced in watched by "))
      #expect(try program.run("issues", "Tiny").output.contains(": 1 silenced\n"))
    }
  }
}
