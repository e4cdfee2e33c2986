/// How every listed test of one integration ended, in as few words as its history needs.
package struct TestVerdicts: Hashable, Sendable {
  /// How one test ended.
  package struct Verdict: Hashable, Sendable {
    package var state: TestState
    /// Milliseconds.
    package var duration: Int
    package var isFlaky: Bool

    package init(state: TestState, duration: Int, isFlaky: Bool) {
      self.state = state
      self.duration = duration
      self.isFlaky = isFlaky
    }
  }

  package var number: Int
  package var commit: CommitID
  package var branch: String?
  package var toolchain: String
  package var verdicts: [TestID: Verdict]

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
  package init(_ integration: Integration) {
    self.init(
      number: integration.number, commit: integration.commit.id, branch: integration.branch,
      toolchain: integration.toolchain,
      verdicts: Dictionary(
        integration.tests.results.map { ($0.id, Verdict($0)) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The verdicts of an integration of which only the summary document is left.
  package init(_ document: IntegrationDocument) {
    let verdicts = document.tests.cases.map { test in
      (test.id, Verdict(state: test.state, seconds: test.duration, isFlaky: test.flaky == true))
    }
    self.init(
      number: document.number, commit: document.commit.id, branch: document.branch, toolchain: document.toolchain,
      verdicts: Dictionary(verdicts, uniquingKeysWith: { first, _ in first }))
  }
}

extension TestVerdicts.Verdict {
  fileprivate init(_ result: TestResult) {
    self.init(state: result.state, seconds: result.duration, isFlaky: result.isFlaky)
  }

  fileprivate init(state: TestState, seconds: Double, isFlaky: Bool) {
    let milliseconds = seconds.isFinite ? min(max(seconds * 1000, 0), 1e12) : 0
    self.init(state: state, duration: Int(milliseconds.rounded()), isFlaky: isFlaky)
  }
}
