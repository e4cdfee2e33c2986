/// An earlier integration, as far as it is still known.
package struct PastIntegration: Hashable, Sendable {
  package var number: Int
  package var commit: CommitID
  package var outcome: Outcome
  /// Nil if the tests were not reached, or if nothing of the integration is kept any longer.
  package var verdicts: TestVerdicts?

  package init(number: Int, commit: CommitID, outcome: Outcome, verdicts: TestVerdicts?) {
    self.number = number
    self.commit = commit
    self.outcome = outcome
    self.verdicts = verdicts
  }
}
