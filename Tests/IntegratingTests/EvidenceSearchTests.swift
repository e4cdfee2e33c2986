import Comparing
import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("Who can tell what runs by chance")
struct EvidenceSearchTests {
  private let scratch: Scratch
  private let path = "Sources/A/A.swift"

  init() throws { scratch = try Scratch() }

  private func integration(
    _ number: Int, tests: [TestState] = [.passed, .passed], toolchain: String = "6.3", isComplete: Bool = true
  ) -> Integration {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    var integration = Integration(
      bot: "Shop", number: number, repository: "/srv/git/Shop.git", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Sell", author: "mira", date: date),
      cause: .commit, toolchain: toolchain, configuration: "debug", sandbox: "bubblewrap", queuedAt: date,
      repeatCommand: "")
    integration.outcome = tests.contains(.failed) ? .testFailures : .succeeded
    integration.tests = TestReport(
      results: tests.enumerated().map { index, state in
        TestResult(id: TestID(module: "ATests", suite: "A", name: "test\(index)"), library: .xctest, state: state)
      })
    integration.coverage = .available(
      Coverage(
        files: [
          FileCoverage(
            path: path, target: "A", lines: [LineCoverage(line: 1, count: 1, state: .ran)], deadStretches: [],
            functions: [], totals: CoverageTotals(lines: LineTally(total: 1, covered: 1)), llvmLines: Tally())
        ], isComplete: isComplete))
    return integration
  }

  /// Writes them as finished ones, and asks for the witnesses beside the one with number 90.
  private func numbers(_ integrations: [Integration], besides others: Set<Int> = []) throws -> [Int] {
    for integration in integrations {
      let folder = try scratch.folder.folder("\(integration.number)").create()
      try folder.write(
        try IntegrationRecord(integration).encoded(), to: "integration.json")
      if let coverage = CoverageDocument(integration) { try folder.write(coverage.text, to: "coverage.json") }
    }
    let past = integrations.map {
      IndexedIntegration(number: $0.number, commit: $0.commit.id, outcome: $0.outcome, scope: "s", isDirty: false)
    }
    return MeasuredIntegrations(in: scratch.folder, package: ".").witnesses(
      among: past, besides: others.union([90]), scope: "s", like: IntegrationRecord(self.integration(90))
    ).map(\.number)
  }

  @Test("The newest four of the same commit are heard, without those that are compared")
  func newest() throws {
    #expect(try numbers((1...8).map { integration($0) }, besides: [7]) == [8, 6, 5, 4])
  }

  @Test("One in which a test was red, or was skipped, or did not run, ran other lines for that")
  func otherTests() throws {
    let others = [[TestState.passed, .failed], [.passed, .skipped], [.passed], [.passed, .passed, .passed]]
    #expect(try numbers(others.enumerated().map { integration($0 + 1, tests: $1) } + [integration(9)]) == [9])
  }

  @Test("Those under other circumstances or without complete coverage take no place from those that can tell")
  func comparable() throws {
    let others = (3...8).map { integration($0, toolchain: "6.4") }
    #expect(try numbers([integration(1), integration(2, isComplete: false)] + others) == [1])
  }

  @Test("One with other versions of the dependencies, or with versions that nobody noted, proves nothing of chance")
  func otherDependencies() throws {
    func integration(_ number: Int, _ version: String?) -> Integration {
      var one = self.integration(number)
      one.circumstances = [Circumstance("processors", "2")]
      one.circumstances += version.map { [Circumstance("dependency dep", $0)] } ?? []
      return one
    }
    let newest = IntegrationRecord(integration(90, "1.1.0, 5d6e7f8"))
    func isAlike(_ version: String?) -> Bool { IntegrationRecord(integration(1, version)).isAlike(newest) }
    #expect(isAlike("1.1.0, 5d6e7f8"))
    #expect(!isAlike("1.0.0, 1a2b3c4"))
    #expect(!isAlike(nil))
  }
}
