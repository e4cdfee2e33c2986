package import FoundationEssentials
package import Model

/// The stored state of a bot.
package struct BotMemory: Hashable, Sendable {
  package var name: String
  /// The bot's refs and their commits when last seen; nil if its repository has never been read.
  package var tips: [RefName: CommitID]?
  /// The highest number of any of its integrations; 0 for none.
  package var lastNumber: Int
  /// The periodic time up to which no integration is owed.
  package var periodMark: Date?
  /// The identity of the toolchain last used to integrate it.
  package var toolchain: String?

  package init(
    name: String, tips: [RefName: CommitID]? = nil, lastNumber: Int = 0, periodMark: Date? = nil,
    toolchain: String? = nil
  ) {
    self.name = name
    self.tips = tips
    self.lastNumber = lastNumber
    self.periodMark = periodMark
    self.toolchain = toolchain
  }
}
