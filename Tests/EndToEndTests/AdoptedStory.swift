/// Runs by hand of a package that a bot integrates, with its settings and without; the bot itself integrates it once.
struct AdoptedStory {
  static let told = Result { try AdoptedStory() }

  let scratch: ScratchFolder
  let repository: GitFolder
  let program: Program
  /// Without the settings of the bot, which leaves a red test out and measures no coverage.
  let plain: Integrated
  /// With its settings; a gate is asked for.
  let adopted: Integrated
  /// As before, but with another test left out.
  let chosen: Integrated
  /// What the bot's own integration, with every test, ended with, and what silenced its issue.
  let watched: Program.Run
  let silencing: Program.Run
  /// Without the settings, which by now are a silence alone.
  let unsilenced: Integrated
  /// With them.
  let silenced: Integrated
  /// What the package's issues were then.
  let issues: Program.Run
  /// As at first, with the settings and nothing else.
  let unmeasured: Integrated

  private init() throws {
    scratch = try ScratchFolder("adopted")
    repository = try GitFolder("Tiny", in: scratch)
    program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    let (scratch, repository, program) = (scratch, repository, program)
    func integrate(_ arguments: String...) throws -> Integrated {
      try program.integrate([repository.path, "--sandbox", "off", "--quiet"] + arguments, bot: "Tiny")
    }
    func write(_ settings: String) throws {
      try scratch.write(
        "repository: \(repository.path)\nsandbox: {mode: off}\n\(settings)", to: "config/bots/watched.yml")
    }
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Tiny"),
        "Sources/Tiny/Tiny.swift": "public func one() -> Int { 1 }\n",
        "Tests/TinyTests/TinyTests.swift": """
        import Testing
        @Test func stands() {}
        @Test func falls() { Issue.record("no") }

        """,
      ])
    let settings = "tests: {skip: [falls]}\ncoverage: off\n"
    try write(settings)
    plain = try integrate()
    adopted = try integrate("--bot", "watched", "--gate", "patch=0")
    chosen = try integrate("--bot", "watched", "--skip", "stands", "--gate", "patch=0")

    try write("")
    watched = try program.run("watch", "--once")
    let id = try program.run("issues", "watched").output.firstMatch(of: /t-[0-9a-f]+/).map { String($0.output) }
    silencing = try program.run("silence", id ?? "none", "--bot", "watched", "--reason", "known")
    unsilenced = try integrate()
    silenced = try integrate("--bot", "watched")
    issues = try program.run("issues", "Tiny")

    // Without coverage all is built anew, so this comes last.
    try write(settings)
    unmeasured = try integrate("--bot", "watched")
  }
}
