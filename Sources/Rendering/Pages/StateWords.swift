import Model

extension TestState {
  /// The word that pages use, capitalised.
  var word: String {
    switch self {
    case .crashed: "Crashed"
    case .timedOut: "Timed out"
    case .canceled: "Canceled"
    case .failed: "Failed"
    case .expectedFailure: "Known issue"
    case .skipped: "Skipped"
    case .passed: "Passed"
    case .notRun: "Not run"
    }
  }

  /// The name of the glyph in the sprite, which is also the name of its colour.
  var glyph: String {
    switch self {
    case .crashed: "crashed"
    case .timedOut: "timed-out"
    case .canceled: "canceled"
    case .failed: "failed"
    case .expectedFailure: "known"
    case .skipped: "skipped"
    case .passed: "passed"
    case .notRun: "not-run"
    }
  }

  /// What stands first on a page: red, then what is unsettled, then what passed.
  var rank: Int {
    switch self {
    case .crashed: 0
    case .timedOut: 1
    case .failed: 2
    case .canceled: 3
    case .notRun: 4
    case .expectedFailure: 5
    case .skipped: 6
    case .passed: 7
    }
  }
}

extension TestResult {
  var stateWord: String { isFlaky ? "\(state.word), flaky" : state.word }

  var glyph: String { isFlaky && state == .passed ? "flaky" : state.glyph }

  /// The name that a page calls the test by, cut when it is very long.
  var title: String {
    let name = displayName ?? id.name
    return name.count > 300 ? String(name.prefix(280)) + " …" : name
  }
}

extension Outcome {
  /// The word that pages use, capitalised.
  var word: String {
    switch self {
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

extension Issue.Kind {
  /// The glossary's word.
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
  /// The word that pages use, capitalised.
  var word: String {
    let words = rawValue.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension Cause {
  /// What started the integration, as a phrase.
  var phrase: String {
    switch self {
    case .commit: "started by a commit"
    case .schedule: "started by the schedule"
    case .person: "started by a person"
    case .toolchain: "started by a new toolchain"
    case .rerun: "a rerun"
    }
  }
}
