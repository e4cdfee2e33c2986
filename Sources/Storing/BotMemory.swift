package import FoundationEssentials
package import Model

/// The stored state of a bot.
package struct BotMemory: Hashable, Sendable {
  /// The bot's refs and their commits when last seen; nil if its repository has never been read.
  package var tips: [RefName: CommitID]?
  /// The periodic time up to which no integration is owed.
  package var periodMark: Date?
  /// The identity of the toolchain last used to integrate it.
  package var toolchain: String?
}
