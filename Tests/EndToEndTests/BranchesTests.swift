import FoundationEssentials
import Glibc
import Keeping
import Model
import Testing

extension Histories {
  @Suite("A bot of several branches", .serialized)
  struct BranchesTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let repository: GitFolder

    private static let shared = Result { try ScratchFolder("branches") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Mill", in: scratch)
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    }

    @Test("A red main branch stays red in the index, the status and the badge behind a green feature branch")
    func behind() throws {
      try repository.commit(
        "Break",
        [
          "Package.swift": SmallManifest.text("Mill", targets: ".target(name: \"Mill\")"),
          "Sources/Mill/Mill.swift": "public let flour = one\n",
        ])
      try scratch.write(
        """
        repository: \(repository.path)
        branches: [main, "feature/*"]
        actions: [build]
        tests: none
        sandbox: {mode: "off"}
        schedule: {also-when-toolchain-changes: false}

        """, to: "config/bots/miller.yml")
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "miller 1: build-errors") != nil)
      // The branch appears with its commit, and is checked out while it is integrated.
      try repository.git("switch", "--quiet", "--detach")
      try repository.commit("Mend", ["Sources/Mill/Mill.swift": "public let flour = 1\n"])
      try repository.git("switch", "--quiet", "--create", "feature/mend")
      #expect(try watcher.line(beginning: "miller 2: succeeded") != nil)

      let status = try program.run("status")
      #expect(status.status == 1)
      #expect(status.output.contains("\n  1  build-errors, "), "\(status.output)")
      #expect(!status.output.contains("succeeded") && !status.output.contains("red on "))
      let json = try program.run("status", "--json")
      #expect(json.status == 1)
      let bot = try #require(try StatusDocument(json: json.output.utf8).bots.first)
      #expect(bot.last?.number == 2)
      #expect(bot.branches?.map(\.branch) == ["main", "feature/mend"])
      #expect(bot.branches?.map(\.outcome) == ["build-errors", "succeeded"])
      #expect(bot.branches?.map(\.isDefault) == [true, false])
      #expect(bot.branches?.map(\.sinceIntegration) == [1, 2])

      try wait(for: "feature/mend", in: "miller/index.html")
      try wait(for: "miller does not build<", in: "index.html")
      // The branch is on the page as soon as it is integrated, and beside others only afterwards.
      try wait(for: "<h1>miller does not build on main in 1</h1>", in: "miller/index.html")
      try badges()
      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
    }

    @Test("A branch that is moved back stands as the commit that it is at, and is integrated there once")
    func movedBack() throws {
      try scratch.write(
        """
        repository: \(repository.path)
        actions: [build]
        tests: none
        ignore: {paths: ["*.md"]}
        sandbox: {mode: "off"}

        """, to: "config/bots/miller.yml")
      func watch(_ number: Int, _ outcome: Outcome) throws {
        let run = try program.run("watch", "--once")
        #expect(run.errors.contains("miller \(number): \(outcome.rawValue)"), "\(run.errors)")
        #expect(try !program.run("watch", "--once").errors.contains("miller \(number + 1):"))
        let issues = try program.integrated(number, of: "miller", run: run).document.issues
        #expect(issues.contains(where: \.status.isOpen) == !outcome.isGreen)
        let badge = try program.run("export", "miller", "--format", "badge").output
        #expect(badge.contains("<title>miller: \(outcome.isGreen ? "succeeded" : "build errors")</title>"))
      }
      try repository.commit(
        "Break",
        [
          "Package.swift": SmallManifest.text("Mill", targets: ".target(name: \"Mill\")"),
          "Sources/Mill/Mill.swift": "public let flour = one\n",
        ])
      try watch(1, .buildErrors)
      try repository.commit("Mend", ["Sources/Mill/Mill.swift": "public let flour = 1\n"])
      try watch(2, .succeeded)
      // What is new is ignored, but what mended it is gone.
      try repository.git("reset", "--quiet", "--hard", "HEAD~1")
      try repository.commit("Explain", ["README.md": "Mill\n"])
      try watch(3, .buildErrors)
      try repository.git("reset", "--quiet", "--hard", "main@{2}")
      try watch(4, .succeeded)
      try repository.git("reset", "--quiet", "--hard", "HEAD~1")
      try watch(5, .buildErrors)
    }

    @Test("Who broke a branch that was made again is its own author, not that of the branch before")
    func madeAgain() throws {
      try scratch.write(
        """
        repository: \(repository.path)
        branches: [main, topic]
        actions: [build]
        tests: none
        sandbox: {mode: "off"}

        """, to: "config/bots/miller.yml")
      func suspects(in number: Int) throws -> [String?] {
        let run = try program.run("watch", "--once")
        let document = try program.integrated(number, of: "miller", run: run).document
        return document.issues.filter { $0.kind == .error }.map { $0.suspects?.first?.name }
      }
      func make(by author: String, _ text: String) throws {
        try repository.git("switch", "--quiet", "--create", "topic")
        try repository.write(text, to: "Sources/Mill/Mill.swift")
        try repository.git("commit", "--quiet", "--all", "--message", "Break", "--author", author)
      }
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.text("Mill", targets: ".target(name: \"Mill\")"),
          "Sources/Mill/Mill.swift": "public let flour = 1\n",
        ])
      #expect(try suspects(in: 1).isEmpty)
      try make(by: "Eve <eve@example.org>", "public let flour = one\n")
      #expect(try suspects(in: 2) == ["Eve"])
      try repository.git("switch", "--quiet", "main")
      try repository.git("branch", "--quiet", "-D", "topic")
      try make(by: "Fay <fay@example.org>", "public let flour: Int = one\n")
      #expect(try suspects(in: 3) == ["Fay"])
    }

    @Test("Who broke a branch that was rebased is still its author, not whoever wrote what it is based on now")
    func rebased() throws {
      try scratch.write(
        """
        repository: \(repository.path)
        branches: [main, topic]
        sandbox: {mode: "off"}

        """, to: "config/bots/miller.yml")
      func suspects(in number: Int) throws -> [String?] {
        let run = try program.run("watch", "--once")
        let document = try program.integrated(number, of: "miller", run: run).document
        return document.issues.flatMap { ($0.suspects ?? []).map(\.name) }
      }
      func commit(_ message: String, by author: String, _ text: String, to path: String) throws {
        try repository.write(text, to: path)
        try repository.git("commit", "--quiet", "--all", "--message", message, "--author", author)
      }
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.tested("Mill"),
          "Sources/Mill/Mill.swift": "public func flour() -> Int { 1 }\n",
          "Sources/Mill/Water.swift": "public func water() -> Int { 0 }\n",
          "Tests/MillTests/MillTests.swift": """
          import Mill
          import Testing

          @Test func grinds() { #expect(flour() == 1) }
          @Test func runsDry() { #expect(water() == 0) }

          """,
        ])
      #expect(try suspects(in: 1).isEmpty)
      try repository.git("switch", "--quiet", "--create", "topic")
      try commit(
        "Break", by: "Eve <eve@example.org>", "public func flour() -> Int { 2 }\n", to: "Sources/Mill/Mill.swift")
      #expect(try suspects(in: 2) == ["Eve"])
      try repository.git("switch", "--quiet", "main")
      try commit(
        "Go on", by: "Bob <bob@example.org>", "public func water() -> Int { 0 + 0 }\n", to: "Sources/Mill/Water.swift")
      try repository.git("switch", "--quiet", "topic")
      try repository.git("rebase", "--quiet", "main")
      try repository.git("switch", "--quiet", "main")
      let document = try {
        let run = try program.run("watch", "--once")
        return try [3, 4].map { try program.integrated($0, of: "miller", run: run).document }
      }()
      let red = try #require(document.first { $0.outcome == .testFailures })
      #expect(red.issues.first?.suspects?.first?.name == "Eve")
    }

    private func badges() throws {
      func badge(_ arguments: String...) throws -> String {
        let run = try program.run(["export", "miller"] + arguments)
        return run.output.split(separator: "<title>").last?.split(separator: "</title>").first.map(String.init)
          ?? run.errors
      }
      #expect(try badge("--format", "badge") == "miller: build errors")
      #expect(try badge("--format", "badge", "--branch", "feature/mend") == "miller: succeeded")
      #expect(try program.run("export", "miller", "--format", "markdown").output.contains("## miller 2: succeeded"))
      #expect(
        try program.run("export", "miller", "--format", "markdown", "--branch", "main").output.contains(
          "## miller 1: build errors"))
      #expect(
        try program.run("export", "miller", "--format", "badge", "--branch", "nowhere").errors
          == "error: miller has no finished integration of the branch 'nowhere'. See 'martlet help export'.\n")
      #expect(
        try program.run("export", "miller/1", "--format", "badge", "--branch", "main").errors
          == "error: '--branch' chooses among the integrations of a bot: name the bot alone. See 'martlet help export'.\n"
      )
    }

    private func page(_ name: String) throws -> String {
      let bytes = FileManager.default.contents(atPath: scratch.file("home/site/\(name)")) ?? Data()
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The watcher has its pages written by another process.
    private func wait(for words: String, in name: String) throws {
      try EndToEndTests.wait(for: words) { try page(name) }
    }
  }
}
