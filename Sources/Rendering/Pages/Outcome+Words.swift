import Model

extension Outcome {
  /// Returns the word for the outcome on pages, capitalised.
  ///
  /// - Parameter isFailedGate: whether only gates made it red.
  func word(isFailedGate: Bool) -> String {
    switch self {
    case _ where isFailedGate: "Gate failed"
    case .internalError: "Internal error"
    case .canceled: "Canceled"
    case .checkoutError: "Checkout error"
    case .triggerError: "Trigger error"
    case .buildErrors: "Build errors"
    case .testFailures: "Test failures"
    case .incomplete: "Incomplete"
    case .analyzerWarnings: "Analyzer warnings"
    case .warnings: "Warnings"
    case .succeeded: "Succeeded"
    }
  }

  /// Returns the word for use in mid-sentence.
  func lowercasedWord(isFailedGate: Bool) -> String {
    let word = word(isFailedGate: isFailedGate)
    return word.prefix(1).lowercased() + word.dropFirst()
  }

  /// Returns the word for use after a number of integrations.
  func countedWord(isFailedGate: Bool) -> String {
    switch self {
    case _ where isFailedGate: "with a failed gate"
    case .internalError: "with an internal error"
    case .checkoutError, .triggerError: "with a \(lowercasedWord(isFailedGate: false))"
    case .buildErrors, .testFailures, .analyzerWarnings, .warnings: "with \(lowercasedWord(isFailedGate: false))"
    case .canceled, .incomplete, .succeeded: lowercasedWord(isFailedGate: false)
    }
  }

  /// A colour shared by pages and mails.
  enum Tone {
    case green, amber, red, grey
  }

  /// The colour of the glyph.
  var tone: Tone {
    switch self {
    case .internalError, .checkoutError, .triggerError, .testFailures, .buildErrors: .red
    case .incomplete, .analyzerWarnings, .warnings: .amber
    case .canceled: .grey
    case .succeeded: .green
    }
  }

  var glyph: String {
    switch self {
    case .internalError, .checkoutError, .triggerError, .testFailures: "failed"
    case .buildErrors: "build-errors"
    case .canceled: "canceled"
    case .incomplete: "incomplete"
    case .analyzerWarnings, .warnings: "warning"
    case .succeeded: "passed"
    }
  }
}

extension HistoryLine {
  var outcomeWord: String { outcome.word(isFailedGate: isFailedGate) }

  /// The word for the outcome in mid-sentence.
  package var lowercasedOutcome: String { outcome.lowercasedWord(isFailedGate: isFailedGate) }
}

extension IntegrationRecord {
  var outcomeWord: String { outcome.word(isFailedGate: isFailedGate) }
}

extension Issue.Kind {
  var plural: String { self == .crash ? "crashes" : "\(word)s" }

  /// The word in the glossary.
  var word: String {
    rawValue.split(separator: "-").joined(separator: " ").replacingTimeOut
  }

  var glyph: String {
    switch self {
    case .error, .linkerError: "build-errors"
    case .warning, .analyzerWarning: "warning"
    case .testFailure, .sanitizer, .gate, .triggerError: "failed"
    case .crash: "crashed"
    case .timeOut: "timed-out"
    case .serviceError, .serviceWarning: "service"
    }
  }
}

extension String {
  fileprivate var replacingTimeOut: String { self == "time out" ? "time-out" : self }
}

extension Step {
  /// The word for the step on pages, capitalised.
  var word: String {
    let words = rawValue.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension Cause {
  /// The cause of the integration, as a phrase.
  var phrase: String {
    switch self {
    case .commit: "started by a commit"
    case .schedule: "started by the schedule"
    case .person: "started by a person"
    case .toolchain: "started by a new toolchain"
    case .rerun: "a rerun"
    case .idle: "in idle time"
    }
  }
}
