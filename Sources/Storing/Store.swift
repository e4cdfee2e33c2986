package import FoundationEssentials
package import Model

/// The database of the home: the queue, what was last seen, and the history of all bots.
///
/// Every operation is one transaction, on the disk when it returns. The journal is SQLite's write-ahead log, with a sync at
/// every commit (`synchronous=FULL`): without it a power cut could take back commits that were reported, and a number that
/// had been given to an integration would be given again (https://www.sqlite.org/pragma.html#pragma_synchronous).
///
/// One process writes; others may read at the same time. A store belongs to one thread at a time.
package struct Store: ~Copyable {
  /// The name of its file in the home.
  package static let fileName = "martlet.sqlite"

  var connection: Connection

  /// Opens the database for writing, creating it or bringing it up to date.
  package init(at path: String) throws(StoringError) {
    try self.init(at: path, disk: nil)
  }

  /// The same on a disk of a test's making.
  init(at path: String, disk: String?) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: true, disk: disk)
    _ = try Schema.version(&connection)
    // Where the log cannot be used, as on some network file systems, SQLite keeps its rollback journal, as safe and slower.
    _ = try connection.rows("PRAGMA journal_mode = WAL", [], "choose the journal") { $0.text(0) }
    try connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;", "set the database up")
    try Schema.migrate(&connection)
    self.connection = connection
  }

  /// Opens the database anew, because a connection may keep what it met on a disk that failed.
  ///
  /// The old connection goes first: connections of one process share what SQLite knows of the file, such as that its
  /// index could once be opened for reading alone (https://www.sqlite.org/wal.html#read_only_databases). When this
  /// throws, the store refuses everything until it is opened.
  package mutating func reopen() throws(StoringError) {
    let path = connection.path
    connection.close()
    self = try Store(at: path)
  }

  /// Opens an existing database for reading.
  package init(reading path: String) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: false)
    guard try Schema.version(&connection) == Schema.migrations.count else {
      throw StoringError(
        .request, "read the database \(path)", because: "an older Martlet wrote it",
        next: "Start `martlet watch` once, which brings it up to date.")
    }
    self.connection = connection
  }

  /// Writes a decision down, all of it or nothing.
  /// - Returns: the identities of the entries that it queued, in order.
  @discardableResult
  package mutating func apply(_ decision: Decision) throws(StoringError) -> [QueueEntry.ID] {
    guard !decision.changes.isEmpty else { return [] }
    return try connection.transaction("write a decision down") { connection throws(StoringError) in
      try connection.make(decision.changes, of: decision.bot)
    }
  }

  /// Turns a waiting entry into a running one and gives it a number: one more than any the bot has had, and than `floor`.
  ///
  /// - Parameter floor: the highest number among the folders of the bot's integrations.
  package mutating func start(_ id: QueueEntry.ID, above floor: Int = 0, at now: Date) throws(StoringError) -> Int {
    let what = "start an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let bot = try connection.bot(ofEntry: id, in: .pending, what)
      try connection.run(
        "UPDATE bots SET last_number = max(last_number, ?) + 1 WHERE id = ?", [.integer(floor), .integer(bot)], what)
      let number =
        try connection.rows("SELECT last_number FROM bots WHERE id = ?", [.integer(bot)], what) { $0.integer(0) }
        .first ?? 0
      try connection.run(
        "UPDATE entries SET state = 'running', number = ?, started_at = ? WHERE id = ?",
        [.integer(number), .real(now.timeIntervalSince1970), .integer(id)], what)
      return number
    }
  }

  /// Closes a running entry, and makes the changes that follow from its end in the same transaction.
  /// - Returns: the identities of the entries that the changes queued.
  @discardableResult
  package mutating func finish(
    _ id: QueueEntry.ID, _ summary: IntegrationSummary, then changes: [QueueChange] = []
  ) throws(StoringError) -> [QueueEntry.ID] {
    let what = "close an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let bot = try connection.bot(ofEntry: id, in: .running, what)
      try connection.close(id, summary, what)
      let name = try connection.rows("SELECT name FROM bots WHERE id = ?", [.integer(bot)], what) { $0.text(0) }
      return try connection.make(changes, of: name.first ?? "")
    }
  }

  /// Takes a waiting entry out of the queue, or asks for the end of a running one.
  /// - Returns: whether there was something to cancel.
  package mutating func cancel(_ id: QueueEntry.ID, reason: String) throws(StoringError) -> Bool {
    let what = "cancel an integration"
    return try connection.transaction(what) { connection throws(StoringError) in
      let dropped = try connection.supersede(id, reason, what)
      let asked = try connection.askToCancel(id, reason, what)
      return dropped || asked
    }
  }

  /// Keeps an integration from being removed, or lets it go again.
  /// - Returns: whether there is such an integration.
  package mutating func pin(_ number: Int, of bot: String, _ isPinned: Bool = true) throws(StoringError) -> Bool {
    try connection.run(
      """
      UPDATE entries SET is_pinned = ?
      WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number = ?
      """, [.integer(isPinned ? 1 : 0), .text(bot), .integer(number)], "pin an integration") > 0
  }

  /// Notes that the files of finished integrations were removed; their figures stay.
  package mutating func noteRemoval(of numbers: [Int], of bot: String) throws(StoringError) {
    let what = "note what was removed"
    try connection.transaction(what) { connection throws(StoringError) in
      for number in numbers {
        try connection.run(
          """
          UPDATE entries SET is_removed = 1, bytes = 0
          WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number = ? AND state = 'finished'
          """, [.text(bot), .integer(number)], what)
      }
    }
  }
}
