import FoundationEssentials
import Glibc
import Testing

/// What a repository chose reaches a terminal only as something that can be seen.
@Suite("Names that would deceive a terminal", .timeLimit(.minutes(1)))
struct StrangeNameTests {
  private let scratch: ScratchFolder
  private let program: Program
  private let repository: GitFolder

  init() throws {
    scratch = try ScratchFolder("strange")
    program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    repository = try GitFolder("Greeter", in: scratch)
    try repository.commit("Begin")
  }

  @Test("The answers of the watcher show what is invisible in the name of a branch")
  func branch() throws {
    try repository.git("branch", "safe\u{202E}\u{9B}31m")
    try scratch.write(
      "repository: \(repository.path)\nbranches: ['safe*']\nschedule: {on: manual}\n", to: "config/bots/greeter.yml")
    let watcher = try RunningProgram(program, ["watch"])
    while try program.run("status").status != 0 {}
    let asked = try program.run("integrate", "greeter", "--wait")
    #expect(asked.output.contains(" on safe⟨U+202E⟩⟨U+009B⟩31m"), "\(asked)")
    let status = try program.run("status")
    for text in [asked.output, status.output] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{9B}" }, "\(text)")
    }
    watcher.send(SIGTERM)
    #expect(try watcher.end().status == 0)
  }

  @Test("So do its refusals")
  func refusal() throws {
    let run = try program.run("run", repository.path, "--branch", "safe\u{202E}")
    #expect(run.status == 2)
    #expect(run.errors.contains("safe⟨U+202E⟩"), "\(run)")
    #expect(!run.errors.unicodeScalars.contains("\u{202E}"), "\(run)")
  }
}
