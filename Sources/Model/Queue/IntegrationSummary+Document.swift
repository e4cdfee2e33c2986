extension IntegrationSummary {
  /// The figures that a summary document holds.
  package init(of document: IntegrationDocument) {
    self.init(
      outcome: document.outcome, reason: document.reasons.first, onlyGatesFailed: document.isFailedGate,
      endedAt: document.endedAt, tests: document.tests.counts,
      coverage: document.coverage.totals, isCoverageComplete: document.coverage.complete,
      warnings: document.issues.count { $0.kind == .warning && $0.status != .resolved })
  }
}
