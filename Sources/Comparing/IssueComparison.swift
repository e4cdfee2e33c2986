package import Model

/// Tells which issues are new, which were there before, and which are gone.
package enum IssueComparison {
  /// How far an integration came: only what was reached can prove that an issue is gone.
  package struct Reach: Sendable {
    /// Whether every module was compiled and linked.
    package var built: Bool
    /// The state of every test that ran to an end.
    package var tests: [TestID: TestState]

    package init(built: Bool, tests: [TestID: TestState]) {
      self.built = built
      self.tests = tests
    }
  }

  /// Returns this integration's issues with status and age, and after them the baseline's issues that are resolved.
  ///
  /// Without a baseline every issue is new. An issue of the baseline that is absent now and could not have been seen is
  /// in neither list.
  package static func compare(_ issues: [Issue], with baseline: Baseline?, reach: Reach) -> [Issue] {
    guard let baseline else { return issues }
    let before = Dictionary(baseline.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let compared = issues.map { issue in
      var issue = issue
      if let old = before[issue.id] {
        issue.status = old.status == .silenced ? .silenced : .unresolved
        issue.age = old.age + 1
      }
      return issue
    }
    let present = Set(issues.map(\.id))
    let resolved = baseline.issues.filter { !present.contains($0.id) && isProvedGone($0, by: reach) }
    return compared
      + resolved.map { issue in
        var issue = issue
        issue.status = .resolved
        return issue
      }
  }

  private static func isProvedGone(_ issue: Issue, by reach: Reach) -> Bool {
    switch issue.kind {
    case .error, .linkerError, .warning:
      return reach.built
    case .testFailure, .crash, .timeOut:
      guard let test = issue.test, let state = reach.tests[test] else { return false }
      return state == .passed || state == .expectedFailure
    case .analyzerWarning, .sanitizer, .gate, .triggerError, .serviceError, .serviceWarning:
      return false
    }
  }
}
