import Model

/// A change against the baseline, as text and with its meaning.
struct Delta {
  /// The meaning of an increase.
  enum Direction {
    case moreIsWorse, neutral
    /// Less is no worse: other counts tell why.
    case moreIsBetter
    /// More of what only warns.
    case moreIsWarning
  }

  let text: String
  /// The name of the style: `worse`, `warned`, `better` or empty.
  let tone: String

  /// Creates the change of a count; nil if there is none.
  ///
  /// - Parameter byChance: how much of the change is chance, which is neither good nor bad.
  init?(_ now: Int, from before: Int, _ direction: Direction, byChance: Int = 0) {
    guard now != before else { return nil }
    self.init(text: CountText.signed(now - before), change: Double(now - before - byChance), direction)
  }

  /// Creates the change of how much did not run or, where all of it did, of how much more did; nil if there is none, and
  /// where what did not run was deleted.
  ///
  /// - Parameter byChance: how much more did not run by chance.
  init?(_ now: Tally, from before: Tally, byChance: Int) {
    if now.uncovered == 0 {
      guard now.covered > before.covered else { return nil }
      self.init(now.covered, from: before.covered, .moreIsBetter, byChance: -byChance)
    } else {
      self.init(now.uncovered, from: before.uncovered, .moreIsWorse, byChance: byChance)
    }
  }

  /// Returns the change of how many red tests count; nil if there is none. What is only silenced, or did not run, makes it no
  /// better.
  ///
  /// - Parameters:
  ///   - silenced: how many more red tests do not count.
  ///   - notRun: how many more tests did not run.
  static func ofRed(_ now: Int, from before: Int, silenced: Int = 0, notRun: Int) -> Delta? {
    let aside = max(silenced, 0) + max(notRun, 0)
    return Delta(now, from: before, now < before && now + aside >= before ? .neutral : .moreIsWorse)
  }

  /// Creates the change between two durations, which is neither good nor bad, since it depends on how much had to be built;
  /// nil where both are printed alike.
  init?(seconds now: Double, from before: Double) {
    // A few milliseconds differ in every run.
    guard abs(now - before) >= 0.05, DurationText.fine(now) != DurationText.fine(before),
      let text = DurationText.change(from: before, to: now)
    else { return nil }
    self.init(text: text, change: now - before, .neutral)
  }

  private init(text: String, change: Double, _ direction: Direction) {
    self.text = text
    switch direction {
    case .neutral: tone = ""
    case .moreIsWorse: tone = change > 0 ? "worse" : change < 0 ? "better" : ""
    case .moreIsWarning: tone = change > 0 ? "warned" : change < 0 ? "better" : ""
    case .moreIsBetter: tone = change > 0 ? "better" : ""
    }
  }
}

extension Delta? {
  var record: TemplateValue { map { .record(["text": .text($0.text), "tone": .text($0.tone)]) } ?? .missing }
}
