import FoundationEssentials
import Glibc
import Keeping
import Model
import Testing

extension Integrations {
  /// A day in the life of a watcher, with the program as people run it.
  @Suite("A day of the watcher", .serialized)
  struct DayTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let repository: GitFolder

    init() throws {
      scratch = try ScratchFolder("day")
      repository = try GitFolder("Greeter", in: scratch)
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      try FileManager.default.createDirectory(atPath: scratch.file("config/bots"), withIntermediateDirectories: true)
    }

    @Test("Green, red, mended, force-pushed, edited, canceled, killed: every commit gets its answer")
    func day() throws {
      try commit("Begin", answer: 42)
      var watcher = try RunningProgram(program, ["watch"])
      while try status() == nil {}
      #expect(try status()?.bots == [])

      try bot()
      #expect(try watcher.line(beginning: "greeter 1: succeeded") != nil)
      try commit("Break", answer: 41)
      #expect(try watcher.line(beginning: "greeter 2: test-failures") != nil)
      try commit("Mend", answer: 42)
      #expect(try watcher.line(beginning: "greeter 3: succeeded") != nil)
      #expect(try status()?.bots.first?.last?.number == 3)

      try repository.git("reset", "--quiet", "--hard", "HEAD~2")
      try commit("Go another way", answer: 42)
      #expect(try watcher.line(beginning: "greeter 4: succeeded") != nil)

      try bot("configuration: fast\n")
      #expect(try watcher.line(beginning: scratch.file("config/bots/greeter.yml:3:16")) != nil)
      #expect(try status()?.bots.first?.problems.count == 1)
      try bot("branches: [main, 'release/*']\n")
      try repository.git("branch", "release/1")
      #expect(try watcher.line(beginning: "greeter 5: succeeded") != nil)
      #expect(try status()?.bots.first?.problems == [])
      #expect(try status()?.bots.first?.last?.ref == "release/1")
      try repository.git("branch", "--quiet", "-D", "release/1")

      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
      #expect(try program.run("status").status == 3)
      try commit("Commit while nobody watches", answer: 42)
      watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "greeter 6: succeeded") != nil)

      try commit("Hang", answer: 42, extra: "@Test func hangs() { while true { sleep(1000) } }")
      try wait(for: "testing", of: 7)
      #expect(try program.run("cancel", "greeter/7").output == "greeter 7 is being canceled.\n")
      #expect(try watcher.line(beginning: "greeter 7: canceled", count: 2) != nil)

      #expect(try program.run("rerun", "greeter/7").status == 0)
      try wait(for: "testing", of: 8)
      watcher.send(SIGKILL)
      #expect(try watcher.end().status == nil)
      #expect(ProcessList.remaining(naming: scratch.path) == [])
      watcher = try RunningProgram(program, ["watch"])
      try wait(for: "testing", of: 9)
      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
      #expect(ProcessList.remaining(naming: scratch.path) == [])
    }

    private func bot(_ more: String = "") throws {
      try scratch.write(
        "repository: \(repository.path)\nschedule: {also-when-toolchain-changes: false}\n\(more)",
        to: "config/bots/greeter.yml")
    }

    /// Nil when no watcher answers.
    private func status() throws -> StatusDocument? {
      let run = try program.run("status", "--json")
      guard run.status == 0 else { return nil }
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode(StatusDocument.self, from: Data(run.output.utf8))
    }

    private func wait(for step: String, of number: Int) throws {
      while true {
        let running = try status()?.bots.first?.running
        if running?.number == number, running?.step == step { return }
      }
    }

    private func commit(_ message: String, answer: Int, extra: String = "") throws {
      try repository.commit(
        message,
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import PackageDescription
          let package = Package(
            name: "Greeter",
            targets: [.target(name: "Greeter"), .testTarget(name: "GreeterTests", dependencies: ["Greeter"])])

          """,
          "Sources/Greeter/Greeter.swift": "public func answer() -> Int { \(answer) }\n",
          "Tests/GreeterTests/GreeterTests.swift": """
          import Glibc
          import Greeter
          import Testing
          @Test func answers() { #expect(answer() == 42) }
          \(extra)

          """,
        ])
    }
  }
}
