package import FoundationEssentials
import Model

/// How things stand, for `martlet status`.
package struct StatusDocument: Hashable, Sendable, Codable {
  /// An integration that was started.
  package struct Integration: Hashable, Sendable, Codable {
    package var number: Int
    package var ref: String?
    package var commit: String
    package var cause: String
    package var startedAt: Date?
    /// While it runs.
    package var step: String?
    package var endedAt: Date?
    package var outcome: String?
    package var reason: String?
    /// How many of its tests are red, when it is over.
    package var redTests: Int?

    /// How it ended, for a terminal; nil before it is over.
    package var toldOutcome: String?
  }

  /// How one branch of a bot stands.
  package struct Branch: Hashable, Sendable, Codable {
    /// Nil where the bot integrates no branch, only commits or tags.
    package var branch: String?
    /// Whether it decides how the bot stands.
    package var isDefault: Bool
    /// The number of its newest integration with a result, or of a newer one in which Martlet came to none; nil, like
    /// all that follows, before there is any.
    package var integration: Int?
    package var commit: String?
    package var outcome: String?
    package var reason: String?
    package var endedAt: Date?
    /// When the first integration ended since which it is green, or red, or without a result; nil where that lies too
    /// far back.
    package var since: Date?
    /// The number of that integration.
    package var sinceIntegration: Int?

    /// How it ended, for a terminal.
    package var toldOutcome: String?
  }

  /// How the mirror of a repository stands that lies elsewhere.
  package struct Fetch: Hashable, Sendable, Codable {
    /// When it was fetched last; nil when it never was.
    package var endedAt: Date?
    package var isRunning: Bool
    /// Why the last one failed, as sentences; it stands in `problems`, too.
    package var failure: String?
    /// The name of the mirror in the home.
    package var mirror: String
  }

  package struct Bot: Hashable, Sendable, Codable {
    package var name: String
    /// The path, or the address of one that lies elsewhere.
    package var repository: String
    /// `watched`, `fetched`, or `polled` with the reason in `problems`.
    package var seeing: String
    package var running: Integration?
    /// The newest one that is over, whatever its branch.
    package var last: Integration?
    /// Those that are still there, the one that decides first; nil from a watcher of before this was told.
    package var branches: [Branch]?
    package var waiting: Int
    /// The next periodic time.
    package var next: Date?
    /// What is wrong, as sentences: with the bot's file, its repository, its toolchain.
    package var problems: [String]
    /// Nil for a repository of this machine.
    package var fetch: Fetch?
  }

  package struct Waiting: Hashable, Sendable, Codable {
    package var entry: Int
    package var bot: String
    package var ref: String?
    package var commit: String
    package var covered: Int
    package var cause: String
    package var queuedAt: Date
    /// Why it waits, as a sentence.
    package var why: String
  }

  /// The exit status that the worst of the bots would give `martlet run`, by their default branches.
  package var exitStatus: Int32 {
    let decisive = bots.flatMap { $0.branches ?? [] }.filter(\.isDefault)
    return decisive.compactMap { $0.outcome.flatMap(Outcome.init)?.exitCode }.max() ?? 0
  }

  package static let schemaName = "martlet.status/1"
  package var schema = schemaName
  package var pid: Int32
  package var startedAt: Date
  package var jobs: Int
  package var isStopping: Bool
  package var bots: [Bot]
  /// In the order in which it is served.
  package var queue: [Waiting]
  /// What is wrong with the server as a whole, as sentences.
  package var problems: [String]
}
