import FoundationEssentials
import Glibc
import Model
import Storing
import Testing

/// What a repository chose reaches a terminal only as something that can be seen.
@Suite("Names that would deceive a terminal", .timeLimit(.minutes(10)))
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

  @Test("A reason of several lines stays one, and shows what is invisible in it")
  func reason() throws {
    try scratch.write("repository: \(repository.path)\nschedule: {on: manual}\n", to: "config/bots/greeter.yml")
    try FileManager.default.createDirectory(atPath: scratch.file("home"), withIntermediateDirectories: true)
    try remember("late\ngreeter  2 succeeded\u{1B}[31m\r\nso")
    let watcher = try RunningProgram(program, ["watch"])
    while try program.run("status").status == 3 {}
    let status = try program.run("status").output
    #expect(status.contains("\n  1  test-failures, aaaaaaa on main, "), "\(status)")
    #expect(status.contains("\n     late\n    greeter  2 succeeded⟨U+001B⟩[31m\n    so\n"), "\(status)")
    watcher.send(SIGTERM)
    #expect(try watcher.end().status == 0)
  }

  /// Leaves an integration in the home as a watcher does that has ended.
  private func remember(_ reason: String) throws {
    var store = try Store(at: scratch.file("home/\(Store.fileName)"))
    let commit = CommitID(rawValue: String(repeating: "a", count: 40))
    let assignment = Assignment(
      bot: "greeter", ref: RefName(branch: "main"), commit: commit, cause: .commit, queuedAt: Date())
    let entry = try #require(try store.apply(Decision(bot: "greeter", changes: [.queue(assignment)])).first)
    _ = try store.start(entry, at: Date())
    try store.finish(entry, IntegrationSummary(outcome: .testFailures, reason: reason, endedAt: Date()))
  }

  @Test("So do its refusals")
  func refusal() throws {
    let run = try program.run("run", repository.path, "--branch", "safe\u{202E}")
    #expect(run.status == 2)
    #expect(run.errors.contains("safe⟨U+202E⟩"), "\(run)")
    #expect(!run.errors.unicodeScalars.contains("\u{202E}"), "\(run)")
  }
}
