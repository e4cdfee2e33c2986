package import Model

/// An event in a running integration, for display.
package enum Progress: Sendable {
  /// Martlet is waiting for another integration in the same workspace.
  case waiting(workspace: String)
  case started(bot: String, number: Int, commit: Commit)
  /// The following events belong to a destination, or to several that are built at once, as the words say; with the step
  /// in which it goes on if others went on meanwhile.
  case destination(String, Step?)
  case step(Step)
  /// The tool's description of its current activity, with how much of how much is done, if it says so.
  case activity(words: String, done: Int?, total: Int?)
  case testStarted(TestID)
  case testEnded(TestID, TestState)
  /// A diagnostic that the compiler has just printed.
  case diagnostic(Diagnostic)
}

/// Receives progress; called on the thread that runs the integration, and on those that build at once, at the same time.
package typealias ProgressHandler = @Sendable (Progress) -> Void

/// Counts the tests of an integration while they run.
package struct TestTally: Sendable {
  private var destination = ""
  /// How far the others are that will go on.
  private var others: [String: TestTally] = [:]
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
    case .step: begin()
    case .destination(let name, let step): change(to: name, goesOn: step != nil)
    case .waiting, .started, .activity, .diagnostic: break
    }
  }

  private mutating func begin() {
    let (destination, others) = (destination, others)
    self = TestTally()
    (self.destination, self.others) = (destination, others)
  }

  private mutating func change(to name: String, goesOn: Bool) {
    var all = others
    all[destination] = self
    all[destination]?.others = [:]
    self = all.removeValue(forKey: name).flatMap { goesOn ? $0 : nil } ?? TestTally()
    (destination, others) = (name, all)
  }

  /// How far they are; a test that runs again counts once.
  package var tests: RunningTests {
    RunningTests(ended: ended.count, red: red.count, running: running.last?.description)
  }

  /// How far they are; nil where that was told.
  package mutating func news() -> RunningTests? {
    let tests = tests
    guard tests != told ?? RunningTests(ended: 0, red: 0, running: nil) else { return nil }
    told = tests
    return tests
  }
}
