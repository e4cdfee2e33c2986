import Comparing
import Model
import Rendering

/// A whole integration, as far as it has come.
struct IntegrationState {
  /// The first destination as the report tells it, with the coverage, the gates and the verdict of all together.
  var report: Cell
  /// All destinations as each ended by itself, the first one included; empty until more than one has been carried out.
  private(set) var cells: [Cell] = []
  var rhythm: Rhythm?
  var histories: TestHistories?
  var practice: Practice?

  init(_ run: IntegrationRun) {
    report = Cell(run)
  }

  var run: IntegrationRun { report.run }

  /// Adopts the results of the other destinations, and judges all together.
  mutating func take(_ others: [Cell]) throws(IntegrationStop) {
    guard !others.isEmpty else { return }
    let all = [report] + others
    if report.reached.adopted == nil, let coverage = try run.sharedCoverage(of: all) {
      var judged = run.judgeCoverage(coverage, of: report)
      judged.origins = run.origins(in: coverage.report)
      report.shared = judged
      // What ended before it was judged stays so.
      if !report.isStopped { report.verdict = try run.judge(&report) }
    }
    cells = all
    report.verdict = DestinationJudgement.verdict(of: parts)
  }

  /// What counts: the required destinations, the first one as the report tells it.
  var required: [Cell] {
    ([report] + cells.dropFirst()).filter(\.isRequired)
  }

  /// How each required destination that was built for ended by itself, by its name.
  var requiredOutcomes: [String: Outcome] {
    (cells.isEmpty ? [report] : cells).filter { $0.isRequired && $0.isBuilt }.keyed(by: \.name, \.judged.outcome)
  }

  /// All destinations, the first one as the report tells it.
  private var parts: [DestinationJudgement.Part] {
    var parts = ([report] + cells.dropFirst()).map { cell in
      DestinationJudgement.Part(
        name: cell.name, isRequired: cell.isRequired,
        verdict: cell.isBuilt && cell.reached.adopted == nil ? cell.judged : nil, issues: cell.issues?.issues ?? [],
        records: cell.issues?.memory.records ?? [])
    }
    // The earlier integration judged all that it was carried out for.
    if let earlier = report.reached.adopted { parts[0].verdict = Verdict(adopting: earlier) }
    return parts
  }

  var integration: Integration {
    var integration = report.integration
    integration.scope = run.scope
    integration.destination = run.asked.destination.map {
      var result = DestinationResult($0, leads: true, outcome: (cells.first ?? report).judged.outcome)
      result.adoptedFrom = report.reached.adopted?.number
      return result
    }
    integration.cells = cells.dropFirst().map(\.integration)
    if !cells.isEmpty {
      integration.issues = DestinationJudgement.issues(of: parts, after: run.earlierOfCommit)
      integration.issueRecords = DestinationJudgement.records(of: parts, telling: integration.issues)
    }
    integration.tests.quarantine = histories?.quarantine ?? []
    integration.tests.printedTotals = practice?.printedTotals ?? []
    integration.histories = histories?.histories ?? [:]
    integration.flakyAdditions = histories?.flakyAdditions ?? [:]
    integration.trends = histories?.trends ?? [:]
    integration.worseCauses = histories?.worseCauses ?? [:]
    integration.testChanges = integration.tests.runs.isEmpty ? nil : report.known?.tests
    integration.practice = practice?.card ?? integration.practice
    integration.rhythm = rhythm
    return integration
  }
}
