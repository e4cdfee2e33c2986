package import Model

extension Rhythm {
  /// Determines the rhythm from the tests of an integration and of the previous one on the same branch.
  ///
  /// Nil if either of them says nothing about the code, or if no change relevant to the rhythm was made.
  /// - Parameters:
  ///   - flaky: the tests that are known to fail by chance.
  ///   - isGateFailed: whether it would be red without a red test.
  ///   - deleted: the tests of the previous one that were red and are deleted.
  ///   - isUnmended: whether its red tests passed again or were marked as known issues, and none was fixed.
  ///   - outcomes: how each required destination ended by itself, in the previous one and in this one.
  ///   - sourcesChanged: whether any file differs.
  ///   - isUndone: whether the files are the same as two integrations ago.
  package init?(
    from before: Baseline, to outcome: Outcome, _ tests: [TestResult], flaky: Set<TestID> = [],
    isGateFailed: Bool = false, deleted: [TestID] = [], isUnmended: Bool = false,
    outcomes: (before: [String: Outcome], now: [String: Outcome]) = ([:], [:]), sourcesChanged: Bool, isUndone: Bool
  ) {
    guard let old = Colour(before.wholeOutcome), let new = Colour(outcome) else { return nil }
    // A destination that came or went changed the colour, and no commit did.
    if old == .red, new == .green, Self.isRedApart(outcomes.before, from: outcomes.now) { return nil }
    if old == .green, new == .red, Self.isRedApart(outcomes.now, from: outcomes.before) { return nil }
    let added = tests.filter { before.states[$0.id] == nil }
    switch (old, new) {
    case (.red, .green) where isUnmended && deleted.isEmpty && !isUndone: return nil
    case (.red, .green) where isUndone && Self.passedByChance(tests, before): return nil
    case (.red, .green): self = isUndone ? .sabotage : deleted.isEmpty ? .madePass : .redDeleted
    case (.red, .red):
      let isKept = tests.contains { $0.state.isRed && before.states[$0.id]?.isRed == true }
      let broken = tests.contains {
        $0.state.isRed && before.states[$0.id]?.isGood == true && !flaky.contains($0.id)
      }
      let wasTests = before.states.values.contains(where: \.isRed)
      self =
        isKept || !wasTests ? .stillRed : !deleted.isEmpty ? .redDeleted : broken ? .broke : .stillRed
    case (.green, .red):
      let red = tests.filter(\.state.isRed)
      if !isGateFailed, !red.isEmpty, red.allSatisfy({ flaky.contains($0.id) }) { return nil }
      // A test that hangs or crashes was hardly written to be red.
      let isFirst = !red.isEmpty && red.allSatisfy { $0.state == .failed && before.states[$0.id] == nil }
      self = isFirst ? .redFirst : .broke
    case (.green, .green):
      if added.contains(where: \.isGreenAtOnce) {
        self = .bornGreen
      } else if sourcesChanged, !added.contains(where: \.isFlaky) {
        self = .refactored
      } else {
        return nil
      }
    }
  }

  /// Whether the tests that were red passed again only after they had failed once more: that did not come of any change.
  private static func passedByChance(_ tests: [TestResult], _ before: Baseline) -> Bool {
    let passed = tests.filter { before.states[$0.id]?.isRed == true && $0.state == .passed }
    return !passed.isEmpty && passed.allSatisfy(\.isFlaky)
  }

  /// Whether all destinations that are red in one integration are missing in the other.
  private static func isRedApart(_ outcomes: [String: Outcome], from others: [String: Outcome]) -> Bool {
    let red = outcomes.filter { Colour($0.value) == .red }.keys
    return !red.isEmpty && red.allSatisfy { others[$0] == nil }
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

extension TestResult {
  /// Whether it passed without having failed before on the same commit.
  var isGreenAtOnce: Bool { state == .passed && !isFlaky }
}
