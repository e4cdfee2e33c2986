import FoundationEssentials
import Model
import Testing

extension Histories {
  /// Errors that are mended one after the other, by a bot that archives and has a trigger for failures.
  @Suite("What was mended is told no more")
  struct MendingTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Tiny", targets: [.executableTarget(name: "tiny")])

      """

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    init() throws {
      scratch = try ScratchFolder("mending")
      repository = try GitFolder("Tiny", in: scratch)
      program = Program(scratch: scratch)
      try writeBot(actions: "build, test, archive")
    }

    private func writeBot(actions: String) throws {
      try scratch.write(
        """
        repository: \(repository.path)
        sandbox: {mode: off}
        actions: [\(actions)]
        tests: none
        triggers:
          - {after: {run: "exit 3"}, when: [failure]}

        """, to: "bots/tiny.yml")
    }

    private func integrate(_ message: String, _ files: [String: String]) throws -> IntegrationRecord {
      try repository.commit(message, files)
      let run = try program.run("watch", "--once", "--bots", scratch.file("bots"))
      guard let number = program.numbers(of: "tiny").max() else { throw NoIntegration(run: run) }
      return try program.integrated(number, of: "tiny", run: run).document
    }

    private func issue(_ kind: Model.Issue.Kind, _ file: String?, in document: IntegrationRecord) throws
      -> IntegrationRecord.FlatIssue
    {
      try #require(document.issues.first { $0.kind == kind && $0.file == file })
    }

    @Test("Errors, settings and triggers are resolved when they are mended, and until then only what is found is told")
    func mended() throws {
      let (one, other) = ("Sources/tiny/One.swift", "Sources/tiny/Other.swift")
      let first = try integrate(
        "Begin",
        [
          "Package.swift": Self.manifest, "Sources/tiny/main.swift": "print(one + other)\n",
          one: "let one = nothing\n", other: "let other = 2\n",
        ])
      #expect(first.outcome == .buildErrors)
      #expect(try issue(.error, one, in: first).carriedOver == nil)
      #expect(try issue(.triggerError, nil, in: first).status == .new)

      // One is mended and the other broken: only one of the two is there.
      let second = try integrate("Break the other", [one: "let one = 1\n", other: "let other = nothing\n"])
      #expect(second.reasons.first == "The build failed with 1 error.")
      #expect(second.findings.filter { $0.kind == .error }.map(\.file) == [other])
      #expect(try issue(.error, one, in: second).carriedOver == true)
      #expect(try issue(.error, one, in: second).status == .unresolved)
      for words in [["show", "tiny/2"]]
        + ["github", "sarif", "markdown"].map({ ["export", "tiny/2", "--format", $0] })
      {
        let told = try program.run(words).output
        #expect(told.contains("Other.swift"), "\(words)")
        #expect(!told.contains("One.swift"), "\(words): \(told)")
      }

      #expect(try program.run("issues", "tiny").output.contains("; not checked since 1\n"))

      let third = try integrate("Mend the other", [other: "let other = 2\n"])
      #expect(third.outcome == .succeeded, "\(third.reasons)")
      #expect(third.archive?.isEmpty == false)
      #expect(third.findings.map(\.message) == [])
      #expect(third.issues.allSatisfy { $0.status == .resolved })
      #expect(third.issues.count == 3)

      // What is green from now on need not be archived once more.
      try writeBot(actions: "build, test")
      let fourth = try integrate("Misspell a setting", [".martlet.yml": "speed: high\n"])
      #expect(try issue(.error, ".martlet.yml", in: fourth).status == .new)
      let fifth = try integrate("Mend it, and break one", [".martlet.yml": "", one: "let one = nothing\n"])
      #expect(try issue(.error, ".martlet.yml", in: fifth).status == .resolved)
      #expect(try issue(.error, one, in: fifth).status == .new)

      // The commits that broke it are taken out of the branch, and forgotten.
      try repository.git("reset", "--quiet", "--hard", "HEAD~2")
      try repository.git("reflog", "expire", "--expire=now", "--all")
      try repository.git("gc", "--quiet", "--prune=now")
      let sixth = try integrate("Explain", ["README.md": "Tiny\n"])
      let gone = try issue(.error, one, in: sixth)
      #expect(gone.status == .resolved)
      let page = try String(contentsOfFile: scratch.file("home/site/tiny/6/issues/\(gone.id).html"), encoding: .utf8)
      #expect(!page.contains(#"id="fix""#) && !page.contains(sixth.commit.id.short + "</a>"), "Nobody mended it.")
    }
  }
}
