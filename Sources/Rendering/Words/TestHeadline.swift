import Model

/// What became of a test, and since when, as the heading of its page.
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
        self.end(test.state, issue)
      }
    return "\(test.quotedTitle) \(end)"
  }

  /// Returns the same of an issue of a red test, with what ended it; nil for another one.
  ///
  /// - Parameters:
  ///   - name: that of its test.
  ///   - closed: the integration that found it resolved, if one did.
  static func of(_ issue: Issue, named name: String, closed: Int?) -> String? {
    guard let state = TestState.allCases.first(where: { $0.isRed && $0.issueKind == issue.kind }) else { return nil }
    guard issue.status == .resolved else { return "\(name) \(end(state, issue))" }
    return "\(name) \(state.past), \(IssueWords.end(of: issue, closed: closed))"
  }

  private static func end(_ state: TestState, _ issue: Issue?) -> String {
    guard state.isRed, let issue, issue.kind == state.issueKind else { return state.past }
    if issue.comeback != nil { return "\(state.past) again" }
    guard issue.status != .new, let start = IssueWords.start(of: issue) else { return state.past }
    // What came back is red again since then.
    let words = issue.life?.cameBackFrom == nil ? start.words : "again since"
    return "has \(state.past) \(words) \(start.number)\(start.rest)"
  }
}
