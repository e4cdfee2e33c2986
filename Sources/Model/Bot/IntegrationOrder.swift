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
  /// The tag that is integrated; nil for a branch.
  package var tag: String?
  package var cause: Cause
  /// Whether everything built before is thrown away first.
  package var cleans: Bool
  /// Whether the destinations are built for that have to wait until nothing else does; nil for no.
  package var includesIdle: Bool?
  /// Whether anybody may have written the commit, so that nothing of this machine may be in its reach; nil for no.
  package var isOfStranger: Bool?
  package var queuedAt: Date
  /// Values by name; they go to scripts and are masked everywhere else.
  package var secrets: [String: String]
  /// How mail leaves; nil when the server sends none.
  package var mailAccount: MailAccount?
  /// Where the site is served; nil when it is read from the disk.
  package var address: SiteAddress?
  package var closing: Closing?
  /// Whether nothing is to be integrated, but the build of an integration that is over to be held against one from
  /// nothing; the number is that integration's.
  package var audits = false

  package init(
    bot: Bot, number: Int, commit: CommitID, branch: String?, cause: Cause, cleans: Bool = false, queuedAt: Date,
    secrets: [String: String] = [:], mailAccount: MailAccount? = nil, closing: Closing? = nil
  ) {
    self.bot = bot
    self.number = number
    self.commit = commit
    self.branch = branch
    self.cause = cause
    self.cleans = cleans
    self.queuedAt = queuedAt
    self.secrets = secrets
    self.mailAccount = mailAccount
    self.closing = closing
  }
}

/// What the process that carries out an integration tells the watcher, one value a line.
package enum IntegrationNews: Hashable, Sendable, Codable {
  case step(Step)
  /// How far its tests are, twice a second at most.
  case tests(RunningTests)
  /// The build was held against one from nothing; nil where that could not be done.
  case audited(BuildAudit?)
  /// The last line.
  case finished(IntegrationSummary)
}
