import FoundationEssentials
import Glibc
import Model
import Testing

extension Builds {
  /// That what runs is what is checked out, whatever happens to a scratch folder of Swift Build.
  @Suite("Fresh builds with Swift Build")
  struct SwiftBuildFreshnessTests {
    private static let story = Result { try Story() }

    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Quick",
        targets: [
          .target(name: "Quick"), .testTarget(name: "OldTests", dependencies: ["Quick"]),
          .testTarget(name: "NewTests", dependencies: ["Quick"]),
        ])

      """

    private static let files = [
      "Package.swift": manifest, "Sources/Quick/Quick.swift": source(1),
      "Tests/OldTests/OldTests.swift":
        "import Quick\nimport XCTest\nfinal class OldTests: XCTestCase { func testOne() { XCTAssertEqual(one(), 1) } }\n",
      "Tests/NewTests/NewTests.swift": "import Quick\nimport Testing\n@Test func isOne() { #expect(one() == 1) }\n",
    ]

    private static func source(_ number: Int) -> String { "public func one() -> Int { \(number) }\n" }

    private struct Story {
      /// Edits in the work tree, of the same size and with the same time: a wrong one, and the right one again.
      let edited: [Integrated]
      /// What came next when Martlet was killed while it built: of a wrong commit, and of the right one again.
      let killed: [Integrated]
      /// Of a wrong commit, after the home was moved.
      let moved: IntegrationRecord

      init() throws {
        let scratch = try ScratchFolder("fresh")
        var program = Program(scratch: scratch)
        let repository = try GitFolder("Quick", in: scratch)
        try repository.commit("Begin", files)
        let arguments = [repository.path, "--build-system", "swiftbuild", "--quiet"]
        func integrate(_ more: String...) throws -> Integrated {
          try program.integrate(arguments + more, bot: "Quick")
        }
        _ = try integrate()
        let path = "\(repository.path)/Sources/Quick/Quick.swift"
        edited = try [2, 1].map { number in
          try repository.write(source(number), to: "Sources/Quick/Quick.swift")
          var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
          try check(utimensat(AT_FDCWD, path, &times, 0))
          return try integrate("--working-tree")
        }
        killed = try [3, 1].map { number in
          try repository.commit("Say \(number)", ["Sources/Quick/Quick.swift": source(number)])
          let running = try RunningProgram(program, ["run"] + arguments)
          try #require(ProcessList.shows("swift-frontend", naming: scratch.path))
          running.send(SIGKILL)
          _ = try running.end()
          return try integrate()
        }
        try repository.commit("Say 4", ["Sources/Quick/Quick.swift": source(4)])
        let place = scratch.file("elsewhere")
        try check(rename(scratch.file("home"), place))
        program.environment["MARTLET_HOME"] = place
        let run = try program.run(["run", "--json"] + arguments)
        moved = try IntegrationRecord(json: run.output.utf8)
      }
    }

    private func expectWrongThenRight(_ integrated: [Integrated]) {
      #expect(integrated.map(\.document.tests.failed) == [2, 0])
      #expect(integrated.map(\.document.tests.passed) == [0, 2])
    }

    @Test("An edit that leaves size and time of a file as they were is what runs")
    func edited() throws { try expectWrongThenRight(Self.story.get().edited) }

    @Test("What a killed build left half done is not what runs")
    func killed() throws { try expectWrongThenRight(Self.story.get().killed) }

    @Test("A home that was moved is as good as a new one")
    func moved() throws {
      let tests = try Self.story.get().moved.tests
      #expect(tests.failed == 2)
      #expect(tests.passed == 0)
    }

    @Test("Tests that Swift Build does not look for are missing, each time and not only when they are built")
    func unsearched() throws {
      let scratch = try ScratchFolder("unsearched")
      let repository = try GitFolder("Quick", in: scratch)
      try repository.commit("Begin", Self.files)
      let toolchain = try ScriptedToolchain(in: scratch)
      // No test of XCTest is found that an observer would follow, whose build takes seconds.
      try toolchain.replace(
        "swiftc", "*XCTestObserver.swift*) exec \"${real%swiftc}clang\" -shared -x c /dev/null -o xctest.so;;")
      try toolchain.replace("swift-build", "*--build-tests*) exec \"$real\" \"$@\" --disable-index-store;;")
      let program = Program(scratch: scratch, environment: ["PATH": "\(toolchain.programs):/usr/bin:/bin"])
      for _ in 1...2 {
        let integrated = try program.integrate(
          repository.path, "--build-system", "swiftbuild", "--sandbox", "off", "--quiet", bot: "Quick")
        #expect(integrated.document.outcome == .incomplete)
        #expect(integrated.document.tests.passed == 1)
        #expect(integrated.step(.building)?.exitStatus == 0)
        for target in ["OldTests", "NewTests"] {
          let reason = "Swift Build did not look for XCTest tests in \(target), so these did not run."
          #expect(integrated.document.reasons.contains(reason), "\(integrated.document.reasons)")
        }
      }
    }

    @Test("A toolchain that nobody has tried and that does not say where its products are is not built with at all")
    func untried() throws {
      let scratch = try ScratchFolder("untried")
      let repository = try GitFolder("Quick", in: scratch)
      try repository.commit("Begin", Self.files)
      let toolchain = try ScriptedToolchain(in: scratch, version: "9.1")
      // The programs stay as they are, whatever they answer: for a toolchain that changed, much is made again.
      func answer(_ program: String, _ cases: String) throws {
        try scratch.write("case \"$*\" in \(cases) esac\n", to: "\(program).sh")
      }
      for program in ["swift-package", "swift-build"] {
        try answer(program, "")
        try toolchain.replace(program, "*) . '\(scratch.file("\(program).sh"))';;")
      }
      let program = Program(scratch: scratch, environment: ["PATH": "\(toolchain.programs):/usr/bin:/bin"])
      func integrate() throws -> Integrated {
        try program.integrate(repository.path, "--sandbox", "off", "--quiet", bot: "Quick")
      }
      let known =
        "This is Swift version 9.1 (swift-6.3.1-RELEASE), newer than all that Martlet was tried with; Swift 6.3.1 is known to work. 'martlet help toolchains' tells more."
      let place = scratch.file("home/workspaces/Quick/main/build/root+swiftbuild")
      func expect(_ reason: String) throws {
        let integrated = try integrate()
        #expect(integrated.document.outcome == .internalError)
        #expect(integrated.document.reasons == ["\(reason) \(known)"])
        #expect(!scratch.exists("home/workspaces/Quick/main/build/root+swiftbuild/out"))
      }
      try answer("swift-package", "*describe*) echo '{}'; exit;;")
      let unread = try integrate()
      #expect(unread.document.outcome == .internalError)
      #expect(unread.document.reasons.first?.hasSuffix(known) == true, "\(unread.document.reasons)")
      try answer("swift-package", "")
      try answer("swift-build", "*--show-bin-path*) echo /elsewhere; exit;;")
      try expect(
        "SwiftPM was asked for the folder of what it builds, and answered '/elsewhere', which is none in \(place).")
      try answer(
        "swift-build", "*--build-system*) echo \"error: Unknown option '--build-system'\" >&2; exit 64;;")
      try expect(
        "SwiftPM was asked for the folder of what it builds, and answered 'error: Unknown option '--build-system'', which is none in \(place)."
      )
      try answer("swift-build", "")
      let built = try integrate()
      #expect(built.document.tests.passed == 2, "\(built.run)")
    }
  }
}
