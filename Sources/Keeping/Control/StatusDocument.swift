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

  package struct Bot: Hashable, Sendable, Codable {
    package var name: String
    package var repository: String
    /// `watched`, or `polled` with the reason in `problems`.
    package var seeing: String
    package var running: Integration?
    package var last: Integration?
    package var waiting: Int
    /// The next periodic time.
    package var next: Date?
    /// What is wrong, as sentences: with the bot's file, its repository, its toolchain.
    package var problems: [String]
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
