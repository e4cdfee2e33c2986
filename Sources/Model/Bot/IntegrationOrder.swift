package import FoundationEssentials

/// What the watcher tells the process that carries out an integration.
package struct IntegrationOrder: Hashable, Sendable, Codable {
  /// How to close an integration that was interrupted, without carrying it out.
  package struct Closing: Hashable, Sendable, Codable {
    package var outcome: Outcome
    /// A full sentence.
    package var reason: String

    package init(outcome: Outcome, reason: String) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  /// What another machine needs to know of the one that gave the order.
  package struct Origin: Hashable, Sendable, Codable {
    /// The ID under which the result is returned.
    package var id: String
    /// The path of the home that keeps the result, which messages and links are about.
    package var home: String
    /// The repository as reports name it, and as commands to repeat the integration do.
    package var repository: String
    /// The name that the machine has there.
    package var machine: String
    /// The version line of the toolchain there, if the machine is to have no other one.
    package var toolchain: String?

    package init(id: String, home: String, repository: String, machine: String) {
      self.id = id
      self.home = home
      self.repository = repository
      self.machine = machine
    }
  }

  package var bot: Bot
  /// The integration's number, assigned by the watcher; its folder must not yet contain a finished integration.
  package var number: Int
  package var commit: CommitID
  /// Nil for a tag.
  package var branch: String?
  /// The tag to integrate; nil for a branch.
  package var tag: String?
  package var cause: Cause
  /// Whether all earlier build products are discarded first.
  package var cleans: Bool
  /// Whether to include the destinations that wait until nothing else is queued; nil means no.
  package var includesIdle: Bool?
  /// Whether the commit may have been written by anyone, so that nothing on this machine may be within its reach; nil
  /// means no.
  package var isOfStranger: Bool?
  package var queuedAt: Date
  /// The values by name; scripts receive them, and they are masked everywhere else.
  package var secrets: [String: String]
  /// The account for sending mail; nil if the server sends none.
  package var mailAccount: MailAccount?
  /// The address of the served site; nil if the site is read from disk.
  package var address: SiteAddress?
  package var closing: Closing?
  /// Where the order comes from, if another machine carries it out; nil on the machine that gave it.
  package var origin: Origin?
  /// Whether to compare the build of a finished integration with a build from scratch instead of integrating anything;
  /// `number` is then the number of that integration.
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

/// What the process that carries out an integration reports to the watcher, one value per line.
package enum IntegrationNews: Hashable, Sendable, Codable {
  case step(Step)
  /// How far its tests are, twice a second at most.
  case tests(RunningTests)
  /// The build was held against one from nothing; nil where that could not be done.
  case audited(BuildAudit?)
  /// It waits in Slurm's queue, for a reason in the words of Slurm.
  case waits(String)
  /// The machine that carried it out has nothing left of it.
  case released
  /// The last line of an integration that another machine has no result of.
  case handed(HandOutEnd)
  /// The last line.
  case finished(IntegrationSummary)
}
