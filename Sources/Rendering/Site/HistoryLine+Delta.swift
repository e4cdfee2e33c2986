import Model

extension HistoryLine {
  /// The change of the number of lines that never ran; nil if there is none, or if it is unknown, as where tests did not run
  /// that may have run them.
  var uncoveredDelta: Delta? {
    outcome == .incomplete || !tests.isWhole
      ? nil : uncoveredChange.flatMap { Delta($0, from: 0, .moreIsWorse, byChance: uncoveredByChance ?? 0) }
  }

  /// How many lines never ran, such as `≤ 26` if tests did not run that may have run them; nil if it was not measured.
  var uncoveredWords: String? {
    lines.map { bound(on: $0.uncovered) + CountText.plain($0.uncovered) }
  }

  /// Returns what stands before a figure of lines that never ran where these may be fewer; otherwise an empty text.
  func bound(on uncovered: Int) -> String { tests.isWhole || uncovered == 0 ? "" : "≤\u{A0}" }

  /// Returns the change of the number of tests that make it red, since an earlier integration; nil if there is none.
  func redDelta(since before: HistoryLine) -> Delta? {
    .ofRed(
      countingRed, from: before.countingRed, silenced: silencedRed - before.silencedRed,
      notRun: tests.notRun - before.tests.notRun)
  }

  /// How many tests make it red, ended their process and did not run, such as `2 red` and `3 not run`; empty if all is well.
  var badTests: [String] { TestSum.bad(in: tests, silenced: tests.red - countingRed) }

  /// Returns the values of the template `tests-cell`: how many tests are red or did not run, of how many.
  ///
  /// - Parameters:
  ///   - link: the page of its tests.
  ///   - red: the change of the number of red ones.
  ///   - listed: that of all.
  func testsCell(_ link: String?, red: Delta?, listed: Delta?) -> [String: TemplateValue] {
    let isRed = countingRed > 0
    let count: TemplateValue = tests.listed > 0 ? .text(CountText.plain(tests.listed)) : .missing
    return [
      "bad": .optional(badTests.first), "badStyle": .text(isRed ? "failed" : "incomplete"),
      "badDelta": .record(["delta": (isRed ? red : nil).record]), "listed": count, "tests": .optional(link),
      "listedDelta": .record(["delta": (tests.listed > 0 ? listed : nil).record]),
    ]
  }
}
