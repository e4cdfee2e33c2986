import FoundationEssentials
import Testing

@Suite("What 'martlet check' warns of", .timeLimit(.minutes(10)))
struct CheckTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("check")
    program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    try GitFolder("Greeter", in: scratch).commit("Begin", ["Package.swift": ""])
  }

  @Test("What has probably no effect is warned of, in the line that names it")
  func withoutEffect() throws {
    try scratch.write("toolchains: {\"6.2\": /nope}\n", to: "config/martlet.yml")
    let bot = """
      repository: ../../Greeter
      paths: [Package.swift, "nowhere/**"]
      quarantine: [{test: GreeterTests.slow(), reason: clock, until: 2025-01-01}]
      triggers: [{after: {run: "echo done"}, write: [/nope/x]}]

      """
    try scratch.write(bot, to: "config/bots/b.yml")
    let run = try program.run("check")
    #expect(run.status == 0)
    #expect(
      run.output == """
        config/martlet.yml:1:21: warning: there is no /nope
          toolchains: {"6.2": /nope}
                              ^
        config/bots/b.yml:2:24: warning: 'nowhere/**' matches no file of main
          paths: [Package.swift, "nowhere/**"]
                                 ^
        config/bots/b.yml:3:64: warning: this day is past, so that GreeterTests.slow() counts again
          quarantine: [{test: GreeterTests.slow(), reason: clock, until: 2025-01-01}]
                                                                         ^
        config/bots/b.yml:4:48: warning: there is no /nope/x
          triggers: [{after: {run: "echo done"}, write: [/nope/x]}]
                                                         ^
        1 bot file is valid.

        """)
  }
}
