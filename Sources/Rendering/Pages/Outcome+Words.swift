import Model

extension Outcome {
  /// Returns the word for the outcome on pages, capitalised.
  ///
  /// - Parameters:
  ///   - isFailedGate: whether only gates made it red.
  ///   - isOnlyFlaky: whether only flaky tests kept it from being green.
  func word(isFailedGate: Bool, isOnlyFlaky: Bool = false) -> String {
    switch self {
    case _ where isFailedGate: "Gate failed"
    case _ where isOnlyFlaky: "Flaky"
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
  func lowercasedWord(isFailedGate: Bool, isOnlyFlaky: Bool = false) -> String {
    word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky).lowercasedFirst
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

  /// Returns the glyph of an integration: of what its red or its flaky tests have in common, if nothing else led to the
  /// outcome.
  fileprivate func glyph(_ redState: TestState?, isOnlyFlaky: Bool) -> String {
    redState?.glyph ?? (isOnlyFlaky ? "flaky" : glyph)
  }
}

extension Integration {
  var glyph: String { outcome.glyph(redState, isOnlyFlaky: isOnlyFlaky) }
}

extension HistoryLine {
  var glyph: String { outcome.glyph(redState, isOnlyFlaky: isOnlyFlaky) }
}

extension IntegrationComparison.Side {
  var glyph: String { outcome.glyph(redState, isOnlyFlaky: isOnlyFlaky) }
}

extension Outcome {
  /// Returns the word for the outcome, or for how red tests ended that did not just fail, such as `Crash and test failures`.
  fileprivate func word(isFailedGate: Bool, isOnlyFlaky: Bool, _ culprits: [HistoryLine.Culprits]?) -> String {
    badEnds(of: isFailedGate ? nil : culprits) ?? word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky)
  }

  private func badEnds(of culprits: [HistoryLine.Culprits]?) -> String? {
    guard self == .testFailures, let culprits else { return nil }
    let kinds = Issue.Kind.redWorstFirst.compactMap { kind -> (kind: Issue.Kind, count: Int)? in
      let alike = culprits.filter { $0.kind.issueKind == kind }
      return alike.isEmpty ? nil : (kind: kind, count: alike.reduce(0) { $0 + $1.count })
    }
    guard kinds.contains(where: { $0.kind != .testFailure }) else { return nil }
    return CountText.list(kinds.map { $0.count == 1 ? $0.kind.noun : $0.kind.plural }).capitalizedFirst
  }
}

extension IntegrationComparison.Side {
  /// The word for the outcome, or for how red tests ended that did not just fail.
  var outcomeWord: String { outcome.word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky, culprits) }
}

extension HistoryLine {
  /// The word for the outcome, or for how red tests ended that did not just fail.
  var outcomeWord: String { outcome.word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky, culprits) }

  private var ownOutcomeWord: String { outcome.word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky) }

  /// The kinds of what makes it red, as far as its line tells them.
  var redKinds: Set<Issue.Kind> {
    let gates: [Issue.Kind] = reasonCodes?.contains { $0.gate != nil } == true ? [.gate] : []
    return Set((culprits ?? []).compactMap(\.kind.issueKind) + gates)
  }

  /// The word for the outcome in mid-sentence.
  package var lowercasedOutcome: String { outcomeWord.lowercasedFirst }

  /// The word for the outcome after a number of integrations.
  var countedOutcome: String {
    switch outcome {
    case _ where isFailedGate: "with only a failed gate"
    case .internalError: "with an internal error"
    case .checkoutError, .triggerError: "with a \(lowercasedOutcome)"
    case .buildErrors, .testFailures, .analyzerWarnings, .warnings:
      isOnlyFlaky ? lowercasedOutcome : "with \(ownOutcomeWord.lowercasedFirst)"
    case .canceled, .incomplete, .succeeded: lowercasedOutcome
    }
  }
}

extension HistoryLine.Culprits.Kind {
  /// The kind of the issues of such tests; nil for what makes no test red.
  fileprivate var issueKind: Issue.Kind? {
    switch self {
    case .failed: .testFailure
    case .crashed: .crash
    case .timedOut: .timeOut
    case .error, .flaky: nil
    }
  }
}

extension IntegrationRecord {
  var outcomeWord: String { outcome.word(isFailedGate: isFailedGate, isOnlyFlaky: isOnlyFlaky) }

  /// The same above what made it red, such as `Crash and test failures, failed gate`, or where each kind is in
  /// destinations of its own, `Test failure in release, sanitizer report in thread`.
  ///
  /// - Parameter red: the issues that made it red.
  func outcomeWord(naming red: [FlatIssue]) -> String {
    let found = red.filter { $0.kind != .gate }
    let kinds = Issue.Kind.redWorstFirst.compactMap { kind -> (word: String, places: [String])? in
      let alike = found.filter { $0.kind == kind }
      return alike.isEmpty ? nil : (alike.count == 1 ? kind.noun : kind.plural, destinations(having: alike))
    }
    guard outcome == .testFailures, !kinds.isEmpty else {
      return outcomeWord + Self.place(destinations(having: found))
    }
    let words =
      Set(kinds.map(\.places)).count == 1
      ? CountText.list(kinds.map(\.word)) + Self.place(kinds[0].places)
      : inOrderOfDestinations(kinds).map { $0.word + Self.place($0.places) }.joined(separator: ", ")
    // Gates judge all destinations together.
    let (gates, gate) = (red.count - found.count, Issue.Kind.gate)
    return words.capitalizedFirst + (gates > 0 ? ", \(gates == 1 ? gate.noun : gate.plural)" : "")
  }

  /// Returns kinds by the first destination that has each, last those that all have, whose places are not named.
  private func inOrderOfDestinations(_ kinds: [(word: String, places: [String])]) -> [(word: String, places: [String])]
  {
    let names = ([self] + (cells ?? [])).compactMap(\.destination?.name)
    let ranks = kinds.map { kind in kind.places.first.flatMap { names.firstIndex(of: $0) } ?? names.count }
    return kinds.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { kinds[$0] }
  }

  private static func place(_ names: [String]) -> String {
    names.isEmpty ? "" : " in \(names.count > 2 ? "\(names.count) destinations" : CountText.list(names))"
  }

  /// Returns the required destinations that have some of these issues; empty if all have.
  private func destinations(having issues: [FlatIssue]) -> [String] {
    let places = issues.map { issue in ([issue] + (issue.elsewhere ?? [])).flatMap { $0.destinations ?? [] } }
    // What all have names none.
    guard places.allSatisfy({ !$0.isEmpty }) else { return [] }
    let having = Set(places.joined())
    let required = ([self] + (cells ?? [])).compactMap(\.destination).filter(\.required).map(\.name)
    let some = required.filter(having.contains)
    return some.count < required.count ? some : []
  }
}

extension Issue {
  /// Whether it is the failure of a test that passed in the end, which has a row on the first screen.
  var isOfFlaky: Bool { status.isOpen && kind == .testFailure && passedOnRetry }

  /// The word in the glossary; a test that passed in the end did not just fail.
  var word: String { isOfFlaky ? "flaky test" : kind.word }

  /// The word to stand beside its message in lists; nil where its symbol and its message, or the name of its gate, say it.
  var tag: String? { kind.isOfRedTest || [.quit, .sanitizer, .gate].contains(kind) ? nil : word }

  var glyph: String { isOfFlaky ? "flaky" : kind.glyph }

  /// Returns the name of the colour of its sign: grey for what does not count.
  func style(_ glyph: String) -> String { status == .silenced ? "silenced" : glyph }
}

extension Issue.Kind {
  /// The kinds that make tests red.
  fileprivate static let redWorstFirst: [Self] = [.crash, .timeOut, .sanitizer, .testFailure]

  /// The word for one of them, after a number.
  var noun: String {
    switch self {
    case .sanitizer: "sanitizer report"
    case .quit: "process quit"
    case .gate: "failed gate"
    default: word
    }
  }

  var plural: String { self == .crash ? "crashes" : self == .quit ? "processes quit" : "\(noun)s" }

  /// Returns a number of such issues that are open.
  func counted(_ count: Int) -> String { CountText.counted(count, noun, plural) }

  /// Returns a number of such gates or tests that were so before.
  func countedAgain(_ count: Int) -> String {
    "\(self == .gate ? "\(CountText.counted(count, "gate")) failed" : counted(count)) again"
  }

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
    case .quit: TestResult.quitGlyph
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
    // What it came to is stored, but not shown yet.
    if self == .completed { return "Writing pages" }
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
