package import Model

extension IssueMemory {
  /// Remembers which tests are red by chance: they passed in this very integration when they ran alone or one by one.
  ///
  /// - Parameter alone: how the tests ended then.
  package mutating func noteChance(in results: [TestResult], alone: [TestID: TestState]) {
    let red = Set(results.filter { $0.state.isRed && alone[$0.id]?.isGood == true }.map(\.id))
    for index in records.indices
    where records[index].kind.isOfRedTest && records[index].test.map(red.contains) == true {
      records[index].noteChance()
    }
  }

  /// Returns the tests that were red and pass now, which proves nothing: they are known to be flaky, were red by chance,
  /// end otherwise alone, or pass though nothing changed that they ran.
  ///
  /// - Parameters:
  ///   - alone: how tests ended when they ran alone or one by one, as far as they did.
  ///   - untouched: returns those of some tests that ran nothing of what changed since the memory's integration.
  package func passedByChance(
    in results: [TestResult], alone: [TestID: TestState], _ histories: [TestID: TestHistory],
    untouched: (Set<TestID>) -> Set<TestID>
  ) -> Set<TestID> {
    let good = Set(results.filter(\.state.isGood).map(\.id))
    var passed: Set<TestID> = []
    var unclear: Set<TestID> = []
    for record in records where record.isOpen && record.kind.isOfRedTest {
      guard let test = record.test, good.contains(test), let streak = record.streaks.last else { continue }
      if streak.isByChance == true || alone[test]?.isRed == true || histories[test]?.flakyIn.isEmpty == false {
        passed.insert(test)
      } else if streak.lastSeen == number {
        // What changed before that integration may have ended the failure of an earlier one.
        unclear.insert(test)
      }
    }
    return passed.union(untouched(unclear))
  }
}
