extension Outcome {
  /// Whether nothing but gates made an integration red.
  ///
  /// - Parameter onlyGatesFailed: as the verdict has it; it says something of no outcome but `testFailures`.
  func isFailedGate(_ onlyGatesFailed: Bool) -> Bool { self == .testFailures && onlyGatesFailed }

  /// The word that terminals and notes use: the documents' own, except that nobody shall look for a red test where only
  /// a gate failed.
  package func told(isFailedGate: Bool) -> String { isFailedGate ? "gate failed" : rawValue }
}

extension Integration {
  /// Whether nothing but gates made it red.
  package var isFailedGate: Bool { outcome.isFailedGate(onlyGatesFailed) }

  /// How it ended, for a terminal or a note.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension IntegrationDocument {
  /// Whether nothing but gates made the integration red.
  package var isFailedGate: Bool {
    onlyGatesFailed.map(outcome.isFailedGate) ?? outcome.wasFailedGate(redTests: tests.counts.red, reasons: reasons)
  }

  /// How the integration ended, for a terminal.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension HistoryLine {
  /// Whether nothing but gates made the integration red.
  package var isFailedGate: Bool {
    onlyGatesFailed.map(outcome.isFailedGate) ?? outcome.wasFailedGate(redTests: tests.red, reasons: reasons)
  }
}

extension IntegrationSummary {
  /// How the integration ended, for a terminal.
  package var toldOutcome: String { outcome.told(isFailedGate: outcome.isFailedGate(onlyGatesFailed)) }
}

extension IntegrationComparison.Side {
  /// Whether nothing but gates made the integration red.
  package var isFailedGate: Bool { outcome.isFailedGate(onlyGatesFailed) }
}
