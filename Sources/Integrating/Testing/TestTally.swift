package import Model

/// Counts the tests of an integration while they run.
package struct TestTally: Sendable {
  private var ended: Set<TestID> = []
  private var red: Set<TestID> = []
  private var running: [TestID] = []
  private var told: RunningTests?

  package init() {}

  /// Takes note of what happens; each step begins anew.
  package mutating func note(_ progress: Progress) {
    switch progress {
    case .testStarted(let test): running.append(test)
    case .testEnded(let test, let state):
      running.removeAll { $0 == test }
      ended.insert(test)
      // One that passes when it is run again is red no more.
      if state.isRed { red.insert(test) } else { red.remove(test) }
    case .step, .destination: self = TestTally()
    case .waiting, .started, .activity, .diagnostic: break
    }
  }

  /// How far they are; nil where that was told.
  package mutating func news() -> RunningTests? {
    let tests = RunningTests(ended: ended.count, red: red.count, running: running.last?.description)
    guard tests != told ?? RunningTests(ended: 0, red: 0, running: nil) else { return nil }
    told = tests
    return tests
  }
}
