import Model

/// A change against the baseline, as text and with its meaning.
struct Delta {
  /// The meaning of an increase.
  enum Direction {
    case moreIsWorse, moreIsBetter, neutral
  }

  let text: String
  /// The name of the style: `worse`, `better` or empty.
  let tone: String

  /// Creates the change of a count.
  init(_ now: Int, from before: Int, _ direction: Direction) {
    self.init(text: CountText.signed(now - before), change: Double(now - before), direction)
  }

  /// Creates a change from a known difference.
  init(change: Int, _ direction: Direction) {
    self.init(text: CountText.signed(change), change: Double(change), direction)
  }

  /// Creates the change of a duration, which is neither good nor bad, since it depends on how much had to be built.
  init(seconds now: Double, from before: Double) {
    let change = now - before
    self.init(text: DurationText.signed(change), change: change, .neutral)
  }

  private init(text: String, change: Double, _ direction: Direction) {
    self.text = text
    switch direction {
    case .neutral: tone = ""
    case .moreIsWorse: tone = change > 0 ? "worse" : change < 0 ? "better" : ""
    case .moreIsBetter: tone = change > 0 ? "better" : change < 0 ? "worse" : ""
    }
  }

  var record: TemplateValue { .record(["text": .text(text), "tone": .text(tone)]) }
}

extension Delta? {
  var record: TemplateValue { map(\.record) ?? .missing }
}
