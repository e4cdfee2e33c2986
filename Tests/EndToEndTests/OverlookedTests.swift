import FoundationEssentials
import Model
import Testing

extension Builds {
  /// Commits whose changes SwiftPM overlooks when it continues from an earlier build.
  @Suite("What SwiftPM overlooks")
  struct OverlookedTests {
    /// For packages of the same two targets.
    private static let two = Result { try ScratchFolder("two") }

    private static let manifestOfTwo = SmallManifest.text(
      "Mill", targets: ".target(name: \"Mill\"), .target(name: \"Baker\", dependencies: [\"Mill\"])")

    @Test("Each commit ends as if it was built from nothing, though all but the first continue from an earlier build")
    func grown() throws {
      let scratch = try ScratchFolder("overlooked")
      let repository = try GitFolder(GrownPackage.bot, in: scratch)
      let program = Program(scratch: scratch)

      func integrate(_ change: GrownPackage.Change) throws -> IntegrationRecord {
        for (file, text) in change.files {
          if let text {
            try repository.write(text, to: file)
          } else {
            try FileManager.default.removeItem(atPath: "\(repository.path)/\(file)")
          }
        }
        try repository.commit(change.message)
        let integrated = try program.integrate(
          repository.path, "--build-system", "native", "--quiet", bot: GrownPackage.bot)
        #expect((integrated.step(.building)?.warm == false) == (integrated.document.number == 1), "\(change.message)")
        return integrated.document
      }

      func expect(_ change: GrownPackage.Change) throws {
        let document = try integrate(change)
        guard let failing = change.failing else {
          #expect(document.outcome == .buildErrors, "\(change.message): \(document.reasons)")
          return
        }
        let failed = document.tests.cases.filter { $0.state == .failed }.map { $0.id.name.prefix { $0 != "(" } }
        #expect(failed.map(String.init).sorted() == failing, "\(change.message): \(document.reasons)")
        #expect(document.tests.passed == 5 - failing.count, "\(change.message): \(document.reasons)")
      }

      for change in GrownPackage.changes { try expect(change) }
      let document = try integrate(GrownPackage.undeclared)
      // If it builds, it does so by chance.
      let warning = document.issues.contains { $0.kind == .warning && $0.file == "Package.swift" }
      #expect(document.outcome == .buildErrors || warning, "\(document.reasons)")
      try expect(GrownPackage.last)
    }

    @Test(
      "Bytes that a C source takes in, and what a prebuild command made of a file that is gone, are those of the commit"
    )
    func unnamed() throws {
      let scratch = try ScratchFolder("unnamed")
      let repository = try GitFolder(UnnamedPackage.bot, in: scratch)
      let program = Program(scratch: scratch)
      try repository.commit("Begin", UnnamedPackage.files)
      func failed() throws -> [String]? {
        let document = try program.integrate(
          repository.path, "--build-system", "native", "--quiet", bot: UnnamedPackage.bot
        ).document
        guard document.outcome != .buildErrors else { return nil }
        return document.tests.cases.filter { $0.state == .failed }.map { String($0.id.name.prefix { $0 != "(" }) }
      }
      #expect(try failed() == [])
      try repository.commit("Change the bytes", [UnnamedPackage.bytes: "B"])
      #expect(try failed() == ["bytes"])
      try repository.git("mv", "Words/one.txt", "Words/other.txt")
      try repository.commit("Rename a word")
      #expect(try failed() == ["bytes"])
      try repository.git("rm", "--quiet", "Words/other.txt")
      try repository.commit("Remove it")
      #expect(try failed() == nil)
    }

    @Test(
      "What a script of an earlier commit generated is compiled no more, and what scripts generate is never left out")
    func generated() throws {
      let scratch = try ScratchFolder("generated")
      let repository = try GitFolder("Mill", in: scratch)
      let program = Program(scratch: scratch)
      try repository.commit(
        "Begin",
        [
          "Package.swift": SmallManifest.tested("Mill")
            + "let commit = Context.gitInformation?.currentCommit\n",
          ".gitignore": "Flour*.swift\n",
          "Sources/Mill/Mill.swift": "public func stones() -> Int { 2 }\npublic func wheels() -> Int { 1 }\n",
          "prepare.sh": "echo 'public func flour() -> Int { 1 }' > Sources/Mill/FlourA.swift\n",
          "Tests/MillTests/MillTests.swift": """
          import Mill
          import Testing

          @Test func flours() { #expect(flour() == wheels()) }
          @Test func mills() { #expect(stones() == 2) }

          """,
        ])
      var bot = Bot(name: "Mill", repository: repository.path)
      bot.triggers = [.script(Trigger.Script(moment: .before, source: .packageFile("prepare.sh")))]
      bot.tests.only = .affected
      func integrate(_ number: Int) throws -> IntegrationRecord {
        let commit = try repository.head
        let order = IntegrationOrder(
          bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
        return try program.integrate(order).document
      }
      let first = try integrate(1)
      #expect(first.tests.passed == 2, "\(first.reasons)")
      let asked = first.issues.contains { $0.subject?.code == IssueSubject.Code(rawValue: "no-git-information") }
      #expect(asked, "\(first.issues.map(\.message))")
      try repository.commit(
        "Generate it elsewhere", ["prepare.sh": "echo 'public func flour() -> Int { 1 }' > Sources/Mill/FlourB.swift\n"]
      )
      let second = try integrate(2)
      #expect(second.tests.passed == 2, "\(second.reasons)")
      try repository.commit(
        "Count otherwise",
        ["Sources/Mill/Mill.swift": "public func stones() -> Int { 1 + 1 }\npublic func wheels() -> Int { 1 }\n"])
      let third = try integrate(3)
      #expect(
        third.tests.passed == 2 && third.tests.only?.everything == .scripts, "\(String(describing: third.tests.only))")
    }

    @Test("A target whose only source was a link to nowhere for a while is built again")
    func link() throws {
      let scratch = try Self.two.get()
      try scratch.beginAnew()
      let repository = try GitFolder("Mill", in: scratch)
      let program = Program(scratch: scratch)
      let (path, text) = ("Sources/Mill/Mill.swift", "public let flour = 1\n")
      try repository.commit(
        "Begin",
        [
          "Package.swift": Self.manifestOfTwo, path: text,
          "Sources/Baker/Baker.swift": "import Mill\n\npublic let bread = flour\n",
        ])
      func builds(_ more: String...) throws -> Bool {
        let arguments = [repository.path, "--build-system", "native", "--quiet"] + more
        return try program.integrate(arguments, bot: "Mill").document.outcome != .buildErrors
      }
      #expect(try builds())
      try FileManager.default.removeItem(atPath: "\(repository.path)/\(path)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(repository.path)/\(path)", withDestinationPath: scratch.file("nowhere"))
      #expect(try !builds("--working-tree"))
      try FileManager.default.removeItem(atPath: "\(repository.path)/\(path)")
      try repository.write(text, to: path)
      #expect(try builds("--working-tree"))
    }

    @Test("An error that was mended is not told again where another one keeps its module from being compiled")
    func mended() throws {
      let scratch = try Self.two.get()
      try scratch.beginAnew()
      let repository = try GitFolder("Mill", in: scratch)
      let program = Program(scratch: scratch)
      func errors(after message: String, _ mill: String, _ baker: String) throws -> [String?] {
        try repository.write("public let flour = \(mill)\n", to: "Sources/Mill/Mill.swift")
        try repository.write("import Mill\n\npublic let bread = \(baker)\n", to: "Sources/Baker/Baker.swift")
        try repository.commit(message)
        let document = try program.integrate(repository.path, "--build-system", "native", "--quiet", bot: "Mill")
          .document
        return document.findings.filter { $0.kind == .error }.map(\.file)
      }
      try repository.write(Self.manifestOfTwo, to: "Package.swift")
      #expect(try errors(after: "Begin", "1", "water") == ["Sources/Baker/Baker.swift"])
      #expect(try errors(after: "Swap", "one", "flour") == ["Sources/Mill/Mill.swift"])
    }
  }
}
