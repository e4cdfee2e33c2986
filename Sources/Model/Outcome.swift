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
