import Model
import Testing

@testable import Rendering

@Suite("Commands that run an integration again")
struct RepeatCommandsTests {
  @Test("An integration of a bot is repeated with its history first")
  func again() {
    var integration = GreeterSample.red.integration
    #expect(commands(of: integration) == [integration.repeatCommand])
    integration.rerunCommand = "martlet rerun Greeter/42"
    #expect(
      commands(of: integration)
        == ["As the bot: martlet rerun Greeter/42", "From the shell: \(integration.repeatCommand)"])
    integration.outcome = .checkoutError
    #expect(commands(of: integration) == ["martlet rerun Greeter/42"], "A run by hand may find another package.")
  }

  private func commands(of integration: Integration) -> [String] {
    RepeatCommands.all(of: integration).map { [$0.label, $0.command].compactMap(\.self).joined(separator: ": ") }
  }

  @Test("A build that failed is repeated with all that was asked for, and by a build unless errors show that")
  func buildAgain() {
    var integration = OtherSamples.buildErrors.integration
    integration.repeatCommand = "martlet run . --gate patch=80"
    (integration.buildCommand, integration.unfilteredCommand) = ("swift build --build-tests", "martlet run .")
    #expect(commands(of: integration) == ["martlet run . --gate patch=80"])
    integration.rerunCommand = nil
    integration.diagnostics = []
    #expect(
      commands(of: integration)
        == ["Build in a checkout: swift build --build-tests", "From the shell: martlet run . --gate patch=80"])
  }

  @Test("Where too many tests are red to be named, the command runs all of them, and is Martlet's if one hangs")
  func tooManyForSwiftPM() throws {
    var report = GreeterSample.red
    let hung = try #require(report.integration.tests.results.first { $0.state == .timedOut })
    let failed = try #require(report.integration.tests.results.first { $0.state == .failed })
    report.integration.tests.results = [hung]
    for number in 1...11 {
      var test = failed
      test.id = TestID(module: "M", suite: "S", name: "t\(number)()")
      report.integration.tests.results.append(test)
    }
    let words = try PageSite(report).words("index.html")
    #expect(words.contains("Run at this commit:\nmartlet run ") && !words.contains("The time-out"))
  }
}
