/// How an integration ended, as a value; the order of the cases is the order in which the rules are tried.
package enum Outcome: String, Codable, CaseIterable, Sendable {
  case internalError = "internal-error"
  case canceled
  case checkoutError = "checkout-error"
  case triggerError = "trigger-error"
  case buildErrors = "build-errors"
  case testFailures = "test-failures"
  case incomplete
  case analyzerWarnings = "analyzer-warnings"
  case warnings
  case succeeded

  /// The exit status of `martlet run` for an integration that ended so.
  package var exitCode: Int32 {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings: 0
    case .testFailures, .buildErrors, .incomplete, .triggerError: 1
    case .checkoutError, .internalError: 3
    case .canceled: 130
    }
  }

  /// Whether nothing was wrong that would make an integration red.
  package var isGreen: Bool {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings: true
    case .internalError, .canceled, .checkoutError, .triggerError, .buildErrors, .testFailures, .incomplete: false
    }
  }

  /// Whether the outcome says something about the code, so that a later integration can be compared with it.
  package var isConclusive: Bool {
    switch self {
    case .internalError, .canceled, .checkoutError, .triggerError: false
    case .buildErrors, .testFailures, .incomplete, .analyzerWarnings, .warnings, .succeeded: true
    }
  }
}

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

extension IntegrationRecord {
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
