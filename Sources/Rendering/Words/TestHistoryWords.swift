import Model

/// Sentences about a test's recent integrations, as on its page.
enum TestHistoryWords {
  /// The maximum number of integrations that are named.
  private static let mostNumbers = 6

  /// Returns what the runs of a test in an integration took, such as `In 3: first run 6 ms, retry 4 ms.`.
  static func runs(_ runs: String, in number: Int) -> [IssueWords.Part] { [.init(words: "In \(number): \(runs).")] }

  /// Returns whole sentences, most serious first; empty for a test without a history.
  ///
  /// - Parameter redSince: since when it is red, where that stands above them.
  static func sentences(_ history: TestHistory, in number: Int, redSince: Int? = nil) -> [[IssueWords.Part]] {
    let runs = history.runs.count
    guard runs > 1 else { return [] }
    var sentences: [[IssueWords.Part]] = []
    func add(_ words: String) { sentences.append([IssueWords.Part(words: words)]) }
    // That it is red now is said above.
    if let streak = history.redStreak, streak.since != number, streak.since != redSince {
      let commits = CountText.counted(streak.commits, "commit")
      // The table below has all branches.
      let branch = Set(history.moments.map(\.branch)).count > 1 ? history.moments.first?.branch : nil
      let place = branch.map { " on \($0)" } ?? (streak.isWhole ? " in every known integration," : "")
      sentences.append([
        IssueWords.Part(words: "Red\(place) since ", number: streak.since), IssueWords.Part(words: " (\(commits))."),
      ])
    }
    let flaky = history.flakyIn
    if let parts = FlakyWords.parts("Passed and failed on the same commit in ", flaky, most: mostNumbers) {
      sentences.append(parts + [IssueWords.Part(words: ".")])
    }
    let all = CountText.counted(runs, "integration")
    // The table below has those as well in which it did not run.
    let known = runs < history.moments.count ? "the \(all) that ran it" : all
    if history.hasNeverPassed { add("Never passed in \(known).") }
    if history.hasNeverFailed { add("Never failed in \(known).") }
    let red = history.runs.filter { $0.verdict.state.isRed }.map(\.number)
    // Where all of them are its last ones, the first sentence says it.
    if red.count > 1, red.last != history.redStreak?.since, !history.hasNeverPassed, flaky.isEmpty {
      let words = "Red in \(CountText.plain(red.count)) of \(all)"
      let which = red.count > mostNumbers ? nil : FlakyWords.parts("\(words): ", red, most: mostNumbers)
      sentences.append((which ?? [IssueWords.Part(words: words)]) + [IssueWords.Part(words: ".")])
    }
    return sentences
  }
}
