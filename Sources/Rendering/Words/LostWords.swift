import Model

/// Phrases for lines that a change loses, compared with a baseline or with the branch that a gate compares with.
enum LostWords {
  /// Returns, for example, `3 unchanged lines that ran in 41 no longer run`.
  static func lines(_ count: Int, since baseline: String) -> String {
    "\(CountText.counted(count, "unchanged line")) that ran in \(baseline) no longer \(CountText.agreeing(count, "runs", "run"))"
  }

  /// Returns which commit deleted tests, such as `1 test deleted in a595cb7 by Ada`; of several commits only how many.
  fileprivate static func deleted(_ count: Int, by commits: [Commit]) -> String {
    let maker = commits.count == 1 ? " in \(commits[0].id.short) by \(commits[0].author)" : ""
    return "\(CountText.counted(count, "test")) deleted\(maker)"
  }

  /// Returns a phrase for lines that still run, but without a part that ran before.
  static func parts(_ count: Int) -> String {
    CountText.counted(count, "line now runs only partly", "lines now run only partly")
  }
}

extension Integration {
  /// That tests were deleted since the integration in which lost lines ran; nil if none was.
  var deletedTests: String? {
    guard let deleted = testChanges?.deleted, !deleted.isEmpty, let baseline,
      changes?.comparison.value?.baseline == baseline.number
    else { return nil }
    return LostWords.deleted(deleted.count, by: workingTree == nil ? commits : [])
  }
}
