package import Model

extension Rhythm {
  /// Determines the rhythm from the tests of an integration and of the previous one on the same branch.
  ///
  /// Nil if either of them says nothing about the code, or if no change relevant to the rhythm was made.
  /// - Parameters:
  ///   - flaky: the tests that are known to fail by chance.
  ///   - isGateFailed: whether it would be red without a red test.
  ///   - onlyGates: whether nothing but gates made the previous one red, and this one.
  ///   - deleted: the tests of the previous one that were red and are deleted.
  ///   - isUnmended: whether its red tests passed again or were marked as known issues, and none was fixed.
  ///   - outcomes: how each required destination ended by itself, in the previous one and in this one.
  ///   - sourcesChanged: whether any file differs.
  ///   - isUndone: whether the files are the same as two integrations ago.
  package init?(
    from before: Baseline, to outcome: Outcome, _ tests: [TestResult], flaky: Set<TestID> = [],
    isGateFailed: Bool = false, onlyGates: (before: Bool, now: Bool) = (false, false), deleted: [TestID] = [],
    isUnmended: Bool = false,
    outcomes: (before: [String: Outcome], now: [String: Outcome]) = ([:], [:]), sourcesChanged: Bool, isUndone: Bool
  ) {
    guard let old = Colour(before.wholeOutcome), let new = Colour(outcome) else { return nil }
    // A destination that came or went changed the colour, and no commit did.
    let isRed = { (outcome: Outcome) in Colour(outcome) == .red }
    if old == .red, new == .green, Self.isApart(outcomes.before, from: outcomes.now, where: isRed) { return nil }
    if old == .green, new == .red, Self.isApart(outcomes.now, from: outcomes.before, where: isRed) { return nil }
    let ids = Set(tests.map(\.id))
    let added = tests.filter { before.states[$0.id] == nil }
    let passed = tests.filter { before.states[$0.id]?.isRed == true && $0.state == .passed }
    let isBornGreen = added.contains(where: \.isGreenAtOnce)
    switch (old, new) {
    // No test was red that another one, green at once, could have been written for.
    case (.red, .green) where onlyGates.before && isBornGreen && deleted.isEmpty: self = .bornGreen
    case (.green, .red) where onlyGates.now && isBornGreen: self = .bornGreen
    // That it builds again came of a change, whatever its tests did before.
    case (.red, .green) where before.wholeOutcome == .buildErrors && deleted.isEmpty: self = .madePass
    case (.red, .green) where isUnmended && deleted.isEmpty: return nil
    // What passed only after it had failed once more did not come of any change.
    case (.red, .green) where isUndone && !passed.isEmpty && passed.allSatisfy(\.isFlaky): return nil
    case (.red, .green):
      // Only a test that was red caught what is undone; a gate, or a test that is deleted, did not.
      self = isUndone && !passed.isEmpty ? .sabotage : deleted.isEmpty ? .madePass : .redDeleted
    case (.red, .red) where outcome == .buildErrors && before.wholeOutcome != .buildErrors:
      self = Self.isApart(outcomes.now, from: outcomes.before) { $0 == .buildErrors } ? .stillRed : .broke
    case (.red, .red): self = Self.red(after: before, tests, flaky: flaky, deleted: deleted)
    case (.green, .red):
      let red = tests.filter(\.state.isRed)
      if !isGateFailed, !red.isEmpty, red.allSatisfy({ flaky.contains($0.id) }) { return nil }
      // A test that hangs or crashes was hardly written to be red.
      let isFirst = !red.isEmpty && red.allSatisfy { $0.state == .failed && before.states[$0.id] == nil }
      self = isFirst ? .redFirst : .broke
    case (.green, .green):
      if isBornGreen {
        self = .bornGreen
      } else if sourcesChanged, !added.contains(where: \.isFlaky), before.states.keys.allSatisfy(ids.contains) {
        self = .refactored
      } else {
        return nil
      }
    }
  }

  /// The rhythm of what is red as before, or for something else.
  private static func red(
    after before: Baseline, _ tests: [TestResult], flaky: Set<TestID>, deleted: [TestID]
  ) -> Rhythm {
    let red = tests.filter(\.state.isRed)
    let isKept = red.contains { before.states[$0.id]?.isRed == true }
    if isKept || !before.states.values.contains(where: \.isRed) { return .stillRed }
    if !deleted.isEmpty { return .redDeleted }
    let isBroken = red.contains { before.states[$0.id]?.isGood == true && !flaky.contains($0.id) }
    return isBroken ? .broke : .stillRed
  }

  /// Whether all destinations that ended so in one integration are missing in the other.
  private static func isApart(
    _ outcomes: [String: Outcome], from others: [String: Outcome], where isSo: (Outcome) -> Bool
  ) -> Bool {
    let found = outcomes.filter { isSo($0.value) }.keys
    return !found.isEmpty && found.allSatisfy { others[$0] == nil }
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
