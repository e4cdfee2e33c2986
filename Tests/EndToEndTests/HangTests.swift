import FoundationEssentials
import Integrating
import Model
import Processes
import Rendering
import Testing

extension Misbehaviors {
  @Suite("When a test hangs")
  struct HangTests {
    /// The integrations of the dying package with small limits, by their filters; of those that share one, only one is of
    /// Swift Testing.
    private static let story = Result { try Story() }

    private struct Story {
      private(set) var parts: [String: FinishedIntegration] = [:]

      static let companies = [["HangingTests", "SDying.Never/"], ["TalkingTests", "SDying.Pool/"]]

      init() throws {
        let ground = try DyingGround.shared.get()
        let program = Program(scratch: ground.scratch)
        program.lendTools(for: ["run"])
        let integrator = Integrator(
          home: Home(program.home), templates: try ReportTemplates(folder: Checkout.folder("templates")),
          environment: program.variables, clock: .system, time: LocalTime { _ in 0 }, cancellation: try Cancellation(),
          progress: { _ in })
        for filters in Self.companies {
          var bot = Bot(name: "", repository: ground.repository.path)
          bot.buildSystem = Program.buildSystem
          bot.tests.filter = filters
          bot.tests.limits = TestLimits(test: .seconds(4), silence: .seconds(2))
          let whole = try integrator.integrate(IntegrationRequest(bot, queuedAt: Date()))
          for filter in filters { parts[filter] = whole }
        }
      }
    }

    /// The results of the tests that a filter selects.
    private func results(_ filter: String) throws -> [TestResult] {
      let integration = try #require(Self.story.get().parts[filter]).integration
      #expect(integration.outcome == .testFailures)
      return try integration.tests.results.filter { try $0.id.isSelected(by: filter) }
    }

    private func test(_ name: String, _ filter: String) throws -> TestResult {
      try #require(try results(filter).first { $0.id.name == name })
    }

    @Test("Tests that wait each in their way are timed out with the reason, and the others run")
    func kinds() throws {
      let results = try results("HangingTests")
      #expect(
        results.map(\.state) == [
          .passed, .timedOut, .timedOut, .timedOut, .timedOut, .timedOut, .passed,
        ])
      #expect(
        results.map(\.hang?.kind) == [nil, .lock, .sleep, .child, .busy, .stopped, nil])
      #expect(results.compactMap(\.hang?.problem) == [])
      // What is computing is in its loop, also where that is counting its runs.
      let busy = try test("test5", "HangingTests")
      #expect(busy.hang?.location?.line == busy.location.map { $0.line + 2 })
    }

    @Test("A test that hangs is told with the line at which it hangs and what it printed")
    func lock() throws {
      let test = try test("test2", "HangingTests")
      #expect(test.hang?.location?.file == "Tests/XDying/XDying.swift")
      #expect(test.failures.first?.message == "Timed out: no output for 2 s")
      #expect(test.failures.first?.location == test.hang?.location)
      #expect(test.transcript.contains { $0.text == "waiting for ever" })
      // It was silent for two seconds at least.
      #expect(test.duration > 1)
    }

    @Test("The log says which limit stopped a process, and that of the build how it ended")
    func log() throws {
      let report = try #require(Self.story.get().parts["HangingTests"]).report
      let testing = String(decoding: try #require(report.read("log/testing.html")), as: UTF8.self)
      #expect(testing.contains(": no output for 2 s (SIG"))
      // Only the first integration of the package built it.
      let building = try DyingGround.shared.get().scratch.read("home/site/\(DyingPackage.bot)/1/log/building.html")
      #expect(building.contains("<span>exit status 0 after "))
    }

    @Test("A child that a test waits for is named")
    func child() throws {
      #expect(try test("test4", "HangingTests").hang?.children == ["sleep"])
    }

    @Test("A task that nobody resumes is told as such")
    func suspended() throws {
      let filter = "SDying.Never/"
      #expect(try test("two()", filter).state == .timedOut)
      #expect(try test("two()", filter).hang?.kind == .suspended)
      #expect(try results(filter).count { $0.state == .passed } == 2)
    }

    @Test("A test that talks without end is timed out")
    func talking() throws {
      #expect(try results("TalkingTests").map(\.state) == [.passed, .timedOut, .passed])
      #expect(try test("test2", "TalkingTests").failures.first?.message == "Timed out: longer than 4 s")
      #expect(try test("test2", "TalkingTests").hang?.kind == .sleep)
    }

    @Test("Tests that block the cooperative pool are timed out as such, and those that only waited behind them run")
    func pool() throws {
      let results = try results("SDying.Pool/")
      let late = results.filter { $0.state == .timedOut }
      #expect(!late.isEmpty)
      #expect(late.allSatisfy { $0.hang?.kind == .blockedPool || $0.hang?.kind == .signal })
      #expect(results.count == 4)
      #expect(!results.map(\.state).contains(.notRun))
    }
  }
}
