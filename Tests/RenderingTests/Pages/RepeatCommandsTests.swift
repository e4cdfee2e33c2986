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
}
