package import Model

/// Judges the conditions on coverage that a bot or a person set.
///
/// What cannot be judged because something went wrong fails; what cannot be judged because there is nothing earlier to
/// compare with does not.
package enum GateJudgement {
  /// How many places a sentence names before it counts the lines that are left.
  private static let mostPlaces = 10

  /// Returns a result for each condition, in their order.
  ///
  /// - Parameters:
  ///   - changes: nil when the coverage was not compared at all.
  ///   - hasEarlier: whether there is an earlier integration with complete coverage.
  package static func results(
    of gates: [CoverageGate], coverage: CoverageReport, changes: CoverageChanges?, hasEarlier: Bool
  ) -> [GateResult] {
    gates.map { gate in
      let judgement = judge(gate, coverage, changes, hasEarlier: hasEarlier)
      return GateResult(
        rule: gate.rule, state: judgement.state, sentence: judgement.sentence, location: judgement.lines.first)
    }
  }

  private struct Judgement {
    var state: GateResult.State
    var sentence: String
    var lines: [SourceLocation] = []
  }

  private static func judge(
    _ gate: CoverageGate, _ report: CoverageReport, _ changes: CoverageChanges?, hasEarlier: Bool
  ) -> Judgement {
    switch report {
    case .unavailable(let reason):
      return Judgement(state: .failed, sentence: "There is no coverage to judge by. \(reason)")
    case .available(let coverage):
      if !coverage.isComplete {
        return Judgement(
          state: .failed, sentence: "The coverage is incomplete. \(coverage.reason ?? "A process left no counters.")")
      }
      guard let changes else {
        return Judgement(state: .failed, sentence: "What changed in the coverage was not found out.")
      }
      switch gate {
      case .patchFullyCovered: return patch(changes.patch, atLeast: nil)
      case .patch(let share): return patch(changes.patch, atLeast: share)
      case .noLostCoverage: return lost(changes.comparison, hasEarlier: hasEarlier)
      case .ratchet: return ratchet(changes.comparison, now: coverage.totals.lines, hasEarlier: hasEarlier)
      }
    }
  }

  private static func patch(_ answer: Answer<PatchCoverage>, atLeast share: Double?) -> Judgement {
    guard case .known(let patch) = answer else { return unknown(answer.reason) }
    let tally = patch.tally
    if tally.total == 0 { return Judgement(state: .passed, sentence: "No changed line holds code.") }
    let lines = patch.neverRan
    let isEnough =
      share.map { Double(tally.covered) * 100 >= $0 * Double(tally.total) } ?? (tally.uncovered == 0)
    if isEnough {
      return Judgement(
        state: .passed, sentence: "\(tally.covered) of \(counted(tally.total, "changed line")) ran.")
    }
    let verdict = "\(tally.uncovered) of \(counted(tally.total, "changed line")) never ran"
    let least = share.map { ", and at least \(number($0)) % should" } ?? ""
    return Judgement(state: .failed, sentence: "\(verdict)\(least): \(list(lines)).", lines: lines)
  }

  private static func lost(_ answer: Answer<CoverageComparison>, hasEarlier: Bool) -> Judgement {
    guard case .known(let comparison) = answer else { return earlier(answer.reason, hasEarlier: hasEarlier) }
    let lines = comparison.lostLines
    if lines.isEmpty {
      return Judgement(
        state: .passed, sentence: "Every unchanged line that ran in \(comparison.baseline) still runs.")
    }
    let what = lines.count == 1 ? "1 unchanged line that ran" : "\(lines.count) unchanged lines that ran"
    let verb = lines.count == 1 ? "does" : "do"
    return Judgement(
      state: .failed, sentence: "\(what) in \(comparison.baseline) \(verb) not any more: \(list(lines)).", lines: lines)
  }

  private static func ratchet(_ answer: Answer<CoverageComparison>, now: LineTally, hasEarlier: Bool) -> Judgement {
    guard case .known(let comparison) = answer else { return earlier(answer.reason, hasEarlier: hasEarlier) }
    let before = comparison.before.lines
    guard now.total > 0, before.total > 0 else {
      return Judgement(state: .passed, sentence: "There is no code whose coverage could fall.")
    }
    let sentence =
      "\(now.covered) of \(counted(now.total, "line")) ran, where in \(comparison.baseline) "
      + "it was \(before.covered) of \(before.total)"
    // As fractions, so that rounding cannot hide a line.
    let (one, other) = (
      now.covered.multipliedFullWidth(by: before.total), before.covered.multipliedFullWidth(by: now.total)
    )
    if (one.high, one.low) >= (other.high, other.low) {
      return Judgement(state: .passed, sentence: "\(sentence).")
    }
    let lines = comparison.lostLines + comparison.newNeverRanLines
    let causes = lines.isEmpty ? "Code that ran was removed" : "Lost or new without coverage: \(list(lines))"
    return Judgement(state: .failed, sentence: "\(sentence), so the share fell. \(causes).", lines: lines)
  }

  private static func unknown(_ reason: String?) -> Judgement {
    Judgement(state: .failed, sentence: "It could not be judged. \(reason ?? "The reason is unknown.")")
  }

  private static func earlier(_ reason: String?, hasEarlier: Bool) -> Judgement {
    if hasEarlier { return unknown(reason) }
    return Judgement(
      state: .notJudged, sentence: "No earlier integration has complete coverage, so there was nothing to lose.")
  }

  private static func list(_ lines: [SourceLocation]) -> String {
    let places = LinePlaces(lines)
    let left = places.lineCount(behind: mostPlaces)
    return places.text(first: mostPlaces) + (left > 0 ? " and \(left) more" : "")
  }

  private static func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func number(_ share: Double) -> String {
    share == share.rounded() ? "\(Int(share))" : "\(share)"
  }
}
