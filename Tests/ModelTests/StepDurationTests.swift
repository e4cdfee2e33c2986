import FoundationEssentials
import Testing

@testable import Model

@Suite("How long steps take")
struct StepDurationTests {
  @Test("One of several destinations took as long as its steps, whatever went on in between")
  func cell() {
    let start = Date(timeIntervalSince1970: 0)
    let commit = Commit(id: CommitID(rawValue: "1"), summary: "", author: "", date: start)
    var integration = Integration(
      bot: "greeter", number: 1, repository: "/srv/Greeter.git", packagePath: ".", branch: "main", commit: commit,
      cause: .commit, toolchain: "", configuration: "debug", sandbox: "off", queuedAt: start, repeatCommand: "")
    integration.endedAt = start + 60
    integration.steps = [StepRecord(name: .building, duration: 1.2504), StepRecord(name: .testing, duration: 0.5)]
    #expect(integration.duration == 60)
    integration.destination = DestinationResult(Destination(), leads: true, outcome: .succeeded)
    #expect(integration.duration == 60)
    integration.destination = DestinationResult(Destination(), leads: false, outcome: .succeeded)
    #expect(integration.duration == 1.75)
  }
}
