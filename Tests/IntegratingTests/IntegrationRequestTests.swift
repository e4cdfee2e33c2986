import FoundationEssentials
import Model
import Testing

@testable import Integrating

@Suite("What is asked for")
struct IntegrationRequestTests {
  @Test("A bot tries the changed functions with each commit, and all in idle time; a person's run tries all at once")
  func mutants() {
    var bot = Bot(name: "greeter", repository: "/srv/Greeter.git")
    bot.coverage.mutants = .all
    var request = IntegrationRequest(bot, queuedAt: Date(timeIntervalSince1970: 0))
    #expect(request.mutants == .all)
    request.place = .init(bot: "greeter", number: 1)
    #expect(request.mutants == .changed)
    request.includesIdle = true
    #expect(request.mutants == .all)
  }
}
