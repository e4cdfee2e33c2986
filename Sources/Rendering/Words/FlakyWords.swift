import Model

/// Words for tests with varying results.
enum FlakyWords {
  /// What the author of a test did with it, to precede the commit.
  static let addedIn = "added in "

  /// Returns who added a test that was flaky from its first run on.
  static func addition(by author: String, in number: Int) -> [IssueWords.Part] {
    [IssueWords.Part(words: "\(author) added it in ", number: number)]
  }

  /// Returns the course of a test in this integration, such as `Failed, then passed alone on retry`.
  static func course(of test: TestResult) -> String {
    let alone = test.alone.map {
      "\(test.state.word.lowercased()) with the others, \($0.state.word.lowercased()) alone"
    }
    let parts = [test.isFlaky ? attempts(of: test) : nil, alone].compactMap(\.self)
    return parts.isEmpty ? "Passed and failed on the same commit" : parts.joined(separator: "; ").capitalizedFirst
  }

  /// Returns the results of the attempts, such as `failed, then passed alone on retry`, `passed, then failed alone` or
  /// `failed in 3 of 3 runs`; nil for a test that ran once.
  static func attempts(of test: TestResult) -> String? {
    let words = test.attempts.map { $0.state.word.lowercased() }
    if words.count < 2 || Set(words).count == 1 {
      return repetition(of: test).map { "\(test.state.word.lowercased())\($0)" } ?? words.first
    }
    // Every retry is alone, which the first of them may have been the first to be.
    let again = test.attempts[0].state == .passed ? " alone" : words.count == 2 ? " alone on retry" : " on retry"
    var runs: [(word: String, count: Int)] = []
    for word in words {
      if runs.last?.word == word { runs[runs.count - 1].count += 1 } else { runs.append((word, 1)) }
    }
    // That it passed there, too, is nothing new.
    let serial = test.serialRun.flatMap { $0.state.isRed ? "; \($0.state.past) in the serial run" : nil } ?? ""
    return runs.map { $0.count == 1 ? $0.word : "\($0.word) \(CountText.counted($0.count, "time"))" }
      .joined(separator: ", then ") + again + serial
  }

  /// Returns how many of a test's cases are red and how often, such as `9 of 400 cases failed, in 2 of 2 runs`; nil for one
  /// without a red case, and for one whose attempts ended differently.
  static func redCases(of test: TestResult) -> String? {
    let states = Set((test.arguments ?? []).map(\.state).filter(\.isRed))
    guard let state = states.first, let count = test.redCases, Set(test.attempts.map(\.state)).count < 2 else {
      return nil
    }
    let word = states.count == 1 ? state.word.lowercased() : "red"
    return "\(count) \(word)\(repetition(of: test).map { ",\($0)" } ?? "")"
  }

  /// Returns why lines that ran do so by chance: `clockIsEven() was flaky, and no other test runs them`.
  ///
  /// - Parameter place: in which integration they were flaky, with a space before it, such as ` in 6`; empty for this one.
  package static func onlyAttempts(of tests: [TestID], lines count: Int, where place: String = "") -> String {
    "\(ShortList.text(tests.map(\.name), first: 3)) \(CountText.agreeing(tests.count, "was", "were")) flaky\(place), "
      + "and no other test runs \(CountText.agreeing(count, "it", "them"))"
  }

  static let firstRun = "first run"
  /// How often a command repeats a test that does not fail.
  static let mostRounds = 50
  static let untilItFails = "Run until it fails, at most \(mostRounds) times:"

  /// Returns what a command does that repeats a test with those of its target until it fails.
  ///
  /// - Parameter left: the names of those that it leaves out because they would fail every time.
  static func untilItFailsBeside(without left: [String]) -> String {
    let without =
      left.isEmpty
      ? "" : " (without \(ShortList.text(left, first: 2)), which \(CountText.agreeing(left.count, "is", "are")) red)"
    return "Run with the others of its target\(without) until it fails, at most \(mostRounds) times:"
  }

  /// The run of Swift Testing's tests one after the other, which maps tests to lines.
  static let serialRun = "serial run"

  /// Returns what runs of a test after these two are called, such as `retry` or `3 retries`.
  static func again(_ count: Int, isAlone: Bool) -> String {
    let words = isAlone ? ("run alone", "runs alone") : ("retry", "retries")
    return count == 1 ? words.0 : "\(CountText.plain(count)) \(words.1)"
  }

  /// Returns how a run ended, such as `first run failed, 6 ms`, or how long it took where that is told: `first run 6 ms`.
  static func end(of run: String, _ state: TestState?, time: Double?, isLongest: Bool) -> String {
    let time = time.map { " \(isLongest ? "up to " : "")\(DurationText.fine($0))" } ?? ""
    guard let state else { return run + time }
    return "\(run) \(state.word.lowercased())\(time.isEmpty ? "" : ",")\(time)"
  }

  /// Returns the state of a test, and in how many of its runs it ended so: `Timed out in 3 of 3 runs`.
  static func repeated(_ test: TestResult) -> String { test.endWord + (repetition(of: test) ?? "") }

  /// Returns in how many of its runs a test ended as it did, such as ` in 2 of 3 runs` or ` every time`; nil for one that
  /// ran once.
  static func repetition(of test: TestResult) -> String? {
    let runs = test.runs
    guard runs.count > 1 else { return nil }
    let same = runs.count { $0.state == test.state }
    // A number would be wrong of a test that brought down a process in which others were running: until it was known to be
    // the one, it ran more often. XCTest runs one test at a time.
    let isCounted = same < runs.count || test.state.isEnd || test.library == .xctest
    guard isCounted else { return " every time" }
    return " in \(CountText.plain(same)) of \(CountText.counted(runs.count, "run"))"
  }

  /// Returns how often it was red, and how often it passed only on retry, such as `red once, flaky 3 times in 47
  /// integrations`.
  ///
  /// - Parameter isTold: whether what stands beside it says that the test is flaky.
  static func rate(_ history: TestHistory, isTold: Bool = false) -> String {
    let flaky = history.failedAtFirst - history.redCount
    let counts = [("red", history.redCount), ("flaky", flaky)].filter { $0.1 > 0 }
    let all = CountText.counted(history.runs.count, "integration")
    // "in 3" is an integration elsewhere.
    if counts.count > 1 { return "\(counts.map { "\($0.0) \(times($0.1))" }.joined(separator: ", ")) in \(all)" }
    let isBare = isTold && history.redCount == 0
    return "\(counts.map { "\(isBare ? "" : "\($0.0) ")in \(CountText.plain($0.1))" }.joined()) of \(all)"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : CountText.counted(count, "time") }

  /// Returns where it is known to be flaky, such as `flaky in 7`; nil if it is not.
  static func past(_ history: TestHistory) -> [IssueWords.Part]? { parts("flaky in ", history.flakyIn) }

  /// Returns in which earlier integrations some tests were flaky, such as `2 tests flaky in 6 and 11`; nil if in none.
  static func earlier(of count: Int, in numbers: Set<Int>) -> [IssueWords.Part]? {
    parts("\(CountText.counted(count, "test")) flaky in ", numbers.sorted(by: >))
  }

  /// Returns in which integrations it failed in every run, such as `red in 8`; nil for none.
  static func steady(_ history: TestHistory) -> [IssueWords.Part]? {
    parts("red in ", history.failedSteadily.map(\.number))
  }

  /// Returns where it failed by chance, and where in every run, such as `flaky in 8, red in 5 and 15`; nil if it failed by
  /// chance only.
  static func failures(_ history: TestHistory) -> [IssueWords.Part]? {
    guard let steady = Self.steady(history) else { return nil }
    return [parts("flaky in ", history.failedByChance.map(\.number)), steady].compactMap(\.self).phrase(separator: ", ")
  }

  /// Returns words with the first of some integrations, which are the newest, oldest first; nil for none.
  static func parts(_ words: String, _ newestFirst: [Int], most: Int = 3) -> [IssueWords.Part]? {
    let shown = Array(newestFirst.prefix(most).reversed())
    guard !shown.isEmpty else { return nil }
    let left = newestFirst.count - shown.count
    var parts = shown.enumerated().map { index, number in
      let isLast = left == 0 && index == shown.count - 1
      return IssueWords.Part(words: index == 0 ? words : isLast ? " and " : ", ", number: number)
    }
    if left > 0 { parts.append(IssueWords.Part(words: " and \(CountText.plain(left)) more")) }
    return parts
  }

  /// Returns how often it failed by chance, such as `flaky in 3 of 47 integrations`: those of all branches that ran it.
  static func chance(_ rate: FailureRate) -> String {
    "flaky in \(CountText.plain(rate.failures)) of \(CountText.counted(rate.runs, "integration"))"
  }

  /// Returns the same as numbers only, such as `3 of 47`.
  static func count(_ rate: FailureRate) -> String {
    "\(CountText.plain(rate.failures)) of \(CountText.plain(rate.runs))"
  }

  /// Returns in how many integrations some tests failed by chance; nil for a single test, whose row says so.
  static func reach(of tests: [FlakyTest]) -> String? {
    guard tests.count > 1 else { return nil }
    let flaky = Set(tests.flatMap { $0.history.failedByChance.map(\.number) }).count
    let ran = Set(tests.flatMap { $0.history.runs.map(\.number) }).count
    return "passed and failed on the same commit in \(CountText.plain(flaky)) of the"
      + " \(CountText.counted(ran, "integration")) that ran them"
  }

  /// Returns the share of failures in per cent, such as `9%`.
  static func percent(_ rate: FailureRate) -> String {
    "\(Int((100 * Double(rate.failures) / Double(max(rate.runs, 1))).rounded()))%"
  }

  /// Returns since when a test is flaky, such as `first flaky in 6`; it may have passed again and again since then.
  static func since(_ number: Int) -> IssueWords.Part { .init(words: "first flaky in ", number: number) }

  /// Returns how often a test has passed since it last failed, such as `passed 4 times since`; nil if it has not.
  static func passed(_ count: Int) -> String? {
    count == 0 ? nil : "passed \(times(count)) since"
  }

  /// Returns which lines only a failed attempt ran.
  static func onlyFailed(_ lines: LinePlaces) -> String {
    let left = lines.lineCount(behind: 3)
    let more = left > 0 ? " and \(CountText.counted(left, "more line"))" : ""
    return "only the failed attempt ran \(lines.text(first: 3, SourceLocation.fileName(of:)))\(more)"
  }

  /// How many runs it takes until a rate says something.
  private static let fewestRuns = 20

  /// Returns the share of failures and what it is likely to be, such as `9%, likely 3–20%`; nil after few runs, which
  /// leave nearly every rate possible.
  static func share(_ rate: FailureRate) -> String? {
    guard rate.runs >= fewestRuns else { return nil }
    let bounds = [rate.interval.lowerBound, rate.interval.upperBound].map { Int(($0 * 100).rounded()) }
    return "\(percent(rate)), likely \(bounds[0])–\(bounds[1])%"
  }
}
