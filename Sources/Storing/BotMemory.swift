package import FoundationEssentials
package import Model

/// What is remembered about one bot.
package struct BotMemory: Hashable, Sendable {
  package var name: String
  /// Where its refs pointed when they were last seen; nil when its repository was never looked at.
  package var tips: [RefName: CommitID]?
  /// The highest number that one of its integrations has had; 0 for none.
  package var lastNumber: Int
  /// The periodic time up to which nothing is owed.
  package var periodMark: Date?
  /// The identity of the toolchain that it was last integrated with.
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
