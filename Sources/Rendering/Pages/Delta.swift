import Model

/// A change against the baseline, in words and with what it means.
struct Delta {
  /// What more of something means.
  enum Direction {
    case moreIsWorse, moreIsBetter, neutral
  }

  let text: String
  /// The name of the style: `worse`, `better` or none.
  let tone: String

  /// The change of a count.
  init(_ now: Int, from before: Int, _ direction: Direction) {
    self.init(text: CountText.signed(now - before), change: Double(now - before), direction)
  }

  /// A change that is known by itself.
  init(change: Int, _ direction: Direction) {
    self.init(text: CountText.signed(change), change: Double(change), direction)
  }

  /// The change of a span of time, which is neither good nor bad: it depends on what there was to build.
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
