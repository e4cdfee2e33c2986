extension IntegrationSummary {
  /// The figures that a summary document holds.
  /// - Parameter bytes: what the integration's files take on the disk.
  package init(of document: IntegrationDocument, bytes: Int = 0) {
    self.init(
      outcome: document.outcome, reason: document.reasons.first, onlyGatesFailed: document.isFailedGate,
      endedAt: document.endedAt, tests: document.tests.counts,
      coverage: document.coverage.totals, isCoverageComplete: document.coverage.complete,
      warnings: document.warnings ?? document.issues.count(where: \.isCompilerWarning), bytes: bytes)
  }
}
