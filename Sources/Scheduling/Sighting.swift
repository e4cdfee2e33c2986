package import Model

/// A commit that appeared on a branch, with what decides whether it is passed over.
package struct NewCommit: Hashable, Sendable {
  package var id: CommitID
  package var parents: [CommitID]
  /// The whole message.
  package var message: String
  /// The paths it changes against its first parent, relative to the repository; nil when they were not read.
  package var paths: [String]?

  package init(id: CommitID, parents: [CommitID] = [], message: String = "", paths: [String]? = nil) {
    self.id = id
    self.parents = parents
    self.message = message
    self.paths = paths
  }
}

/// A branch or tag that points elsewhere than when it was last seen.
package struct RefMove: Hashable, Sendable {
  package var ref: RefName
  /// Nil for one that was not there.
  package var old: CommitID?
  package var new: CommitID

  package init(ref: RefName, old: CommitID?, new: CommitID) {
    self.ref = ref
    self.old = old
    self.new = new
  }
}

/// What lies between the old and the new commit of a ref that moved.
package enum MoveHistory: Hashable, Sendable {
  /// The new commit descends from the old one: all commits between, newest first, children before parents.
  case advanced([NewCommit])
  /// The new commit does not descend from the old one: the commits that only the new one reaches, newest first, and those
  /// of the commits covered by what waits or runs for this ref that the new one reaches too.
  case rewritten([NewCommit], stillReached: Set<CommitID>)
  /// The ref is new, or there are too many commits to look at each: its newest commit alone.
  case tip(NewCommit)
}

/// One look at the repository of a bot, beside what is remembered about it.
package struct Sighting: Sendable {
  /// Where the bot's refs pointed when they were last seen; nil when the repository was never looked at for this bot.
  package var seen: [RefName: CommitID]?
  package var tips: Tips
  /// What lies between, for each ref that `CommitDecision.moves` lists; one that is missing counts as its tip alone.
  package var histories: [RefName: MoveHistory]
  /// The entries of the bot that wait or run, in the order of their identities.
  package var entries: [QueueEntry]
  /// For each ref, those of the commits in `histories` that an entry of this bot and ref already covers, superseded ones
  /// left out.
  package var covered: [RefName: Set<CommitID>]
  /// The change requests that moved to a commit which no branch of the repository holds.
  package var strange: Set<RefName> = []

  package init(
    seen: [RefName: CommitID]?, tips: Tips, histories: [RefName: MoveHistory] = [:], entries: [QueueEntry] = [],
    covered: [RefName: Set<CommitID>] = [:]
  ) {
    self.seen = seen
    self.tips = tips
    self.histories = histories
    self.entries = entries
    self.covered = covered
  }
}
