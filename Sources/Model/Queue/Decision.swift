package import FoundationEssentials

/// The result of examining a bot once, to be recorded completely or not at all.
package struct Decision: Hashable, Sendable {
  package var bot: String
  /// In the order in which they are made.
  package var changes: [QueueChange]

  package init(bot: String, changes: [QueueChange] = []) {
    self.bot = bot
    self.changes = changes
  }
}

/// A change to the queue or to what is remembered about a bot.
package enum QueueChange: Hashable, Sendable {
  /// Adds a waiting entry.
  case queue(Assignment)
  /// Moves a waiting entry to a newer commit; `covered` is the complete list, newest first.
  case extend(QueueEntry.ID, commit: CommitID, covered: [CommitID])
  /// Removes a waiting entry from the queue.
  case supersede(QueueEntry.ID, reason: String)
  /// Records a commit that is skipped.
  case skip(Assignment, reason: String)
  /// Requests the end of a running entry.
  case cancel(QueueEntry.ID, reason: String)
  /// The bot's repository has been examined; whatever appears from now on is new.
  case sighted
  case remember(RefName, CommitID)
  case forget(RefName)
  /// The periodic time up to which no integration is due.
  case markPeriod(Date)
  /// The identity of the toolchain that the bot was integrated with.
  case rememberToolchain(String)
}
