package import Model

/// Tells which issues are new, which were there before, and which are gone.
package enum IssueComparison {
  /// How far an integration came: only what was reached can prove that an issue is gone.
  package struct Reach: Sendable {
    /// Whether every module was compiled and linked.
    package var built: Bool
    /// The state of every listed test.
    package var tests: [TestID: TestState]
    /// Whether the tests were listed, so that one that is missing was deleted.
    package var listed: Bool
    /// Whether each test was run alone.
    package var isolated: Bool
    /// How sentences begin that tell of triggers which are still the bot's and did not run.
    package var waitingTriggers: [String]
    /// Whether the analyze action came to its end.
    package var analyzed: Bool

    package init(
      built: Bool, tests: [TestID: TestState], listed: Bool = false, isolated: Bool = false,
      waitingTriggers: [String] = [], analyzed: Bool = false
    ) {
      self.built = built
      self.tests = tests
      self.listed = listed
      self.isolated = isolated
      self.waitingTriggers = waitingTriggers
      self.analyzed = analyzed
    }
  }

  /// What an integration says about an issue of its baseline that it did not find.
  private enum Fate {
    /// What would show it was reached, and it did not show.
    case resolved
    /// What would show it was not reached.
    case open
    /// Another finding about the same test stands in its place.
    case replaced
  }

  /// Returns this integration's issues with status and age; then those of the baseline that are still open because
  /// nothing was reached that could show them; then those that are resolved.
  ///
  /// Without a baseline every issue is new.
  package static func compare(_ issues: [Issue], with baseline: Baseline?, reach: Reach) -> [Issue] {
    guard let baseline else { return issues }
    let before = Dictionary(baseline.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let found = issues.map { issue in before[issue.id].map { continued($0, as: issue) } ?? issue }
    let present = Set(issues.map(\.id))
    let absent = baseline.issues.filter { !present.contains($0.id) }.map { ($0, fate(of: $0, by: reach)) }
    let open = absent.filter { $0.1 == .open }.map { continued($0.0, as: $0.0) }
    let resolved = absent.filter { $0.1 == .resolved }.map { issue, _ in
      var issue = issue
      issue.status = .resolved
      return issue
    }
    return found + open + resolved
  }

  /// An issue that goes on: as it is found now, one integration older.
  private static func continued(_ old: Issue, as now: Issue) -> Issue {
    var issue = now
    issue.status = old.status == .silenced ? .silenced : .unresolved
    issue.age = old.age + 1
    return issue
  }

  private static func fate(of issue: Issue, by reach: Reach) -> Fate {
    switch issue.kind {
    case .warning where issue.test != nil:
      return fateOfTestWarning(issue, by: reach)
    case .error, .linkerError, .warning, .gate:
      return reach.built ? .resolved : .open
    case .testFailure, .crash, .timeOut:
      guard let test = issue.test, let state = reach.tests[test] else { return reach.listed ? .resolved : .open }
      if state.isRed { return .replaced }
      return state == .passed || state == .expectedFailure ? .resolved : .open
    case .serviceError, .serviceWarning:
      return reach.listed ? .resolved : .open
    case .triggerError:
      return reach.waitingTriggers.contains { issue.message.hasPrefix($0) } ? .open : .resolved
    case .analyzerWarning:
      return reach.analyzed ? .resolved : .open
    case .sanitizer:
      guard let test = issue.test, let state = reach.tests[test] else { return reach.listed ? .resolved : .open }
      return state == .passed || state == .expectedFailure ? .resolved : .open
    }
  }

  /// A warning of a test is gone when the test came to its end without it.
  private static func fateOfTestWarning(_ issue: Issue, by reach: Reach) -> Fate {
    guard let test = issue.test, let state = reach.tests[test] else { return reach.listed ? .resolved : .open }
    if issue.message.hasPrefix(IssueFinder.orderDependence) { return reach.isolated ? .resolved : .open }
    return state == .passed || state == .expectedFailure ? .resolved : .open
  }
}
