package import FoundationEssentials

/// What the watcher tells the process that carries out one integration.
package struct IntegrationOrder: Hashable, Sendable, Codable {
  /// How an integration is closed that was cut off, without being carried out.
  package struct Closing: Hashable, Sendable, Codable {
    package var outcome: Outcome
    /// A sentence.
    package var reason: String

    package init(outcome: Outcome, reason: String) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  package var bot: Bot
  /// Where the bot's number begins and ends is the watcher's to say; the folder must not hold a finished one yet.
  package var number: Int
  package var commit: CommitID
  /// Nil for a tag.
  package var branch: String?
  package var cause: Cause
  /// Whether everything built before is thrown away first.
  package var cleans: Bool
  package var queuedAt: Date
  /// Values by name; they go to scripts and are masked everywhere else.
  package var secrets: [String: String]
  package var closing: Closing?

  package init(
    bot: Bot, number: Int, commit: CommitID, branch: String?, cause: Cause, cleans: Bool = false, queuedAt: Date,
    secrets: [String: String] = [:], closing: Closing? = nil
  ) {
    self.bot = bot
    self.number = number
    self.commit = commit
    self.branch = branch
    self.cause = cause
    self.cleans = cleans
    self.queuedAt = queuedAt
    self.secrets = secrets
    self.closing = closing
  }
}

/// What the process that carries out an integration tells the watcher, one value a line.
package enum IntegrationNews: Hashable, Sendable, Codable {
  case step(Step)
  /// The last line.
  case finished(IntegrationSummary)
}

/// The figures of a finished integration that lists and trends show.
package struct IntegrationSummary: Hashable, Sendable, Codable {
  package var outcome: Outcome
  package var reasons: [String]
  package var startedAt: Date
  package var endedAt: Date
  package var toolchain: String
  package var tests: TestCounts
  package var warnings: Int
  /// Open issues, silenced ones left out.
  package var issues: Int
  package var newIssues: Int
  /// Nil without coverage.
  package var lines: LineTally?
  package var baseline: Int?
  /// The commits that the integration covers, newest first.
  package var commits: [CommitID]

  package init(_ integration: Integration) {
    outcome = integration.outcome
    reasons = integration.reasons
    startedAt = integration.startedAt
    endedAt = integration.endedAt
    toolchain = integration.toolchain
    tests = integration.tests.counts
    warnings = integration.warningCount
    issues = integration.issues.count { $0.status == .new || $0.status == .unresolved }
    newIssues = integration.issues.count { $0.status == .new }
    lines = integration.coverage.coverage?.totals.lines
    baseline = integration.baseline?.number
    commits = integration.commits.map(\.id)
  }
}
