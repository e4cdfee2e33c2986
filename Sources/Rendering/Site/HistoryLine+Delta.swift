import Model

extension HistoryLine {
  /// The change of the number of lines that never ran; nil if there is none, or if it is unknown, as where tests did not run
  /// that may have run them.
  var uncoveredDelta: Delta? {
    outcome == .incomplete
      ? nil : uncoveredChange.flatMap { Delta($0, from: 0, .moreIsWorse, byChance: uncoveredByChance ?? 0) }
  }
}
