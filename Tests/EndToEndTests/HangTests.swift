import FoundationEssentials
import Integrating
import Model
import Processes
import Rendering
import Testing

extension Misbehaviors {
  @Suite("When a test hangs")
  struct HangTests {
    /// The integrations of the dying package with small limits, by their filters; they share one build.
    private static let story = Result { try Story() }

    private struct Story {
      let scratch: ScratchFolder
      let parts: [String: FinishedIntegration]

      static let filters = ["HangingTests", "TalkingTests", "SDying.Pool/", "SDying.Never/"]

      init() throws {
        scratch = try ScratchFolder("hanging")
        let repository = try GitFolder(DyingPackage.bot, in: scratch)
        try repository.commit("Collect ways to hang", DyingPackage.files)
        MadeTools.lend(to: scratch.file("home"))
        let integrator = Integrator(
          home: Home(scratch.file("home")), templates: try ReportTemplates(folder: Checkout.folder("templates")),
          environment: [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin", "HOME": scratch.file("user"),
          ],
          clock: .system, time: LocalTime { _ in 0 }, cancellation: try Cancellation(), progress: { _ in })
        var parts: [String: FinishedIntegration] = [:]
        for filter in Self.filters {
          var bot = Bot(name: "", repository: repository.path)
          bot.tests.filter = [filter]
          bot.tests.limits = TestLimits(test: .seconds(4), silence: .seconds(2))
          parts[filter] = try integrator.integrate(IntegrationRequest(bot, queuedAt: Date()))
        }
        self.parts = parts
      }
    }

    private func integration(_ filter: String) throws -> Integration {
      let integration = try #require(Self.story.get().parts[filter]).integration
      #expect(integration.outcome == .testFailures)
      return integration
    }

    private func test(_ name: String, _ integration: Integration) throws -> TestResult {
      try #require(integration.tests.results.first { $0.id.name == name })
    }

    @Test("Tests that wait each in their way are timed out with the reason, and the others run")
    func kinds() throws {
      let integration = try integration("HangingTests")
      #expect(
        integration.tests.results.map(\.state) == [
          .passed, .timedOut, .timedOut, .timedOut, .timedOut, .timedOut, .passed,
        ])
      #expect(
        integration.tests.results.map(\.hang?.kind) == [nil, .lock, .sleep, .child, .busy, .stopped, nil])
      #expect(integration.tests.results.compactMap(\.hang?.problem) == [])
      // What is computing is in its loop, also where that is counting its runs.
      let busy = try test("test5", integration)
      #expect(busy.hang?.location?.line == busy.location.map { $0.line + 2 })
    }

    @Test("A test that hangs is told with the line at which it hangs and what it printed")
    func lock() throws {
      let test = try test("test2", integration("HangingTests"))
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
      func page(_ name: String) throws -> String {
        String(decoding: try #require(report.read("log/\(name).html")), as: UTF8.self)
      }
      #expect(try page("testing").contains(": no output for 2 s (SIG"))
      #expect(try page("building").contains("<span>exit status 0 after "))
    }

    @Test("A child that a test waits for is named")
    func child() throws {
      #expect(try test("test4", integration("HangingTests")).hang?.children == ["sleep"])
    }

    @Test("A task that nobody resumes is told as such")
    func suspended() throws {
      let integration = try integration("SDying.Never/")
      #expect(try test("two()", integration).state == .timedOut)
      #expect(try test("two()", integration).hang?.kind == .suspended)
      #expect(integration.tests.counts.passed == 2)
    }

    @Test("A test that talks without end is timed out")
    func talking() throws {
      let integration = try integration("TalkingTests")
      #expect(integration.tests.results.map(\.state) == [.passed, .timedOut, .passed])
      #expect(try test("test2", integration).failures.first?.message == "Timed out: longer than 4 s")
      #expect(try test("test2", integration).hang?.kind == .sleep)
    }

    @Test("Tests that block the cooperative pool are timed out as such, and those that only waited behind them run")
    func pool() throws {
      let integration = try integration("SDying.Pool/")
      let late = integration.tests.results.filter { $0.state == .timedOut }
      #expect(!late.isEmpty)
      #expect(late.allSatisfy { $0.hang?.kind == .blockedPool || $0.hang?.kind == .signal })
      #expect(integration.tests.counts.listed == 4)
      #expect(integration.tests.counts.notRun == 0)
    }
  }
}
