package import Model

/// Sentences about a test's recent integrations, as on its page.
package enum TestHistoryWords {
  /// Returns how often a test failed that is flaky, such as `failed in 3 of 13 integrations`; nil for one that is not.
  static func rate(_ history: TestHistory) -> String? {
    guard history.runs.count > 1, !history.flakyIn.isEmpty else { return nil }
    return FlakyWords.rate(history)
  }

  /// Returns whole sentences, most serious first; empty for a test without a history.
  package static func sentences(_ history: TestHistory, in number: Int) -> [String] {
    let runs = history.runs.count
    guard runs > 1 else { return [] }
    var sentences: [String] = []
    // That it is red now is said above.
    if let streak = history.redStreak, streak.since != number {
      let commits = CountText.counted(streak.commits, "commit")
      let since = streak.isWhole ? "Red in every known run, since \(streak.since)" : "Red since \(streak.since)"
      sentences.append("\(since), \(commits).")
    }
    let flaky = history.flakyIn
    if !flaky.isEmpty {
      let numbers = CountText.list(flaky.prefix(6).reversed().map { "\($0)" })
      sentences.append("Passed and failed on the same commit in \(numbers).")
    }
    if history.hasNeverPassed { sentences.append("Never passed in \(CountText.counted(runs, "run")).") }
    if history.hasNeverFailed { sentences.append("Never failed in \(CountText.counted(runs, "run")).") }
    if history.redCount > 1, !history.hasNeverPassed, flaky.isEmpty {
      sentences.append("Red in \(CountText.plain(history.redCount)) of the last \(CountText.counted(runs, "run")).")
    }
    return sentences
  }
}
