package import FoundationEssentials
package import Model

/// The state of the watcher, for `martlet status`.
package struct StatusDocument: Hashable, Sendable, Codable {
  /// An integration that was started.
  package struct Integration: Hashable, Sendable, Codable {
    package var number: Int
    package var ref: String?
    package var commit: String
    package var cause: String
    package var startedAt: Date?
    /// The current step while it is running.
    package var step: String?
    /// Why Slurm has not begun it yet, in the words of Slurm.
    package var waits: String?
    package var endedAt: Date?
    package var outcome: String?
    package var reason: String?
    /// The number of its red tests once it is over.
    package var redTests: Int?

    /// The outcome as shown in a terminal; nil before the integration is over.
    package var toldOutcome: String?
    /// The machine that carries it out; nil for this one, or once it is over.
    package var machine: String?
  }

  /// The state of a bot's branch.
  package struct Branch: Hashable, Sendable, Codable {
    /// Nil if the bot integrates no branch, only commits or tags.
    package var branch: String?
    /// Whether this branch determines the bot's state.
    package var isDefault: Bool
    /// The number of its newest integration with a result, or of a newer one in which Martlet produced none. This and
    /// all following properties are nil before there is any.
    package var integration: Int?
    package var commit: String?
    package var outcome: String?
    package var reason: String?
    package var endedAt: Date?
    /// The end of the first integration since which it has been green, red or without a result; nil if that is too far
    /// back.
    package var since: Date?
    /// The number of that integration.
    package var sinceIntegration: Int?

    /// The outcome as shown in a terminal.
    package var toldOutcome: String?
  }

  /// The state of a remote repository's mirror.
  package struct Fetch: Hashable, Sendable, Codable {
    /// The time of the last fetch; nil for never.
    package var endedAt: Date?
    package var isRunning: Bool
    /// The reason the last fetch failed, as sentences; also included in `problems`.
    package var failure: String?
    /// The number of failed fetches since the last successful one; nil from a watcher that predates this property.
    package var failures: Int?
    /// The name of the mirror in the home.
    package var mirror: String

    /// Whether nobody sees the remote's commits for longer than a hiccup of the network: the first fetch failed, or the
    /// last two did.
    fileprivate var isBlind: Bool { failure != nil && (endedAt == nil || failures != 1) }
  }

  package struct Bot: Hashable, Sendable, Codable {
    package var name: String
    /// The path, or the address of a remote repository.
    package var repository: String
    /// `watched`, `fetched`, or `polled` with the reason in `problems`.
    package var seeing: String
    package var running: Integration?
    /// The newest finished integration, whatever its branch.
    package var last: Integration?
    /// The existing branches, the decisive one first; nil from a watcher that predates this property.
    package var branches: [Branch]?
    /// The newest integrated tag, if it is red.
    package var redTag: RedBranch?
    package var waiting: Int
    /// The next periodic time.
    package var next: Date?
    /// Problems with the bot's file, repository or toolchain, as sentences.
    package var problems: [String]
    /// Nil for a repository on this machine.
    package var fetch: Fetch?
    /// Whether its file has faults, so that what was right before stays in effect; nil from a watcher that predates this
    /// property.
    package var hasFaultyFile: Bool?

    /// Whether somebody has to look before its commits are integrated as they should be.
    fileprivate var isBlind: Bool {
      seeing == CommitSource.unreadable.rawValue || fetch?.isBlind == true || hasFaultyFile == true
    }
  }

  package struct Waiting: Hashable, Sendable, Codable {
    package var entry: Int
    package var bot: String
    package var ref: String?
    package var commit: String
    package var covered: Int
    package var cause: String
    package var queuedAt: Date
    /// The reason it waits, as a sentence.
    package var why: String
  }

  /// The exit status that the worst of the bots would give `martlet run`, according to their default branches; where
  /// all are green but a bot's file has faults, or nobody sees its commits, as with a remote that can no longer be
  /// fetched, that of an internal error.
  package var exitStatus: Int32 {
    let decisive = bots.flatMap { $0.branches ?? [] }.filter(\.isDefault)
    let worst = decisive.compactMap { $0.outcome.flatMap(Outcome.init)?.exitCode }.max() ?? 0
    return worst == 0 && bots.contains(where: \.isBlind) ? Outcome.internalError.exitCode : worst
  }

  package static let schemaName = "martlet.status/1"
  package var schema = schemaName
  package var pid: Int32
  package var startedAt: Date
  package var jobs: Int
  package var isStopping: Bool
  package var bots: [Bot]
  /// The waiting entries in the order in which they are served, at most 200 of each bot.
  package var queue: [Waiting]
  /// The number of further waiting entries, by bot; nil if `queue` has all.
  package var unlisted: [String: Int]?
  /// Problems with the server as a whole, as sentences.
  package var problems: [String]
  /// The machines to integrate on, the watcher's own first; nil from a watcher that predates this property.
  package var machines: [MachineState]?
}
