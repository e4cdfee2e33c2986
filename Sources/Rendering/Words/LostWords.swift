import Model

/// Lines that a change costs, of a baseline or of the branch that a gate compares with.
enum LostWords {
  /// `3 unchanged lines that ran in 41 no longer run`.
  static func lines(_ count: Int, since baseline: String) -> String {
    "\(CountText.counted(count, "unchanged line")) that ran in \(baseline) no longer \(count == 1 ? "runs" : "run")"
  }

  /// Lines that still run, each without a part that ran.
  static func parts(_ count: Int, since baseline: String) -> String {
    "\(CountText.counted(count, "line")) lost \(count == 1 ? "a part" : "parts") that ran in \(baseline)"
  }
}
