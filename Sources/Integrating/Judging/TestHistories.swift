import Comparing
import Model
import Processes

/// How the tests of an integration ended before it.
struct TestHistories {
  /// How each listed test ended in the integrations before, too; empty when no test ran.
  var histories: [TestID: TestHistory] = [:]
  /// What `measure` gave in the last integrations, by test.
  var trends: [TestID: [MeasurementTrend]] = [:]
  /// Which tests are new, deleted and renamed; nil without a baseline with tests.
  var changes: TestListChanges?
}

extension IntegrationRun {
  /// Reads how each test ended in the integrations before, and which tests are new, deleted and renamed.
  func histories(of reached: Reached) -> TestHistories {
    let integration = reached.integration
    guard !integration.tests.runs.isEmpty else { return TestHistories() }
    let files = VerdictFiles(folder: context.integrations)
    let verdicts = TestVerdicts(integration)
    var found = TestHistories()
    found.histories = TestHistory.all(of: [verdicts] + files.newest(before: number, of: ledger))
    if !verdicts.measured.isEmpty { found.trends = trends(of: verdicts, integration, files) }
    if let baseline = integration.baseline, !baseline.states.isEmpty {
      found.changes = TestListChanges(
        from: Set(baseline.states.keys), to: Set(integration.tests.results.map(\.id)),
        filteredOut: reached.tests?.filteredOut ?? [])
    }
    return found
  }

  private func trends(
    of verdicts: TestVerdicts, _ integration: Integration, _ files: VerdictFiles
  ) -> [TestID: [MeasurementTrend]] {
    // As a later integration will read it, so that like is compared with like.
    let masked = String(decoding: mask.mask(Array(verdicts.text.utf8)), as: UTF8.self)
    let past = files.past(
      before: number, on: integration.branch.map(FileSystemName.encode), baseline: integration.baseline?.number,
      of: ledger)
    return MeasurementTrend.all(of: TestVerdicts(text: masked) ?? verdicts, after: past)
  }
}
