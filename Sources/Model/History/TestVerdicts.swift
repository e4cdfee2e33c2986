/// How every listed test of an integration ended, as far as its history requires.
package struct TestVerdicts: Hashable, Sendable {
  /// How one test ended.
  package struct Verdict: Hashable, Sendable {
    package var state: TestState
    /// In milliseconds, to the microsecond, without waiting for tests that ran at the same time; what earlier versions
    /// kept is whole, or includes that.
    package var duration: Double
    /// Whether it both failed and passed in that integration.
    package var isFlaky: Bool
    /// Whether it ended its process before finishing, as if all were well; its state is then `notRun`.
    package var isQuit: Bool

    package init(state: TestState, duration: Double, isFlaky: Bool, isQuit: Bool = false) {
      self.state = state
      self.duration = duration
      self.isFlaky = isFlaky
      self.isQuit = isQuit
    }
  }

  package var number: Int
  package var commit: CommitID
  /// Whether uncommitted changes were integrated too, so that the code is no commit's.
  package var isDirty = false
  package var branch: String?
  package var toolchain: String
  package var verdicts: [TestID: Verdict]
  /// The measurements of the tests, for those that measured anything.
  package var measured: [TestID: [MeasuredFigure]] = [:]
  /// What an end or a measured figure depends on apart from commit and toolchain; nil if unknown.
  package var circumstances: [Circumstance]?

  package init(
    number: Int, commit: CommitID, branch: String?, toolchain: String, verdicts: [TestID: Verdict]
  ) {
    self.number = number
    self.commit = commit
    self.branch = branch
    self.toolchain = toolchain
    self.verdicts = verdicts
  }
}

extension TestVerdicts {
  /// Creates the verdicts from a summary document; none for results adopted from an earlier integration, in which they
  /// count already, and for tests that were left out.
  package init(_ document: IntegrationRecord) {
    let ran = document.tests.cases.filter { $0.unaffected != true }
    let cases = document.destination?.adoptedFrom == nil ? ran : []
    let verdicts = cases.map { test in
      (
        test.id,
        Verdict(
          state: test.state, seconds: test.timeOfEnd, isFlaky: test.flaky == true || test.endedBothWays,
          isQuit: test.quit?.isByTest == true)
      )
    }
    self.init(
      number: document.number, commit: document.commit.id, branch: document.branch, toolchain: document.toolchain,
      verdicts: verdicts.keyed(by: \.0, \.1))
    isDirty = document.workingTree != nil
    for test in cases { test.measurements.map { note($0, of: test.id) } }
    circumstances = Circumstance.ofResults(
      configuration: document.configuration, sandbox: document.sandbox, document.circumstances ?? [])
  }

  private mutating func note(_ measurements: [TestMeasurement], of test: TestID) {
    let figures = MeasuredFigure.all(of: measurements)
    if !figures.isEmpty, measured[test] == nil { measured[test] = figures }
  }
}

extension Circumstance {
  /// What chooses tests, repeats them or counts lines, and changes nothing about how a test ends.
  private static let apartFromResults: Set = [
    "tests.filter", "tests.skip", "tests.retries", "tests.isolation", "coverage.exclude",
  ]

  /// Returns what the end of a test or a measured figure may depend on, such as the time that a test may take; nil if
  /// nothing was recorded, as in documents older than circumstances.
  fileprivate static func ofResults(
    configuration: String, sandbox: String, _ others: [Circumstance]
  ) -> [Circumstance]? {
    guard !others.isEmpty else { return nil }
    return [Circumstance("configuration", configuration), Circumstance("sandbox", sandbox)]
      + others.filter { !apartFromResults.contains($0.name) }
      // Only the value matters, not who decided it.
      .map { Circumstance($0.name, $0.value) }
  }
}

extension IntegrationRecord.Case {
  /// The seconds of the attempt that it is told by: of a flaky test the one that passed, which is not the first.
  fileprivate var timeOfEnd: Double {
    let attempt = flaky == true ? attempts?.last { $0.state == state }?.time : nil
    return attempt ?? ownTime ?? duration
  }
}

extension TestVerdicts.Verdict {
  fileprivate init(state: TestState, seconds: Double, isFlaky: Bool, isQuit: Bool) {
    let microseconds = seconds.isFinite ? min(max(seconds * 1_000_000, 0), 1e15) : 0
    self.init(state: state, duration: microseconds.rounded() / 1000, isFlaky: isFlaky, isQuit: isQuit)
  }
}
