import Comparing
import Model

extension IntegrationRun {
  /// Returns the tests that were red and pass now, which proves nothing: they are known to be flaky, were red by chance,
  /// end otherwise alone, or pass though nothing changed that they ran.
  func passedByChance(
    _ cell: Cell, _ memory: IssueMemory?, in integration: Integration, _ evidence: inout SuspectEvidence?
  ) -> Set<TestID> {
    guard let memory, let tests = cell.reached.tests else { return [] }
    let good = tests.report.results.filter(\.state.isGood).keyed(by: \.id)
    var passed: Set<TestID> = []
    var unclear: Set<TestID> = []
    for record in memory.records where record.isOpen && record.kind.isOfRedTest {
      guard let result = record.test.flatMap({ good[$0] }), let streak = record.streaks.last else { continue }
      if streak.isByChance == true || tests.endedAlone(result)?.isRed == true
        || integration.histories[result.id]?.flakyIn.isEmpty == false
      {
        passed.insert(result.id)
      } else if streak.lastSeen == memory.number {
        // What changed before that integration may have ended the failure of an earlier one.
        unclear.insert(result.id)
      }
    }
    return passed.union(untouched(unclear, of: cell, in: integration, &evidence))
  }

  /// Returns the red tests that passed in this very integration when they ran alone or one by one.
  func redByChance(_ cell: Cell) -> Set<TestID> {
    guard let tests = cell.reached.tests else { return [] }
    let red = tests.report.results.filter(\.state.isRed)
    return Set(red.filter { tests.endedAlone($0)?.isGood == true }.map(\.id))
  }
}

extension TestRun {
  /// Returns how a test ended when it ran alone, or after the others for the map; nil if that is not known to differ.
  fileprivate func endedAlone(_ test: TestResult) -> TestState? { test.alone?.state ?? mapped?.ends[test.id]?.state }
}

extension IssueMemory {
  /// Remembers which tests are red by chance.
  mutating func noteChance(of tests: Set<TestID>) {
    for index in records.indices
    where records[index].kind.isOfRedTest && records[index].test.map(tests.contains) == true {
      records[index].noteChance()
    }
  }
}
