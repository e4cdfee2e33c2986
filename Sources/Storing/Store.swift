package import FoundationEssentials
package import Model

/// The database of the home: the queue, the refs last seen, and the index of all past integrations.
///
/// Every operation is a transaction that is on disk when the operation returns. The journal is SQLite's write-ahead
/// log, with a sync at every commit (`synchronous=FULL`): without it a power failure could undo commits that were
/// reported, and an integration's number would be assigned again
/// (https://www.sqlite.org/pragma.html#pragma_synchronous).
///
/// Several processes read and write it concurrently: the watcher, its children, one-shot runs and readers. Transactions
/// are short and take the write lock at their beginning; one that encounters another waits for it, for a few seconds at
/// most. A store must be used on one thread at a time.
package struct Store: ~Copyable {
  /// The name of the file in the home.
  package static let fileName = "martlet.sqlite"
  /// What is behind the name of a file beside the database that several machines use.
  package static let sharedSuffix = "-shared"

  var connection: Connection

  /// Opens the database for writing, creating it or migrating it if necessary.
  package init(at path: String) throws(StoringError) {
    try self.init(at: path, disk: nil)
  }

  /// Returns an empty, private database in memory, which disappears with the store.
  package static func inMemory() throws(StoringError) -> Store { try Store(at: Connection.memory) }

  /// Opens the database on a disk simulated by a test.
  init(at path: String, disk: String?) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: true, disk: disk)
    _ = try Schema.version(&connection)
    try connection.chooseJournal()
    try connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;", "set the database up")
    try Schema.migrate(&connection)
    self.connection = connection
  }

  /// Reopens the database, because a connection may retain what it encountered on a failed disk.
  ///
  /// The old connection is closed first: connections of a process share what SQLite knows about the file, for instance
  /// that its index could once be opened only for reading (https://www.sqlite.org/wal.html#read_only_databases). If
  /// this throws, the store refuses every operation until it is reopened.
  package mutating func reopen() throws(StoringError) {
    let path = connection.path
    connection.close()
    self = try Store(at: path)
  }

  /// Opens an existing database for reading.
  package init(reading path: String) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: false)
    let version = try Schema.version(&connection)
    guard version > 0 else {
      throw StoringError(
        .unmade, "read the database \(path)", because: "nothing was written to it yet", next: "Try again in a moment.")
    }
    guard version == Schema.migrations.count else {
      throw StoringError(
        .request, "read the database \(path)", because: "an older Martlet wrote it",
        next: "Run 'martlet reindex' once, which brings it up to date.")
    }
    self.connection = connection
  }

  /// Records a decision in a single transaction.
  ///
  /// - Parameter isAnnounced: Whether a forge is told about the queued entries.
  /// - Returns: The IDs of the queued entries, in order.
  @discardableResult
  package mutating func apply(_ decision: Decision, isAnnounced: Bool = false) throws(StoringError) -> [QueueEntry.ID] {
    guard !decision.changes.isEmpty else { return [] }
    let what = "write a decision down"
    return try connection.transaction(what) { connection throws(StoringError) in
      let queued = try connection.make(decision.changes, of: decision.bot)
      if isAnnounced { try connection.announce(queued, what) }
      return queued
    }
  }

  /// Starts a waiting entry and assigns it a number: one more than any the bot has had, and than `floor`.
  ///
  /// - Parameters:
  ///   - floor: The highest number among the folders of the bot's integrations.
  ///   - handed: The machine that is to carry it out; nil for this one.
  ///   - isAnnounced: Whether a forge is told about it, even if that was not known when it was queued.
  package mutating func start(
    _ id: QueueEntry.ID, above floor: Int = 0, at now: Date, handedTo handed: HandedIntegration? = nil,
    isAnnounced: Bool = false
  ) throws(StoringError) -> Int {
    let what = "start an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let bot = try connection.bot(ofEntry: id, in: .pending, what)
      try connection.run(
        "UPDATE bots SET last_number = max(last_number, ?) + 1 WHERE id = ?", [.integer(floor), .integer(bot)], what)
      let number = try connection.integer("SELECT last_number FROM bots WHERE id = ?", [.integer(bot)], what)
      try connection.run(
        "UPDATE entries SET state = 'running', number = ?, started_at = ? WHERE id = ?",
        [.integer(number), .date(now), .integer(id)], what)
      if let handed { try connection.hand(id, to: handed, what) }
      if isAnnounced { try connection.announce([id], what) }
      return number
    }
  }

  /// Closes a running entry, and makes the changes that follow from its end in the same transaction.
  ///
  /// - Parameter isAnnounced: Whether a forge is told about the queued entries.
  /// - Returns: The IDs of the entries that the changes queued.
  @discardableResult
  package mutating func finish(
    _ id: QueueEntry.ID, _ summary: IntegrationSummary, then changes: [QueueChange] = [], isAnnounced: Bool = false
  ) throws(StoringError) -> [QueueEntry.ID] {
    let what = "close an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let bot = try connection.bot(ofEntry: id, in: .running, what)
      try connection.close(id, summary, what)
      try connection.dropHanded(id, what)
      let name = try connection.rows("SELECT name FROM bots WHERE id = ?", [.integer(bot)], what) { $0.text(0) }
      let queued = try connection.make(changes, of: name.first ?? "")
      if isAnnounced { try connection.announce(queued, what) }
      return queued
    }
  }

  /// Corrects the outcome of a finished integration, after something came up since; what was never queued has no entry.
  package mutating func correct(_ summary: IntegrationSummary, _ number: Int, of bot: String) throws(StoringError) {
    try connection.run(
      """
      UPDATE entries SET outcome = ?, reason = ?
      WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number = ? AND state = 'finished'
      """,
      [.text(summary.outcome.rawValue), .optional(summary.reason), .text(bot), .integer(number)],
      "correct how an integration ended")
  }

  /// Removes a waiting entry from the queue, or requests the end of a running one.
  /// - Returns: Whether there was something to cancel.
  package mutating func cancel(_ id: QueueEntry.ID, reason: String) throws(StoringError) -> Bool {
    let what = "cancel an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let dropped = try connection.supersede(id, reason, what)
      let asked = try connection.askToCancel(id, reason, what)
      return dropped || asked
    }
  }

  /// Protects an integration from removal, or ends that protection.
  /// - Returns: Whether there is such an integration, whose files still exist.
  package mutating func pin(_ number: Int, of bot: String, _ isPinned: Bool = true) throws(StoringError) -> Bool {
    try connection.run(
      """
      UPDATE entries SET is_pinned = ?
      WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number = ? AND is_removed = 0
      """, [.boolean(isPinned), .text(bot), .integer(number)], "pin an integration") > 0
  }

  /// Removes a bot with its queue, the refs last seen for it, and all its integrations.
  package mutating func remove(_ bot: String) throws(StoringError) {
    let what = "forget a bot"
    try connection.transaction(what) { connection throws(StoringError) in
      let mine = "(SELECT id FROM bots WHERE name = ?)"
      for sql in [
        "UPDATE handed SET is_dropped = 1 WHERE entry IN (SELECT id FROM entries WHERE bot = \(mine))",
        "DELETE FROM last_places WHERE bot = \(mine)",
        "DELETE FROM covered WHERE entry IN (SELECT id FROM entries WHERE bot = \(mine))",
        "DELETE FROM entries WHERE bot = \(mine)", "DELETE FROM tips WHERE bot = \(mine)",
        "DELETE FROM bots WHERE name = ?", "DELETE FROM integrations WHERE bot = ?",
      ] { try connection.run(sql, [.text(bot)], what) }
    }
  }

  /// Returns whether a bot can be given a name: whether it is not in the queue, or nothing in the queue has that name.
  package mutating func isFree(_ name: String, for bot: String) throws(StoringError) -> Bool {
    try connection.integer(
      """
      SELECT NOT EXISTS (SELECT 1 FROM bots WHERE name = ?1)
        OR NOT EXISTS (SELECT 1 FROM entries WHERE bot = (SELECT id FROM bots WHERE name = ?2))
      """, [.text(bot), .text(name)], "look whether a name is free") == 1
  }

  /// Renames a bot; a repeated call changes nothing. The new name must be free; a bot of that name that was only looked
  /// at is forgotten.
  package mutating func rename(_ bot: String, to name: String) throws(StoringError) {
    let what = "rename a bot"
    try connection.transaction(what) { connection throws(StoringError) in
      let isThere = try connection.integer("SELECT count(*) FROM bots WHERE name = ?", [.text(bot)], what) > 0
      let other = "(SELECT id FROM bots WHERE name = ?)"
      for sql in [
        "DELETE FROM tips WHERE bot = \(other)", "DELETE FROM last_places WHERE bot = \(other)",
        "DELETE FROM bots WHERE name = ?", "DELETE FROM integrations WHERE bot = ?",
      ] where isThere { try connection.run(sql, [.text(name)], what) }
      for sql in ["UPDATE bots SET name = ? WHERE name = ?", "UPDATE integrations SET bot = ? WHERE bot = ?"] {
        try connection.run(sql, [.text(name), .text(bot)], what)
      }
    }
  }

  /// Records that the files of finished integrations were removed; their figures remain.
  package mutating func noteRemoval(of numbers: [Int], of bot: String) throws(StoringError) {
    let what = "note what was removed"
    try connection.transaction(what) { connection throws(StoringError) in
      for number in numbers {
        try connection.run(
          """
          UPDATE entries SET is_removed = 1, bytes = 0
          WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number = ? AND state = 'finished'
          """, [.text(bot), .integer(number)], what)
        try connection.run(
          "UPDATE integrations SET is_removed = 1 WHERE bot = ? AND number = ?", [.text(bot), .integer(number)], what)
        try connection.run(
          """
          DELETE FROM verdicts
          WHERE integration = (SELECT id FROM integrations WHERE bot = ? AND number = ?)
          """, [.text(bot), .integer(number)], what)
      }
    }
  }
}

extension Store {
  /// Returns the sorted names of all known bots.
  package mutating func bots() throws(StoringError) -> [String] {
    try connection.rows("SELECT name FROM bots ORDER BY name", [], "list the bots") { $0.text(0) }
  }

  /// Returns the stored state of a bot; an empty one if it is unknown.
  package mutating func memory(of bot: String) throws(StoringError) -> BotMemory {
    let what = "read what is known about a bot"
    var memory = BotMemory()
    let found = try connection.rows(
      "SELECT id, is_sighted, period_mark, toolchain FROM bots WHERE name = ?", [.text(bot)], what
    ) { row in
      memory.periodMark = row.optionalDate(2)
      memory.toolchain = row.optionalText(3)
      return (id: row.integer(0), isSighted: row.boolean(1))
    }
    guard let row = found.first, row.isSighted else { return memory }
    let tips = try connection.rows("SELECT ref, commit_id FROM tips WHERE bot = ?", [.integer(row.id)], what) {
      (RefName(rawValue: $0.text(0)), CommitID(rawValue: $0.text(1)))
    }
    memory.tips = Dictionary(tips, uniquingKeysWith: { $1 })
    return memory
  }

  /// Returns all waiting and running entries, in the order they were queued.
  package mutating func openEntries() throws(StoringError) -> [QueueEntry] {
    try connection.history(
      "WHERE entries.state IN ('pending', 'running') ORDER BY entries.id", [], "read the queue"
    ).map(\.entry)
  }

  /// Returns a bot's waiting and running entries, in the order they were queued.
  package mutating func openEntries(of bot: String) throws(StoringError) -> [QueueEntry] {
    try connection.history(
      "WHERE entries.state IN ('pending', 'running') AND bots.name = ? ORDER BY entries.id", [.text(bot)],
      "read the queue"
    ).map(\.entry)
  }

  /// Returns those of the commits that are covered by an entry of this bot and ref, excluding superseded entries and
  /// those that were cut off and whose next attempt was superseded.
  package mutating func covered(
    _ commits: [CommitID], of bot: String, on ref: RefName
  ) throws(StoringError) -> Set<CommitID> {
    var found: Set<CommitID> = []
    for commit in commits {
      let entries = try connection.rows(
        """
        SELECT 1 FROM covered CROSS JOIN entries ON entries.id = covered.entry
        WHERE covered.commit_id = ? AND entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.ref = ?
          AND entries.state <> 'superseded'
          AND NOT (entries.state = 'finished' AND entries.outcome IN ('internal-error', 'canceled')
            AND EXISTS (
              SELECT 1 FROM covered AS other JOIN entries AS later ON later.id = other.entry
              WHERE other.commit_id = covered.commit_id AND later.bot = entries.bot AND later.ref = entries.ref
                AND later.id > entries.id AND later.state = 'superseded'))
        LIMIT 1
        """, [.text(commit.rawValue), .text(bot), .text(ref.rawValue)], "look for a commit"
      ) { $0.integer(0) }
      if !entries.isEmpty { found.insert(commit) }
    }
    return found
  }

  /// Returns up to `limit` numbered integrations of a bot, newest first.
  package mutating func history(of bot: String, limit: Int) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.number IS NOT NULL
      ORDER BY entries.number DESC LIMIT ?
      """, [.text(bot), .integer(limit)], "read a bot's history")
  }

  /// Returns the outcomes of up to `limit` finished integrations of a bot, newest first.
  package mutating func ends(of bot: String, limit: Int) throws(StoringError) -> [IntegrationEnd] {
    try connection.rows(
      """
      SELECT entries.number, ref, entries.outcome, ended_at, coalesce(json_extract(line, '$.behindBranch'), 0),
        line IS NOT NULL AND NOT (\(Self.isOfPackageNow))
      FROM entries LEFT JOIN integrations ON integrations.bot = :bot AND integrations.number = entries.number
      WHERE entries.bot = (SELECT id FROM bots WHERE name = :bot)
        AND entries.number IS NOT NULL AND entries.outcome IS NOT NULL
      ORDER BY entries.number DESC LIMIT :limit
      """, [.text(bot), .integer(limit)], "read how a bot's integrations ended"
    ) { row in
      IntegrationEnd(
        number: row.integer(0), ref: RefName(rawValue: row.text(1)),
        outcome: Outcome(rawValue: row.text(2)) ?? .internalError, endedAt: row.date(3),
        isOneOff: row.boolean(4), isOfOtherPackage: row.boolean(5))
    }
  }

  /// Returns the newest finished integration that tells how a ref stands: none that was canceled, and none of a commit
  /// that was an older one of its branch.
  package mutating func lastTelling(of bot: String, on ref: RefName) throws(StoringError) -> HistoryEntry? {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?1) AND entries.ref = ?2 AND entries.number IS NOT NULL
        AND entries.outcome <> 'canceled' AND coalesce((
          SELECT json_extract(line, '$.behindBranch') FROM integrations
          WHERE integrations.bot = ?1 AND integrations.number = entries.number), 0) = 0
      ORDER BY entries.number DESC LIMIT 1
      """, [.text(bot), .text(ref.rawValue)], "read how a branch stands"
    ).first
  }

  /// Returns an integration of a bot, or nil if there is none with this number.
  package mutating func integration(_ number: Int, of bot: String) throws(StoringError) -> HistoryEntry? {
    try connection.history(
      "WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.number = ?",
      [.text(bot), .integer(number)],
      "read an integration"
    ).first
  }

  /// Returns an entry in any state, or nil if there is none.
  package mutating func entry(_ id: QueueEntry.ID) throws(StoringError) -> HistoryEntry? {
    try connection.history("WHERE entries.id = ?", [.integer(id)], "read an entry").first
  }

  /// Returns skipped and superseded entries with their reasons, newest first, without those whose commit another entry of
  /// the same ref integrates.
  package mutating func aside(of bot: String, limit: Int) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.state IN ('skipped', 'superseded')
        AND NOT EXISTS (
          SELECT 1 FROM covered CROSS JOIN entries AS other ON other.id = covered.entry
          WHERE covered.commit_id = entries.commit_id AND other.commit_id = entries.commit_id
            AND other.bot = entries.bot AND other.ref = entries.ref
            AND other.state NOT IN ('skipped', 'superseded'))
      ORDER BY entries.id DESC LIMIT ?
      """, [.text(bot), .integer(limit)], "read what a bot passed over")
  }

  /// Returns the finished integrations of a bot whose files still exist, oldest first.
  package mutating func kept(of bot: String) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.state = 'finished' AND entries.is_removed = 0
      ORDER BY entries.number
      """, [.text(bot)], "list a bot's integrations")
  }
}

/// The stored state of a bot.
package struct BotMemory: Hashable, Sendable {
  /// The bot's refs and their commits when last seen; nil if its repository has never been read.
  package var tips: [RefName: CommitID]?
  /// The periodic time up to which no integration is owed.
  package var periodMark: Date?
  /// The identity of the toolchain last used to integrate it.
  package var toolchain: String?
}
