import Comparing
import Model
import Processes
import Rendering

struct TestHistories {
  /// How each listed test ended in this and earlier integrations; empty if no test ran.
  var histories: [TestID: TestHistory] = [:]
  /// Who added tests that were flaky from their first run on in earlier integrations, and are here.
  var flakyAdditions: [TestID: TestAddition] = [:]
  /// The results of `measure` in the last integrations, by test.
  var trends: [TestID: [MeasurementTrend]] = [:]
  /// Who probably made measured values worse, by test.
  var worseCauses: [TestID: WorseCause] = [:]
  /// What the required destinations found about the quarantined tests.
  var quarantine: [QuarantinedTest.Finding] = []
}

extension IntegrationRun {
  func histories(of state: IntegrationState) throws(IntegratingError) -> TestHistories {
    var found = try historiesOfFirst(state)
    found.quarantine = quarantine(of: state, found.histories)
    return found
  }

  private func historiesOfFirst(_ state: IntegrationState) throws(IntegratingError) -> TestHistories {
    let integration = state.integration
    guard !integration.tests.runs.isEmpty else { return TestHistories() }
    let past = PastVerdicts(index: context.index, bot: bot)
    let verdicts = TestVerdicts(IntegrationRecord(integration))
    var found = TestHistories()
    found.histories = TestHistory.all(of: [verdicts] + (try past.newest(before: number, of: self.past)))
    found.flakyAdditions = additions(ofFlaky: found.histories)
    if !verdicts.measured.isEmpty { found.trends = try trends(of: integration, past) }
    return found
  }

  /// Returns who added tests that are flaky here and were in their first run, of as many as are shown.
  private func additions(ofFlaky histories: [TestID: TestHistory]) -> [TestID: TestAddition] {
    let first = histories.compactMapValues { history -> Int? in
      let (flaky, first) = (history.flakyIn, history.runs.last?.number)
      return flaky.first == number && first != number && flaky.last == first ? first : nil
    }
    var found: [TestID: TestAddition] = [:]
    for (number, tests) in Dictionary(grouping: first.keys, by: { first[$0] ?? 0 }) {
      guard let document = document(of: number) else { continue }
      for test in tests { found[test] = document.addition(of: test) }
    }
    return found
  }

  /// Returns what the required destinations found about the quarantined tests.
  private func quarantine(
    of state: IntegrationState, _ ofFirst: [TestID: TestHistory]
  ) -> [QuarantinedTest.Finding] {
    let entries = request.quarantine
    guard !entries.isEmpty else { return [] }
    let histories = state.required.map { cell in
      if cell.run === state.run { return ofFirst }
      // As many as it takes to end a quarantine: each is a document to be read.
      let past = pastVerdicts(of: cell, atMost: QuarantinedTest.Finding.enough)
      return TestHistory.all(of: [TestVerdicts(IntegrationRecord(cell.integration))] + past)
    }
    let quitters = state.required.flatMap { $0.integration.tests.results.filter { $0.quit != nil }.map(\.id) }
    return QuarantinedTest.findings(of: entries, isOver: { isOver($0) }, histories, quitters: Set(quitters))
  }

  /// Returns a destination after the first, with how the tests ended before that turned red or pass again: for it, and
  /// for the first one.
  ///
  /// The index has the results for the first destination; those for the others are in the documents alone, which are
  /// read only where there is something to explain.
  func withHistories(of cell: Cell, beside first: Cell) -> Integration {
    var integration = cell.integration
    let isTold = { (issue: Issue) in issue.kind.isOfRedTest && [.new, .resolved].contains(issue.status) }
    guard integration.issues.contains(where: isTold) else { return integration }
    let verdicts = PastVerdicts(index: context.index, bot: bot)
    // Without the index the first destination tells nothing; what needs it fails with the reason.
    let ofFirst = (try? verdicts.newest(before: number, of: past)) ?? []
    let now = [cell, first].map { TestVerdicts(IntegrationRecord($0.integration)) }
    let before = pastVerdicts(of: cell, atMost: PastVerdicts.mostIntegrations)
    integration.histories = TestHistory.all(of: now + (ofFirst + before).sorted { $0.number > $1.number })
    return integration
  }

  /// Returns how the tests of a destination ended in its last conclusive integrations.
  private func pastVerdicts(of cell: Cell, atMost limit: Int) -> [TestVerdicts] {
    guard let name = cell.run.asked.destination?.name else { return [] }
    let conclusive = past.reversed().filter { $0.number < number && $0.outcome.isConclusive && !$0.isDirty }
    return conclusive.prefix(limit).compactMap { entry in
      let result = document(of: entry.number)?.result(for: name)
      return result?.destination?.outcome?.isConclusive == true ? result.map { TestVerdicts($0) } : nil
    }
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
