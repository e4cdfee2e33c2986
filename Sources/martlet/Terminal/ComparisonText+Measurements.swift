import Model
import Rendering

extension ComparisonText {
  /// What was measured, those that changed by more than they vary one by one.
  var measured: [String] {
    guard let summary = words.measuredSummary else { return [] }
    let changed = comparison.tests.measured.filter { $0.course == .higher || $0.course == .lower }
    let rows = listed(changed) { measured in
      guard let change = measured.change, let share = change.share else { return "" }
      let (before, after) = (MeasurementWords.average(change.before), MeasurementWords.average(change.after))
      let word = MeasurementWords.word(change) ?? ""
      return "  \(style.coloured(word, word == "slower" || word == "higher" ? .yellow : nil)): "
        + shown("\(measured.id) (\(change.after.metric) \(before) → \(after), \(MeasurementWords.share(share)))")
    }
    let rule = changed.isEmpty ? [] : ["  \(shown(MeasurementWords.rule(comparison.tests.measurementRule)))"]
    return [style.bold("Measured: \(shown(summary))")] + rows + rule
  }
}
