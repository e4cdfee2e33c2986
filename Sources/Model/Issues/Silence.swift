package import FoundationEssentials

/// Somebody's word that an issue shall not count for a while.
package struct Silence: Hashable, Sendable, Codable {
  /// How long it holds, unless it has an end of its own.
  package enum Scope: String, CaseIterable, Sendable, Codable {
    /// For one commit: when it is integrated again, but not for the next one.
    case integration
    /// Until the issue is gone; when it comes back, it counts again.
    case streak
    case ever
  }

  /// The id of the issue.
  package var issue: String
  package var scope: Scope
  package var reason: String
  package var author: String
  package var since: Date
  /// The moment at which it ends itself.
  package var until: Date?
  /// The last day before that moment as the person wrote it, `2026-12-24`: a day has no zone, and a moment no day.
  package var lastDay: String?
  /// The number of the integration, or of the one that began the streak.
  package var number: Int
  /// The commit, for one that holds for an integration.
  package var commit: CommitID?
  /// The first line of the issue's message at the time, for those who read the list.
  package var message: String
  /// What the test failed on at the time, as the issue had it; nil where the issue is no red test, and in older silences,
  /// which are about what their issue is remembered with.
  package var findings: [String]?

  package init(
    issue: String, scope: Scope, reason: String, author: String, since: Date, until: Date? = nil,
    lastDay: String? = nil, number: Int, commit: CommitID? = nil, message: String, findings: [String]? = nil
  ) {
    self.issue = issue
    self.scope = scope
    self.reason = reason
    self.author = author
    self.since = since
    self.until = until
    self.lastDay = lastDay
    self.number = number
    self.commit = commit
    self.message = message
    self.findings = findings
  }
}

extension Silence {
  /// What a silence is to an issue that is open.
  package enum Effect: Hashable, Sendable {
    case holds
    /// It would hold, had its end not come.
    case expired
    /// It is about something else, or about another time.
    case none
  }

  /// What it is to an issue in an integration of a commit.
  ///
  /// - Parameter found: what a red test failed on; a silence says nothing of what the test did not fail on at the time.
  package func effect(
    onIssue id: String, found: [String], streakStart: Int, commit: CommitID, at now: Date
  ) -> Effect {
    guard id == issue, findings.map({ Set($0).isSuperset(of: found) }) ?? true else { return .none }
    let isMeant =
      switch scope {
      case .integration: self.commit == commit
      case .streak: number == streakStart
      case .ever: true
      }
    guard isMeant else { return .none }
    return until.map { $0 <= now } ?? false ? .expired : .holds
  }
}
