import Foundation
import Model
import Testing

@Suite("Results adopted from an earlier integration")
struct AdoptedResultsTests {
  private func stored() throws -> IntegrationRecord {
    let url = try #require(
      Bundle.module.url(forResource: "integration-1", withExtension: "json", subdirectory: "Fixtures"))
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(IntegrationRecord.self, from: Data(contentsOf: url))
  }

  private func adopting(_ earlier: IntegrationRecord) -> Integration {
    var integration = Integration(
      bot: earlier.bot, number: earlier.number + 1, repository: earlier.repository, branch: "main",
      commit: Commit(id: earlier.commit.id, summary: "Sell", author: "mira", date: .distantPast), cause: .idle,
      toolchain: "", configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "")
    integration.adopt(earlier, coverage: .unavailable(reason: "It is elsewhere."))
    return integration
  }

  @Test("The document repeats them, under its own number")
  func repeated() throws {
    let earlier = try stored()
    let document = IntegrationRecord(adopting(earlier)) { _ in "" }
    #expect(document.number == earlier.number + 1)
    #expect(document.cause == .idle)
    #expect(document.tests == earlier.tests)
    #expect(document.coverage == earlier.coverage)
    #expect(document.coverageBaseline == earlier.baseline)
    #expect(document.toolchain == earlier.toolchain)
    #expect(document.deltas == nil)
  }

  @Test("Pages and messages have the tests with their failures, and know where the rest is")
  func tests() throws {
    let earlier = try stored()
    let integration = adopting(earlier)
    #expect(integration.adoptedNumber == earlier.number)
    #expect(integration.tests.results.map(\.id) == earlier.tests.cases.map(\.id).sorted())
    #expect(integration.tests.counts.red == earlier.tests.counts.red)
    #expect(
      integration.tests.results.flatMap(\.failures).map(\.message).sorted()
        == earlier.tests.cases.flatMap(\.failures).map(\.message).sorted())
    #expect(integration.coverage == .unavailable(reason: "It is elsewhere."))
  }

  @Test("A test that waited for others is no slower for it")
  func waited() throws {
    var earlier = try stored()
    earlier.tests.cases[0].waited = 0.25
    let id = earlier.tests.cases[0].id
    #expect(adopting(earlier).tests.results.first { $0.id == id }?.waited == 0.25)
  }

  @Test("They count once in the history of tests")
  func history() throws {
    var earlier = try stored()
    #expect(TestVerdicts(earlier).verdicts.count == 4)
    var result = DestinationResult(Destination(), leads: true, outcome: .succeeded)
    result.adoptedFrom = 3
    earlier.destination = result
    #expect(TestVerdicts(earlier).verdicts.isEmpty)
    #expect(IndexRow(of: earlier).verdicts != nil)
  }
}
