package import Model

/// Sentences about a test's recent integrations, as on its page.
package enum TestHistoryWords {
  /// The maximum number of integrations that are named.
  private static let mostNumbers = 6

  /// Returns what the runs of a test in an integration took, such as `In 3: first run 6 ms, retry 4 ms.`.
  static func runs(_ runs: String, in number: Int) -> String { "In \(number): \(runs)." }

  /// Returns whole sentences, most serious first; empty for a test without a history.
  ///
  /// - Parameter redSince: since when it is red, where that stands above them.
  package static func sentences(_ history: TestHistory, in number: Int, redSince: Int? = nil) -> [String] {
    let runs = history.runs.count
    guard runs > 1 else { return [] }
    var sentences: [String] = []
    // That it is red now is said above.
    if let streak = history.redStreak, streak.since != number, streak.since != redSince {
      let commits = CountText.counted(streak.commits, "commit")
      // The table below has all branches.
      let branch = Set(history.moments.map(\.branch)).count > 1 ? history.moments.first?.branch : nil
      let place = branch.map { " on \($0)" } ?? (streak.isWhole ? " in every known integration," : "")
      let since = "Red\(place) since \(streak.since)"
      sentences.append("\(since) (\(commits)).")
    }
    let flaky = history.flakyIn
    if let numbers = FlakyWords.list(flaky.reversed(), most: mostNumbers) {
      sentences.append("Passed and failed on the same commit in \(numbers).")
    }
    let all = CountText.counted(runs, "integration")
    if history.hasNeverPassed { sentences.append("Never passed in \(all).") }
    if history.hasNeverFailed { sentences.append("Never failed in \(all).") }
    let red = history.runs.filter { $0.verdict.state.isRed }.map(\.number)
    // Where all of them are its last ones, the first sentence says it.
    if red.count > 1, red.last != history.redStreak?.since, !history.hasNeverPassed, flaky.isEmpty {
      let which = red.count > mostNumbers ? "" : ": \(red.reversed().map { "\($0)" }.joined(separator: ", "))"
      sentences.append("Red in \(CountText.plain(red.count)) of \(all)\(which).")
    }
    return sentences
  }
}
