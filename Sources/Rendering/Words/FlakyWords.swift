import Model

/// Words for tests with varying results.
enum FlakyWords {
  /// Returns the course of a test in this integration, such as `Failed, then passed on retry`.
  static func course(of test: TestResult) -> String {
    let alone = test.alone.map {
      "\(test.state.word.lowercased()) with the others, \($0.state.word.lowercased()) alone"
    }
    let parts = [test.isFlaky ? attempts(of: test) : nil, alone].compactMap(\.self)
    return parts.isEmpty ? "Passed and failed on the same commit" : parts.joined(separator: "; ").capitalizedFirst
  }

  /// Returns the results of the attempts, such as `failed, then passed on retry`, `passed, then failed alone` or
  /// `3 attempts failed`; nil without attempts.
  static func attempts(of test: TestResult) -> String? {
    let words = test.attempts.map { $0.state.word.lowercased() }
    guard let first = words.first else { return nil }
    // What passes is run again only alone.
    let again = test.attempts[0].state == .passed ? " alone" : " on retry"
    if words.count > 1, Set(words).count == 1 { return "\(words.count) attempts \(first)" }
    var runs: [(word: String, count: Int)] = []
    for word in words {
      if runs.last?.word == word { runs[runs.count - 1].count += 1 } else { runs.append((word, 1)) }
    }
    return runs.map { $0.count == 1 ? $0.word : "\($0.word) \(CountText.counted($0.count, "time"))" }
      .joined(separator: ", then ") + (words.count > 1 ? again : "")
  }

  /// Returns the state of a test, and how often it ended so, if each attempt did: `Timed out 3 times`.
  static func repeated(_ test: TestResult) -> String {
    let isAlways = test.attempts.count > 1 && test.attempts.allSatisfy { $0.state == test.state }
    return test.state.word + (isAlways ? " \(test.attempts.count) times" : "")
  }

  /// Returns how often it failed, or passed only on retry, such as `failed in 4 of 47 integrations`.
  static func rate(_ history: TestHistory) -> String {
    "failed in \(share(history)) \(CountText.agreeing(history.runs.count, "integration", "integrations"))"
  }

  /// Returns the numbers alone, such as `4 of 47`.
  static func share(_ history: TestHistory) -> String {
    "\(CountText.plain(history.failedAtFirst)) of \(CountText.plain(history.runs.count))"
  }

  /// Returns the share in per cent, such as `9%`.
  static func percent(_ history: TestHistory) -> String {
    "\(Int((100 * Double(history.failedAtFirst) / Double(max(history.runs.count, 1))).rounded()))%"
  }

  /// Returns since when a test is flaky, such as `flaky since 6`.
  static func since(_ number: Int) -> String { "flaky since \(number)" }

  /// How many runs it takes until a rate says something.
  private static let fewestRuns = 20

  /// Returns the likely failure rate, such as `likely 3–20%`; nil after few runs, which leave nearly every
  /// rate possible.
  static func interval(_ rate: FailureRate) -> String? {
    guard rate.runs >= fewestRuns else { return nil }
    let bounds = [rate.interval.lowerBound, rate.interval.upperBound].map { Int(($0 * 100).rounded()) }
    return "likely \(bounds[0])–\(bounds[1])%"
  }
}
