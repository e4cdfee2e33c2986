import Comparing
import Model
import Processes
import Rendering

struct TestHistories {
  /// How each listed test ended in this and earlier integrations; empty if no test ran.
  var histories: [TestID: TestHistory] = [:]
  /// The results of `measure` in the last integrations, by test.
  var trends: [TestID: [MeasurementTrend]] = [:]
  /// Which tests are new, deleted or renamed; nil without a baseline with tests.
  var changes: TestListChanges?
}

extension IntegrationRun {
  func histories(of state: IntegrationState) throws(IntegratingError) -> TestHistories {
    let integration = state.integration
    guard !integration.tests.runs.isEmpty else { return TestHistories() }
    let past = PastVerdicts(index: context.index, bot: bot)
    let verdicts = TestVerdicts(IntegrationRecord(integration))
    var found = TestHistories()
    found.histories = TestHistory.all(of: [verdicts] + (try past.newest(before: number, of: self.past)))
    if !verdicts.measured.isEmpty { found.trends = try trends(of: integration, past) }
    if let baseline = integration.baseline, !baseline.states.isEmpty {
      found.changes = TestListChanges(
        from: Set(baseline.states.keys), to: Set(integration.tests.results.map(\.id)),
        filteredOut: state.report.reached.tests?.filteredOut ?? [])
    }
    return found
  }

  private func trends(
    of integration: Integration, _ verdicts: PastVerdicts
  ) throws(IntegratingError) -> [TestID: [MeasurementTrend]] {
    // The document as a later integration will read it, so that like is compared with like.
    let document = IntegrationRecord(integration)
    let past = try verdicts.past(
      before: number, on: integration.branch, baseline: integration.baseline?.number, of: past)
    return MeasurementTrend.all(of: TestVerdicts(try document.masked(by: mask) ?? document), after: past)
  }
}
