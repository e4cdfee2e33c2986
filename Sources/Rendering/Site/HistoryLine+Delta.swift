import Model

extension HistoryLine {
  /// The change of the number of lines that never ran; nil if there is none, or if it is unknown.
  var uncoveredDelta: Delta? {
    uncoveredChange.flatMap { Delta($0, from: 0, .moreIsWorse, byChance: uncoveredByChance ?? 0) }
  }
}
