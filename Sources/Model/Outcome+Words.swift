extension Outcome {
  /// Whether it is what a gate made of tests of which none is red; a failure outside of the tests makes the same outcome.
  ///
  /// - Parameters:
  ///   - redTests: nil where they were not counted.
  ///   - reasons: the integration's, as far as they are known.
  package func isFailedGate(redTests: Int?, reasons: [String]) -> Bool {
    self == .testFailures && redTests == 0 && reasons.contains(where: GateResult.isMessage)
  }

  /// The word that terminals and notes use: the documents' own, except that nobody shall look for a red test where only
  /// a gate failed.
  package func told(isFailedGate: Bool) -> String { isFailedGate ? "gate failed" : rawValue }
}

extension Integration {
  /// Whether a gate failed, and no test is red.
  package var isFailedGate: Bool { outcome.isFailedGate(redTests: tests.counts.red, reasons: reasons) }

  /// How it ended, for a terminal or a note.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension IntegrationDocument {
  /// Whether a gate failed, and no test is red.
  package var isFailedGate: Bool { outcome.isFailedGate(redTests: tests.counts.red, reasons: reasons) }

  /// How the integration ended, for a terminal.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension HistoryLine {
  /// Whether a gate failed, and no test is red.
  package var isFailedGate: Bool { outcome.isFailedGate(redTests: tests.red, reasons: reasons) }
}

extension IntegrationSummary {
  /// How the integration ended, for a terminal.
  package var toldOutcome: String {
    outcome.told(isFailedGate: outcome.isFailedGate(redTests: tests.red, reasons: reason.map { [$0] } ?? []))
  }
}

extension IntegrationComparison {
  /// Whether a gate failed, and no test is red, in each of the two.
  package var isFailedGate: (before: Bool, after: Bool) {
    let red = count(.red)
    return (
      before.outcome.isFailedGate(redTests: red?.before, reasons: before.reasons),
      after.outcome.isFailedGate(redTests: red?.after, reasons: after.reasons)
    )
  }
}
