import FoundationEssentials
import Model
import Testing

extension Misbehaviors {
  @Suite("When a test forges its results")
  struct ForgingTests {
    /// The integrations of the forging package, by their filters; they share one build.
    private static let story = Result { try Story() }

    private struct Story {
      let scratch: ScratchFolder
      let parts: [String: Integrated]

      /// What does not meet shares an integration: each library has processes of its own, and two tests are honest.
      static let companies = [
        ["PrintTests|ZLast"], ["WriteTests"], ["CloseTests|ZLast", "complete|last"], ["CloseAllTests|ZLast"],
        ["QuietTests", "LookTests"], ["InsideTests"], ["ALastTests"],
      ]

      init() throws {
        scratch = try ScratchFolder("forging")
        let repository = try GitFolder(ForgingPackage.bot, in: scratch)
        try repository.commit("Collect ways to forge", ForgingPackage.files)
        parts = try Program(scratch: scratch).integrate(Self.companies, of: repository, bot: ForgingPackage.bot)
      }
    }

    private func part(_ filter: String) throws -> SelectedTests {
      let whole = try #require(Self.story.get().parts[filter])
      #expect(whole.addsUp)
      return try SelectedTests(filter, of: whole)
    }

    @Test("Printed verdicts and totals count for nothing, and what they were to hide is run")
    func printed() throws {
      let part = try part("PrintTests|ZLast")
      #expect(part.document.tests.source == ["XCTest": "observer"])
      #expect(part.document.tests.sourceReason == nil)
      #expect(
        part.named == ["ForgingTests.PrintTests/test": .notRun, "ForgingTests.ZLastTests/test": .failed])
    }

    @Test("Writing to every open descriptor is noticed and changes no result")
    func written() throws {
      let part = try part("WriteTests")
      #expect(part.named == ["ForgingTests.WriteTests/test": .passed])
      #expect(part.document.outcome == .incomplete)
      #expect(
        part.document.reasons == [
          "The test process wrote 1 message that is not the observer's to the observer's channel."
        ])
    }

    @Test("A test that closes every descriptor has no verdict; the others run in a fresh process")
    func allClosed() throws {
      let states = try part("CloseAllTests|ZLast").named
      #expect(states["ForgingTests.ZLastTests/test"] == .failed)
      // Dispatch may miss its own descriptors before the observer does, and die of it.
      #expect([.notRun, .crashed].contains(states["ForgingTests.CloseAllTests/test"]))
    }

    @Test("A test that closes every socket is not proven; the others run in a fresh process")
    func closed() throws {
      let part = try part("CloseTests|ZLast")
      #expect(
        part.named == ["ForgingTests.CloseTests/test": .notRun, "ForgingTests.ZLastTests/test": .failed])
      #expect(
        part.document.reasons.contains(
          "XCTest: the test process closed the channel by which it is followed, while ForgingTests.CloseTests/test was running."
        ))
    }

    @Test("A test that closes its output has a verdict all the same")
    func quiet() throws {
      let part = try part("QuietTests")
      #expect(part.document.outcome == .succeeded)
      #expect(part.named == ["ForgingTests.QuietTests/test": .passed])
    }

    @Test("A run of XCTest inside a test ends nothing")
    func inside() throws {
      let part = try part("InsideTests")
      #expect(part.document.outcome == .incomplete)
      #expect(part.document.reasons.contains("XCTest began a second run inside the first."))
      #expect(part.named == ["ForgingTests.InsideTests/test": .notRun])
    }

    @Test("A test sees nothing of its own way to Martlet in its environment")
    func environment() throws {
      let part = try part("LookTests")
      #expect(part.document.outcome == .succeeded, "\(part.document.reasons)")
    }

    @Test("The same class name in two modules is told apart")
    func sameName() throws {
      let part = try part("ALastTests")
      #expect(part.named == ["ForgingTests.ALastTests/test": .failed, "OtherTests.ALastTests/test": .passed])
      #expect(part.document.reasons == ["1 test failed."])
    }

    @Test("Events that a test writes to the stream's path or descriptors count for nothing and are told")
    func events() throws {
      let part = try part("complete|last")
      #expect(part.document.tests.source["Swift Testing"] == "event-stream")
      #expect(part.named == ["ForgingTests.complete()": .notRun, "ForgingTests.last()": .failed])
      #expect(
        part.document.reasons.contains(
          "The test process wrote 1 message that is not the observer's to the observer's channel."))
      #expect(
        part.document.reasons.contains { $0.hasSuffix("bytes of its own to the file of the event stream.") })
    }

    @Test("A home whose name the loader would take apart keeps no observer out")
    func blanks() throws {
      let scratch = try ScratchFolder("blanks")
      let repository = try GitFolder("Blanks", in: scratch)
      try repository.commit(
        "Fail",
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import PackageDescription
          let package = Package(name: "Blanks", targets: [.testTarget(name: "BlanksTests")])

          """,
          "Tests/BlanksTests/LastTests.swift": """
          import Testing
          import XCTest
          final class LastTests: XCTestCase { func test() { XCTAssertEqual(1, 2) } }
          @Test func last() { #expect(1 == 2) }

          """,
        ])
      var program = Program(scratch: scratch)
      program.environment["MARTLET_HOME"] = scratch.file("a: home")
      try lendObservers(of: program, to: "a: home")
      let run = try program.run("run", repository.path, "--json", "--quiet")
      let document = try IntegrationRecord(json: run.output.utf8)
      #expect(document.tests.source == ["XCTest": "observer", "Swift Testing": "event-stream"])
      #expect(document.tests.sourceReason == nil)
      #expect(document.tests.failed == 2)
    }

    /// Puts the observers that were made for other homes into one, where the sandbox shows them: a link would lead out.
    private func lendObservers(of program: Program, to home: String) throws {
      program.lendTools(for: ["run"])
      let scratch = program.scratch
      try FileManager.default.createDirectory(
        atPath: scratch.file("\(home)/toolchains"), withIntermediateDirectories: true)
      for name in scratch.names(in: "home/toolchains") where name.hasPrefix("observer-") && !name.contains(".") {
        try FileManager.default.copyItem(
          atPath: scratch.file("home/toolchains/\(name)"), toPath: scratch.file("\(home)/toolchains/\(name)"))
      }
    }
  }
}
