import Model

/// What the tests say of one source, as its page says it first.
struct SourceVerdict {
  /// The number of failures recorded in it, without those of flaky tests and known issues.
  private(set) var failures = 0
  /// The tests that failed in it, or are declared in it, and passed in a later attempt.
  private(set) var flaky: Set<TestID> = []
  private(set) var knownIssues = 0
  /// How the tests ended that are declared in it.
  private(set) var states: [TestState] = []

  /// Whether there is anything to say.
  var isEmpty: Bool { failures == 0 && flaky.isEmpty && knownIssues == 0 && states.isEmpty }

  mutating func declare(_ test: TestResult) {
    states.append(test.state)
    if test.isFlaky { flaky.insert(test.id) }
  }

  mutating func count(_ kind: FailureNotes.Kind, of test: TestID) {
    switch kind {
    case .failed: failures += 1
    case .flaky: flaky.insert(test)
    case .known: knownIssues += 1
    }
  }

  /// The name of the glyph in the sprite: that of the worst.
  var glyph: String {
    if failures > 0 { return TestState.failed.glyph }
    let worst = states.min { $0.rank < $1.rank } ?? (knownIssues > 0 ? .expectedFailure : .passed)
    return flaky.isEmpty || worst.isRed || worst == .notRun ? worst.glyph : FailureNotes.Kind.flaky.glyph
  }
}
