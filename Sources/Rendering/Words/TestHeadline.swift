import Model

/// What became of a test or a gate, and since when, as the heading of its page; and what stands out among several.
enum TestHeadline {
  /// Returns a sentence such as `evening() has failed since 5` or `“Answers at night” was skipped`.
  ///
  /// - Parameter issue: that of its end, if it is red.
  static func of(_ test: TestResult, _ issue: Issue?) -> String {
    let end =
      if let quit = test.quit {
        quit.words
      } else if test.isFlaky, let course = FlakyWords.attempts(of: test) {
        course
      } else {
        issue?.kind == test.state.issueKind ? self.end(test.state.past, issue) : test.state.past
      }
    return "\(test.quotedTitle) \(end)"
  }

  /// Returns the same of an issue of a red or quitting test or a failed gate, with what ended it; nil for another one.
  ///
  /// - Parameters:
  ///   - name: that of its test or gate.
  ///   - closed: the integration that found it resolved, if one did.
  static func of(_ issue: Issue, named name: String, closed: Int?) -> String? {
    let state = issue.gate != nil ? .failed : TestState.allCases.first { $0.isRed && $0.issueKind == issue.kind }
    guard let past = issue.kind == .quit ? "ended the process" : state?.past else { return nil }
    guard issue.status == .resolved else { return "\(name) \(end(past, issue))" }
    let end = IssueWords.end(of: issue, closed: closed)
    // A gate judges each change anew: what it found in an earlier one is gone with that.
    return issue.gate != nil && issue.ending == .fixed ? "\(name) \(end)" : "\(name) \(past), \(end)"
  }

  /// Returns the heading of a list of tests by duration, such as `Slowest of 9 tests: evening(), 0.6 s`.
  static func slowest(_ tests: [TestResult]) -> String {
    guard let first = tests.first else { return "No durations are known" }
    let time = DurationText.fine(first.duration)
    guard tests.count > 1 else { return "\(first.quotedTitle) took \(time)" }
    return "Slowest of \(CountText.counted(tests.count, "test")): \(first.quotedTitle), \(time)"
  }

  private static func end(_ past: String, _ issue: Issue?) -> String {
    guard let issue else { return past }
    if issue.comeback != nil { return "\(past) again" }
    guard issue.status != .new, let start = IssueWords.start(of: issue) else { return past }
    // What came back is red again since then.
    let words = issue.life?.cameBackFrom == nil ? start.words : "again since"
    return "has \(past) \(words) \(start.number)\(start.rest)"
  }
}
