import FoundationEssentials
import Glibc
import Model
import Testing

extension Builds {
  /// What is built with Swift Build, held against the same with SwiftPM's own build system.
  @Suite("With Swift Build")
  struct SwiftBuildTests {
    let scratch: ScratchFolder
    let program: Program

    init() throws {
      scratch = try ScratchFolder("swiftbuild")
      program = Program(scratch: scratch)
    }

    private func integrate(_ repository: GitFolder) throws -> Integrated {
      try program.integrate(repository.path, "--build-system", "swiftbuild", "--quiet", bot: MixedPackage.bot)
    }

    private func states(_ integrated: Integrated) -> [String: TestState] {
      Dictionary(
        integrated.document.tests.cases.map { ("\($0.id)", $0.state) }, uniquingKeysWith: { first, _ in first })
    }

    private func findings(_ integrated: Integrated) -> Set<[String]> {
      Set(
        integrated.document.issues.map { issue in
          [issue.kind.rawValue, issue.message, issue.file ?? "", "\(issue.line ?? 0)", "\(issue.column ?? 0)"]
        })
    }

    private func lines(_ integrated: Integrated) -> [String: [Int]] {
      Dictionary(
        (integrated.coverage.files ?? []).map { ($0.path, [$0.lines.covered, $0.lines.total]) },
        uniquingKeysWith: { first, _ in first })
    }

    @Test("Tests and Swift lines are those of the native build, and lines of C count as well")
    func mixed() throws {
      let first = try MixedStory.told.get().first
      let (swiftbuild, native) = (first.swiftbuild, first.native)
      #expect(swiftbuild.addsUp)
      #expect(states(swiftbuild) == states(native))
      #expect(swiftbuild.document.tests.passed == 7)
      #expect(swiftbuild.document.tests.source == ["Swift Testing": "event-stream", "XCTest": "observer"])
      #expect(swiftbuild.coverage.complete)
      let (counted, known) = (lines(swiftbuild), lines(native))
      #expect(counted.filter { $0.key.hasSuffix(".swift") } == known)
      // A module that several programs hold counts once, and one that none holds counts all the same.
      #expect(
        counted.filter { $0.key.hasSuffix(".c") } == [
          "Sources/CLib/clib.c": [3, 6], "Sources/LooseC/loose.c": [0, 3],
        ])
      #expect(known["Sources/Core/Core.swift"] == [6, 9])
      #expect(known["Sources/Tool/Tool.swift"] == [6, 6])
      #expect(findings(swiftbuild) == findings(native))
      #expect(swiftbuild.document.circumstances?.first { $0.name == "build-system" }?.value == "swiftbuild")
    }

    @Test("Nothing is built twice, and neither build system runs what the other one left")
    func warm() throws {
      let story = try MixedStory.told.get()
      #expect(story.again.step(.building)?.exitStatus == nil)
      #expect(story.again.document.tests.passed == 7)
      for integrated in [story.broken.swiftbuild, story.broken.native] {
        #expect(integrated.document.tests.failed == 3)
        #expect(integrated.step(.building)?.warm == true)
      }
      for integrated in [story.mended.native, story.mended.swiftbuild] {
        #expect(integrated.document.tests.passed == 7)
      }
    }

    @Test(
      "Tests that are renamed, added or removed are those that run, and the program of a removed target stays unused")
    func changedTests() throws {
      let story = try MixedStory.told.get()
      #expect(story.trapped.test("testMore")?.state == .passed)
      #expect(states(story.trapped).count == 10)
      #expect(states(story.removed).count == 6)
      #expect(!states(story.removed).keys.contains { $0.hasPrefix("OtherTests") })
      #expect(!story.products.isEmpty)
    }

    @Test("A test that traps is crashed at its place, and the others in its program and in the other ones run")
    func crash() throws {
      let integrated = try MixedStory.told.get().trapped
      #expect(integrated.document.outcome == .testFailures)
      #expect(integrated.document.tests.crashed == 1)
      #expect(integrated.document.tests.passed == 9)
      let failure = try #require(integrated.test("test2")?.failures.first)
      #expect(failure.message == "Crashed: Fatal error: Index out of range")
      #expect(failure.file == "Tests/CoreTests/TrapTests.swift")
      #expect(failure.line == 8)
      #expect(integrated.coverage.complete)
      // What C code counted before the crash is not lost.
      #expect(lines(integrated)["Sources/CLib/clib.c"] == [6, 6])
    }

    @Test("Errors and warnings are those of the native build, with their groups and notes and nothing beside them")
    func diagnostics() throws {
      let wrong = try MixedStory.told.get().wrong
      #expect(wrong.swiftbuild.document.outcome == .buildErrors)
      #expect(findings(wrong.swiftbuild) == findings(wrong.native))
      #expect(wrong.swiftbuild.document.issues.count { $0.kind == .error } == 2)
    }

    @Test("What is to be linked and is nowhere is an error of the linker")
    func linking() throws {
      let integrated = try MixedStory.told.get().unlinked
      #expect(integrated.document.outcome == .buildErrors)
      let errors = integrated.document.issues.filter { $0.kind == .linkerError }
      #expect(!errors.isEmpty)
      #expect(errors.allSatisfy { $0.message.contains("undefined reference to 'nowhere'") })
    }

    @Test("A plugin that cannot be compiled is told with its place, though the build says nothing")
    func plugin() throws {
      let repository = try GitFolder(MixedPackage.bot, in: scratch)
      try repository.commit(
        "Begin",
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import PackageDescription
          let package = Package(
            name: "Mixed",
            targets: [
              .plugin(name: "Maker", capability: .buildTool()), .target(name: "Mixed", plugins: ["Maker"]),
              .testTarget(name: "MixedTests", dependencies: ["Mixed"]),
            ])

          """,
          "Plugins/Maker/Maker.swift": """
          import PackagePlugin
          @main struct Maker: BuildToolPlugin {
            func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
              missing()
            }
          }

          """,
          "Sources/Mixed/Mixed.swift": "public let one = 1\n",
          "Tests/MixedTests/MixedTests.swift": "import Testing\n@Test func nothing() {}\n",
        ])
      let integrated = try integrate(repository)
      #expect(integrated.document.outcome == .buildErrors)
      #expect(
        findings(integrated) == [["error", "cannot find 'missing' in scope", "Plugins/Maker/Maker.swift", "4", "5"]])
    }

    @Test("A resource that is embedded in code is the one of the commit")
    func embedded() throws {
      let repository = try GitFolder(MixedPackage.bot, in: scratch)
      func write(_ word: String) throws {
        try repository.commit(
          word,
          [
            "Sources/Mixed/word.txt": word,
            "Tests/MixedTests/MixedTests.swift":
              "import Mixed\nimport Testing\n@Test func says() { #expect(word() == \"\(word)\") }\n",
          ])
      }
      try repository.write(
        """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "Mixed",
          targets: [
            .target(name: "Mixed", resources: [.embedInCode("word.txt")]),
            .testTarget(name: "MixedTests", dependencies: ["Mixed"]),
          ])

        """, to: "Package.swift")
      try repository.write(
        "public func word() -> String { String(decoding: PackageResources.word_txt, as: UTF8.self) }\n",
        to: "Sources/Mixed/Mixed.swift")
      for word in ["one", "two"] {
        try write(word)
        let integrated = try integrate(repository)
        #expect(integrated.document.tests.passed == 1, "\(word): \(integrated.document.reasons)")
      }
    }

    @Test("A build system that there is not, or that cannot build in the home, is refused before anything is built")
    func refused() throws {
      let repository = try GitFolder.tiny(in: scratch)
      let run = try program.run("run", repository.path, "--build-system", "xcode")
      #expect(run.status == 2)
      #expect(run.errors.contains("--build-system"))
      var odd = program
      odd.environment["MARTLET_HOME"] = scratch.file("a:b")
      let refused = try odd.run("run", repository.path, "--build-system", "swiftbuild")
      #expect(refused.status == 2)
      #expect(
        refused.errors
          == "error: cannot build with Swift Build in \(scratch.file("a:b")): it builds nothing in a folder with ':' in its name. Take another home, or build with 'native'.\n"
      )
    }
  }
}
