import Model

/// What became of a test or a gate, and since when, as the heading of its page; and what stands out among several.
enum TestHeadline {
  /// Returns the name of a test in a sentence: one of several words in quotation marks.
  static func quoted(_ name: String) -> String { name.contains(" ") ? "“\(name)”" : name }

  /// Returns a sentence such as `evening() has failed since 5` or `“Answers at night” was skipped`.
  ///
  /// - Parameters:
  ///   - issue: that of its end, if it is red.
  ///   - others: the tests that did not begin for the same reason; nil for none.
  ///   - worse: how much worse something is that it measured; nil for nothing, and if it did not simply pass.
  ///   - destination: the destination for which it ended so; nil where that is told elsewhere.
  static func of(
    _ test: TestResult, _ issue: Issue?, with others: String? = nil, worse: String? = nil,
    for destination: String? = nil
  ) -> String {
    let end =
      if let quit = test.quit {
        quit.words
      } else if test.isFlaky, let course = FlakyWords.attempts(of: test) {
        course
      } else {
        self.end(test.endPhrase, ownIssue(issue, of: test)) + redCase(of: test) + (worse.map { ", but \($0)" } ?? "")
      }
    let place = destination.map { " for \($0)" } ?? ""
    return "\(CountText.list([test.quotedTitle] + [others].compactMap(\.self))) \(end)\(place)"
  }

  /// Returns since when a test is red, if its heading says so.
  static func redSince(_ test: TestResult, _ issue: Issue?) -> Int? {
    test.quit == nil && !test.isFlaky ? start(of: ownIssue(issue, of: test))?.number : nil
  }

  /// Returns the issue of a test unless it is about something else than how that ended.
  private static func ownIssue(_ issue: Issue?, of test: TestResult) -> Issue? {
    issue.flatMap { $0.kind == test.state.issueKind ? $0 : nil }
  }

  /// Returns the name of a red case, and how many others it stands for: `391, the first of 9 red cases`.
  ///
  /// - Parameter count: the number of red cases of which it is the first.
  static func firstCase(_ name: String, of count: Int) -> String {
    count > 1 ? "\(name), the first of \(CountText.plain(count)) red cases" : name
  }

  /// Returns the only one of several cases that is red, as ` for "Ale"`; empty for other tests.
  static func redCase(of test: TestResult) -> String {
    let all = test.arguments ?? []
    let red = all.filter(\.state.isRed)
    guard all.count > 1, red.count == 1, red[0].display.count <= 40 else { return "" }
    return " for \(arguments(red[0].display, of: test.id))"
  }

  /// Returns the arguments of a case in a sentence: several in parentheses, or they would read as several cases.
  static func arguments(_ display: String, of test: TestID) -> String {
    let labels = test.name[(test.name.lastIndex(of: "(") ?? test.name.startIndex)...]
    return labels.count { $0 == ":" } > 1 && !display.isEmpty ? "(\(display))" : display
  }

  /// Returns the same of an issue of a red or quitting test or a failed gate, with what ended it; nil for another one.
  ///
  /// - Parameters:
  ///   - name: that of its test or gate.
  ///   - end: what ended it; nil for nothing.
  static func of(_ issue: Issue, named name: String, end: String?) -> String? {
    if issue.isOfFlaky { return "\(name) failed, then passed on retry" }
    guard let past = issue.gate != nil ? TestState.failed.past : past(of: issue.kind) else { return nil }
    // Since when it is open, and that it came back, stands below the heading.
    guard issue.status.isOver, let end else { return "\(name) \(past)" }
    // A gate judges each change anew: what it found in an earlier one is gone with that.
    return issue.gate != nil && issue.ending == .fixed ? "\(name) \(end)" : "\(name) \(past), \(end)"
  }

  /// Returns what a test did that has an issue of a kind, such as `crashed`; nil for other kinds.
  static func past(of kind: Issue.Kind) -> String? {
    kind == .quit ? "ended the process" : TestState.allCases.first { $0.isRed && $0.issueKind == kind }?.past
  }

  /// Returns the heading of a list of tests by duration, such as `Slowest of 9 tests: evening(), 0.6 s`, or how many took
  /// longer than a test should, if none is the slowest of those: `None of 9 tests took over 100 ms`.
  ///
  /// - Parameter tests: the slowest first.
  static func slowest(_ tests: [TestResult], mark: Double) -> String {
    guard let first = tests.first else { return "No durations are known" }
    let time = DurationText.fine(first.ownTime ?? first.duration, over: mark)
    guard tests.count > 1 else { return "\(first.quotedTitle) took \(time)" }
    if isOneSlowest(tests, mark: mark) {
      return "Slowest of \(CountText.counted(tests.count, "test")): \(first.quotedTitle), \(time)"
    }
    let slow = tests.count { $0.takes(longerThan: mark) }
    return "\(slow == 0 ? "None" : CountText.plain(slow)) of \(CountText.counted(tests.count, "test")) took over "
      + DurationText.fine(mark)
  }

  /// Returns whether the first of several tests stands out: it takes longer than it should, and than the next one.
  static func isOneSlowest(_ tests: [TestResult], mark: Double) -> Bool {
    tests.count > 1 && tests[0].takes(longerThan: mark)
      && DurationText.fine(ifKnown: tests[1].ownTime) != DurationText.fine(ifKnown: tests[0].ownTime)
  }

  private static func end(_ past: String, _ issue: Issue?) -> String {
    if issue?.comeback != nil { return "\(past) again" }
    guard let start = start(of: issue) else { return past }
    // What came back is red again since then.
    let words = issue?.life?.cameBackFrom == nil ? start.words : "again since"
    return "has \(past) \(words) \(start.number)\(start.rest)"
  }

  /// Returns since when there is an issue that is neither new nor came back; nil for any other, and if that is not known.
  private static func start(of issue: Issue?) -> (words: String, number: Int, rest: String)? {
    guard let issue, issue.comeback == nil, issue.status != .new, !issue.hasNoPast else { return nil }
    return IssueWords.start(of: issue)
  }
}
