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
}

extension TestVerdicts.Verdict {
  fileprivate init(_ result: TestResult) {
    let milliseconds = result.duration.isFinite ? min(max(result.duration * 1000, 0), 1e12) : 0
    self.init(state: result.state, duration: Int(milliseconds.rounded()), isFlaky: result.isFlaky)
  }
}
