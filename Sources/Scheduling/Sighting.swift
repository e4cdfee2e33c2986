package import Model

/// A commit that appeared on a branch, with the details that decide whether it is skipped.
package struct NewCommit: Hashable, Sendable {
  package var id: CommitID
  package var parents: [CommitID]
  /// The complete message.
  package var message: String
  /// The paths that it changes relative to its first parent, relative to the repository; nil if they were not read.
  package var paths: [String]?

  package init(id: CommitID, parents: [CommitID] = [], message: String = "", paths: [String]? = nil) {
    self.id = id
    self.parents = parents
    self.message = message
    self.paths = paths
  }
}

/// A branch or tag that points to a different commit than when it was last seen.
package struct RefMove: Hashable, Sendable {
  package var ref: RefName
  /// Nil if the ref did not exist.
  package var old: CommitID?
  package var new: CommitID
  /// Whether the ref existed before the bot asked for it, so that nothing follows from where it is.
  package var isOld = false
}

/// A snapshot of a bot's repository, along with what is remembered about it.
package struct Sighting: Sendable {
  /// The bot's refs and their commits when last seen; nil if the repository was never read for this bot.
  package var seen: [RefName: CommitID]?
  package var tips: Tips
  /// The history of each ref that `CommitDecision.moves` lists; a missing one counts as its tip alone.
  package var histories: [RefName: MoveHistory]
  /// The waiting and running entries of the bot, in order of their IDs.
  package var entries: [QueueEntry] { didSet { entriesOfRefs = Self.grouped(entries) } }
  /// The same by ref, since a bot may have an entry for each of many thousands of change requests.
  private var entriesOfRefs: [RefName?: [QueueEntry]]
  /// For each ref, the commits in `histories` that an entry of this bot and ref already covers, excluding superseded
  /// entries.
  package var covered: [RefName: Set<CommitID>]
  /// For each ref that moved in another way than to new commits on top of it, those commits of its waiting and running
  /// entries that its new commit reaches.
  package var reached: [RefName: Set<CommitID>] = [:]
  /// The change requests that moved to a commit that is on no branch of the repository.
  package var strange: Set<RefName> = []

  package init(
    seen: [RefName: CommitID]?, tips: Tips, histories: [RefName: MoveHistory] = [:], entries: [QueueEntry] = [],
    covered: [RefName: Set<CommitID>] = [:]
  ) {
    self.seen = seen
    self.tips = tips
    self.histories = histories
    self.entries = entries
    entriesOfRefs = Self.grouped(entries)
    self.covered = covered
  }

  private static func grouped(_ entries: [QueueEntry]) -> [RefName?: [QueueEntry]] {
    Dictionary(grouping: entries, by: \.ref)
  }

  /// Returns the waiting and running entries for a ref, in order of their IDs.
  package func entries(for ref: RefName) -> [QueueEntry] { entriesOfRefs[ref] ?? [] }

  /// Returns the entries waiting for commits that a rewritten ref no longer holds.
  func lost(for ref: RefName) -> [QueueEntry] {
    guard let reached = reached[ref] else { return [] }
    return waiting(for: ref, causes: [.commit]).filter { !reached.contains($0.commit) }
  }

  func waiting(for ref: RefName, causes: Set<Cause>) -> [QueueEntry] {
    entries(for: ref).filter { $0.state == .pending && causes.contains($0.cause) }
  }
}
