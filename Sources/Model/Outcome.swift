/// How an integration ended; the order of the cases is the order in which the rules are tried.
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

  /// The exit status of `martlet run` for an integration with this outcome.
  package var exitCode: Int32 {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings: 0
    case .testFailures, .buildErrors, .incomplete, .triggerError: 1
    case .checkoutError, .internalError: 3
    case .canceled: 130
    }
  }

  /// Whether nothing happened that would make an integration red.
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

  /// Whether it says that everything was compiled.
  package var isBuilt: Bool { isConclusive && self != .buildErrors }
}

extension Outcome {
  /// Returns whether only gates made an integration red.
  ///
  /// - Parameter onlyGatesFailed: the verdict's value, which is meaningful only for `testFailures`.
  func isFailedGate(_ onlyGatesFailed: Bool) -> Bool { self == .testFailures && onlyGatesFailed }

  /// Returns whether nothing but flaky tests kept an integration from succeeding, whatever else is said of it.
  ///
  /// - Parameter codes: the codes of its reasons; nil if they are unknown.
  func isOnlyFlaky(_ codes: [OutcomeReason.Code]?) -> Bool {
    guard self == .warnings, let codes else { return false }
    return codes.contains(where: \.isOfFlakyTests) && codes.allSatisfy(\.isRemark)
  }

  /// Returns the outcome as shown in terminals and notes: the documents' own word, except if only a gate failed, so
  /// that people do not look for a red test.
  package func told(isFailedGate: Bool) -> String { isFailedGate ? "gate failed" : rawValue }
}

extension Integration {
  /// Whether only gates made the integration red.
  package var isFailedGate: Bool { outcome.isFailedGate(onlyGatesFailed) }

  /// The outcome as shown in a terminal or a note.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension IntegrationRecord {
  /// Whether only gates made the integration red.
  package var isFailedGate: Bool {
    onlyGatesFailed.map(outcome.isFailedGate) ?? outcome.wasFailedGate(redTests: tests.counts.red, reasons: reasons)
  }

  /// Whether nothing but flaky tests kept the integration from succeeding.
  package var isOnlyFlaky: Bool { outcome.isOnlyFlaky(reasonCodes) }

  /// The outcome as shown in a terminal.
  package var toldOutcome: String { outcome.told(isFailedGate: isFailedGate) }
}

extension HistoryLine {
  /// Whether only gates made the integration red.
  package var isFailedGate: Bool {
    onlyGatesFailed.map(outcome.isFailedGate) ?? outcome.wasFailedGate(redTests: tests.red, reasons: reasons)
  }

  /// Whether nothing but flaky tests kept the integration from succeeding.
  package var isOnlyFlaky: Bool { outcome.isOnlyFlaky(reasonCodes) }
}

extension IntegrationSummary {
  /// The outcome as shown in a terminal.
  package var toldOutcome: String { outcome.told(isFailedGate: outcome.isFailedGate(onlyGatesFailed)) }
}

extension IntegrationComparison.Side {
  /// Whether only gates made the integration red.
  package var isFailedGate: Bool { outcome.isFailedGate(onlyGatesFailed) }
}
