package import FoundationEssentials

/// What follows from one look at a bot, to be written down as a whole or not at all.
package struct Decision: Hashable, Sendable {
  package var bot: String
  /// In the order in which they are made.
  package var changes: [QueueChange]

  package init(bot: String, changes: [QueueChange] = []) {
    self.bot = bot
    self.changes = changes
  }
}

/// One change of the queue or of what is remembered about a bot.
package enum QueueChange: Hashable, Sendable {
  /// Adds an entry that waits.
  case queue(Assignment)
  /// Turns a waiting entry to a newer commit; `covered` is the whole list, newest first.
  case extend(QueueEntry.ID, commit: CommitID, covered: [CommitID])
  /// Takes a waiting entry out of the queue.
  case supersede(QueueEntry.ID, reason: String)
  /// Records a commit that is passed over.
  case skip(Assignment, reason: String)
  /// Asks for the end of a running entry.
  case cancel(QueueEntry.ID, reason: String)
  /// The bot's repository has been looked at; what appears from now on is new.
  case sighted
  case remember(RefName, CommitID)
  case forget(RefName)
  /// The periodic time up to which nothing is owed.
  case markPeriod(Date)
  /// The identity of the toolchain that the bot was integrated with.
  case rememberToolchain(String)
}
