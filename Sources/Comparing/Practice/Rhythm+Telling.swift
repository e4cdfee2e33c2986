package import Model

extension Rhythm {
  /// Determines the rhythm from the tests of an integration and of the previous one on the same branch.
  ///
  /// Nil if either of them says nothing about the code, or if no change relevant to the rhythm was made.
  /// - Parameters:
  ///   - sourcesChanged: whether any file differs.
  ///   - isUndone: whether the files are the same as two integrations ago.
  package init?(
    from before: Baseline, to outcome: Outcome, states: [TestID: TestState], sourcesChanged: Bool, isUndone: Bool
  ) {
    guard let old = Colour(before.outcome), let new = Colour(outcome) else { return nil }
    let added = states.filter { before.states[$0.key] == nil }
    switch (old, new) {
    case (.red, .green): self = isUndone ? .sabotage : .madePass
    case (.red, .red): self = .stillRed
    case (.green, .red):
      let broken = states.contains { $0.value.isRed && before.states[$0.key] != nil }
      self = !broken && added.contains { $0.value.isRed } ? .redFirst : .broke
    case (.green, .green):
      if added.contains(where: { $0.value == .passed }) {
        self = .bornGreen
      } else if sourcesChanged {
        self = .refactored
      } else {
        return nil
      }
    }
  }

  /// The colour of an outcome, as far as the rhythm is concerned.
  private enum Colour {
    case red, green

    init?(_ outcome: Outcome) {
      switch outcome {
      case .succeeded, .warnings, .analyzerWarnings: self = .green
      case .testFailures, .buildErrors: self = .red
      case .incomplete, .canceled, .checkoutError, .triggerError, .internalError: return nil
      }
    }
  }
}
