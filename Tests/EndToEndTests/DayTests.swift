import FoundationEssentials
import Glibc
import Keeping
import Model
import Storing
import Testing

extension Histories {
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

    @Test(
      "Green, red, mended, forced, edited, another toolchain, canceled, killed: each step is answered and shown"
    )
    func day() throws {
      try commit("Begin", answer: 42)
      var watcher = try RunningProgram(program, ["watch"])
      #expect(try EndToEndTests.wait { try status() != nil })
      #expect(try status()?.bots == [])

      try bot()
      #expect(try watcher.line(beginning: "greeter 1: succeeded") != nil)
      #expect(watcher.isTimed("greeter 1: "))
      try waitForPage(with: "greeter is green")
      try commit("Break", answer: 41)
      #expect(try watcher.line(beginning: "greeter 2: test-failures") != nil)
      try waitForPage(with: "greeter went red in 2")
      try commit("Mend", answer: 42)
      #expect(try watcher.line(beginning: "greeter 3: succeeded") != nil)
      try waitForPage(with: "greeter went green in 3")
      #expect(try status()?.bots.first?.last?.number == 3)

      // In one step, since a branch that is only set back is integrated, too.
      let answer = try repository.git("commit-tree", "HEAD^{tree}", "-p", "HEAD~2", "-m", "Go another way")
      let other = try #require(answer.split(separator: "\n").first)
      try repository.git("reset", "--quiet", "--hard", String(other))
      #expect(try watcher.line(beginning: "greeter 4: succeeded") != nil)

      try bot("configuration: fast\n")
      #expect(try watcher.line(beginning: scratch.file("config/bots/greeter.yml:2:16")) != nil)
      #expect(try status()?.bots.first?.problems.count == 1)
      try waitForPage(with: "greeter.yml:2:16")
      // Of another branch it is enough that it is built.
      try bot("branches: [main, 'release/*']\nactions: [build]\n")
      try repository.git("branch", "release/1")
      #expect(try watcher.line(beginning: "greeter 5: succeeded") != nil)
      #expect(try status()?.bots.first?.problems == [])
      #expect(try status()?.bots.first?.last?.ref == "release/1")
      try repository.git("branch", "--quiet", "-D", "release/1")

      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
      #expect(try program.run("status").status == 3)
      try bot("branches: [main, 'release/*']\n")
      try commit("Commit while nobody watches", answer: 42)
      watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "greeter 6: succeeded") != nil)
      try changeToolchain(watcher)
      try endHangs(watcher)
    }

    /// Ends a test that hangs: with its integration, with a watcher that is killed, and with one that is told to end.
    private func endHangs(_ watcher: RunningProgram) throws {
      // In the scratch folder, where tests reach it.
      let path = scratch.file("home/workspaces/greeter/main/\(Program.buildFolder)/pipe")
      var pipe = try NamedPipe(path)
      let hang = "let end = open(\"\(path)\", O_WRONLY); write(end, \"x\", 1); while true { sleep(1000) }"
      try commit("Hang", answer: 42, extra: "@Test func hangs() { \(hang) }")
      try wait(forHangIn: 8, pipe)
      #expect(try program.run("cancel", "greeter/8").output == "greeter 8 is being canceled.\n")
      #expect(try watcher.line(beginning: "greeter 8: canceled") != nil)
      try waitForPage(with: "The integration was canceled")
      #expect(pipe.isLetGo(within: 60))

      pipe = try NamedPipe(path)
      #expect(try program.run("rerun", "greeter/8").status == 0)
      try wait(forHangIn: 9, pipe)
      watcher.send(SIGKILL)
      #expect(try watcher.end().status == nil)
      #expect(ProcessList.remaining(naming: scratch.path) == [])
      pipe = try NamedPipe(path)
      let next = try RunningProgram(program, ["watch"])
      try wait(forHangIn: 10, pipe)
      next.send(SIGTERM)
      #expect(try next.end().status == 0)
      #expect(ProcessList.remaining(naming: scratch.path) == [])
      #expect(try program.run("show", "greeter/10").output.contains("The integration was interrupted."))
    }

    /// Gives the bot a toolchain on another path.
    private func changeToolchain(_ watcher: RunningProgram) throws {
      // The first toolchain is remembered once it has stayed the same for a while.
      var store = try Store(reading: scratch.file("home/martlet.sqlite"))
      #expect(try EndToEndTests.wait { try store.memory(of: "greeter").toolchain != nil })
      try bot("toolchain: \(try secondToolchain())\n")
      #expect(try watcher.line(beginning: "greeter: the toolchain changed.") != nil)
      #expect(try watcher.line(beginning: "greeter 7: succeeded") != nil)
      try waitForPage(with: "toolchain changed")
      #expect(try status()?.bots.first?.last?.cause == "toolchain")
    }

    /// The toolchain of the machine under another path; only its `swift` is another file.
    private func secondToolchain() throws -> String {
      let folders = (program.variables["PATH"] ?? "").split(separator: ":")
      let bin = try #require(folders.first { access("\($0)/swiftc", X_OK) == 0 })
      let second = scratch.file("toolchain/usr")
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(bin)/..") where name != "bin" {
        try link("\(second)/\(name)", to: "\(bin)/../\(name)")
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(bin)") where name != "swift" {
        try link("\(second)/bin/\(name)", to: "\(bin)/\(name)")
      }
      try scratch.write("#!/bin/sh\nexec \(bin)/swift \"$@\"\n", to: "toolchain/usr/bin/swift", mode: 0o755)
      return scratch.file("toolchain")
    }

    private func link(_ path: String, to target: String) throws {
      let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private func bot(_ more: String = "") throws {
      try scratch.write("repository: \(repository.path)\n\(more)", to: "config/bots/greeter.yml")
    }

    /// Returns when the bot's page shows some words.
    private func waitForPage(with words: String) throws {
      let page = scratch.file("home/site/greeter/index.html")
      try EndToEndTests.wait(for: words) {
        String(decoding: FileManager.default.contents(atPath: page) ?? Data(), as: UTF8.self)
      }
    }

    /// Nil when no watcher answers.
    private func status() throws -> StatusDocument? {
      let run = try program.run("status", "--json")
      // Also where a bot is red, which the exit status tells.
      return try run.output.isEmpty ? nil : StatusDocument(json: run.output.utf8)
    }

    /// Waits until the test hangs, and the status tells that an integration is testing.
    private func wait(forHangIn number: Int, _ pipe: NamedPipe) throws {
      // To ask the program again and again meanwhile would take as much of the machine as the build.
      #expect(pipe.isWrittenTo(within: Int32(Overdue.limit)))
      let comes = try EndToEndTests.wait {
        let running = try status()?.bots.first?.running
        return running?.number == number && running?.step == "testing"
      }
      #expect(comes, "testing of \(number)")
    }

    private func commit(_ message: String, answer: Int, extra: String = "") throws {
      try repository.commit(
        message,
        [
          "Package.swift": SmallManifest.tested("Greeter"),
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
