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
      let program: Program
      let repository: GitFolder
      let parts: [String: Integrated]

      static let filters = [
        "PrintTests|ZLast", "WriteTests", "CloseTests|ZLast", "CloseAllTests|ZLast", "QuietTests", "InsideTests",
        "LookTests", "ALastTests",
        "complete|last",
      ]

      init() throws {
        scratch = try ScratchFolder("forging")
        repository = try GitFolder(ForgingPackage.bot, in: scratch)
        try repository.commit("Collect ways to forge", ForgingPackage.files)
        program = Program(scratch: scratch)
        var parts: [String: Integrated] = [:]
        for filter in Self.filters {
          parts[filter] = try program.integrate(
            repository.path, "--filter", filter, "--quiet", bot: ForgingPackage.bot)
        }
        self.parts = parts
      }
    }

    private func part(_ filter: String) throws -> Integrated {
      let part = try #require(Self.story.get().parts[filter])
      #expect(part.addsUp)
      return part
    }

    private func states(_ part: Integrated) -> [String: TestState] {
      Dictionary(part.document.tests.cases.map { ("\($0.id)", $0.state) }, uniquingKeysWith: { one, _ in one })
    }

    @Test("Printed verdicts and totals count for nothing, and what they were to hide is run")
    func printed() throws {
      let part = try part("PrintTests|ZLast")
      #expect(part.document.tests.source == ["XCTest": "observer"])
      #expect(part.document.tests.sourceReason == nil)
      #expect(
        states(part) == ["ForgingTests.PrintTests/test": .notRun, "ForgingTests.ZLastTests/test": .failed])
    }

    @Test("Writing to every open descriptor is noticed and changes no result")
    func written() throws {
      let part = try part("WriteTests")
      #expect(states(part) == ["ForgingTests.WriteTests/test": .passed])
      #expect(part.document.outcome == .incomplete)
      #expect(
        part.document.reasons == [
          "The test process wrote 1 message that is not the observer's to the observer's channel."
        ])
    }

    @Test("A test that closes every descriptor has no verdict; the others run in a fresh process")
    func allClosed() throws {
      let states = states(try part("CloseAllTests|ZLast"))
      #expect(states["ForgingTests.ZLastTests/test"] == .failed)
      // Dispatch may miss its own descriptors before the observer does, and die of it.
      #expect([.notRun, .crashed].contains(states["ForgingTests.CloseAllTests/test"]))
    }

    @Test("A test that closes every socket is not proven; the others run in a fresh process")
    func closed() throws {
      let part = try part("CloseTests|ZLast")
      #expect(
        states(part) == ["ForgingTests.CloseTests/test": .notRun, "ForgingTests.ZLastTests/test": .failed])
      #expect(
        part.document.reasons.contains(
          "XCTest: the test process closed the channel by which it is followed, while ForgingTests.CloseTests/test was running."
        ))
    }

    @Test("A test that closes its output has a verdict all the same")
    func quiet() throws {
      let part = try part("QuietTests")
      #expect(part.document.outcome == .succeeded)
      #expect(states(part) == ["ForgingTests.QuietTests/test": .passed])
    }

    @Test("A run of XCTest inside a test ends nothing")
    func inside() throws {
      let part = try part("InsideTests")
      #expect(part.document.outcome == .incomplete)
      #expect(part.document.reasons.contains("XCTest began a second run inside the first."))
      #expect(states(part) == ["ForgingTests.InsideTests/test": .notRun])
    }

    @Test("A test sees nothing of its own way to Martlet in its environment")
    func environment() throws {
      let part = try part("LookTests")
      #expect(part.document.outcome == .succeeded, "\(part.document.reasons)")
    }

    @Test("The same class name in two modules is told apart")
    func sameName() throws {
      let part = try part("ALastTests")
      #expect(states(part) == ["ForgingTests.ALastTests/test": .failed, "OtherTests.ALastTests/test": .passed])
      #expect(part.document.reasons == ["1 test failed."])
    }

    @Test("Events that a test writes to the stream's path or descriptors count for nothing and are told")
    func events() throws {
      let part = try part("complete|last")
      #expect(part.document.tests.source == ["Swift Testing": "event-stream"])
      #expect(states(part) == ["ForgingTests.complete()": .notRun, "ForgingTests.last()": .failed])
      #expect(
        part.document.reasons.contains(
          "The test process wrote 1 message that is not the observer's to the observer's channel."))
      #expect(
        part.document.reasons.contains { $0.hasSuffix("bytes of its own to the file of the event stream.") })
    }

    @Test("A home whose name the loader would take apart keeps no observer out")
    func blanks() throws {
      let story = try Self.story.get()
      var program = story.program
      program.environment["MARTLET_HOME"] = story.scratch.file("a: home")
      let run = try program.run("run", story.repository.path, "--filter", "ZLast|Quiet|last", "--json", "--quiet")
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      let document = try decoder.decode(IntegrationRecord.self, from: Data(run.output.utf8))
      #expect(document.tests.source == ["XCTest": "observer", "Swift Testing": "event-stream"])
      #expect(document.tests.sourceReason == nil)
      #expect(document.tests.failed == 2)
    }
  }
}
