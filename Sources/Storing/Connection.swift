import CSQLite
import Glibc
import Model

/// The owner of a SQLite handle and the statements prepared on it, all of which it releases when it is destroyed.
struct Connection: ~Copyable {
  /// The time that a statement waits for another process that has locked the database, in milliseconds.
  static let patience: Int32 = 5000

  /// The path of a database that exists only in memory.
  static let memory = ":memory:"

  let path: String
  /// Nil once closed.
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens the file, creating it if it is writable.
  /// - Parameter disk: The name of the SQLite VFS that reads and writes the file; nil for the system's.
  init(path: String, isWritable: Bool, disk: String? = nil) throws(StoringError) {
    if isWritable, path != Self.memory { Self.makePrivately(path) }
    var opened: OpaquePointer?
    let access = isWritable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, disk)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory for it"
      sqlite3_close_v2(opened)
      throw StoringError(code: code, message: message, doing: "open the database", path: path)
    }
    // If a file cannot be opened for writing, SQLite opens it for reading and reports that only at the first change.
    guard !isWritable || sqlite3_db_readonly(opened, "main") == 0 else {
      sqlite3_close_v2(opened)
      throw StoringError(
        code: SQLITE_READONLY, message: "it can only be read", doing: "open the database", path: path)
    }
    self.path = path
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience)
  }

  /// Creates the file with access for this user alone, if it does not exist. SQLite gives its other files the same
  /// mode, and reports any error itself.
  private static func makePrivately(_ path: String) {
    // Only a newly created file may be closed here: closing an existing one would lose this process's locks on it
    // (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Releases everything. Any later use throws an error.
  mutating func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
    (statements, handle) = ([:], nil)
  }

  /// Runs statements that have no parameters and return no rows.
  func execute(_ script: String, _ what: String) throws(StoringError) {
    try checkIsOpen(what)
    try check(sqlite3_exec(handle, script, nil, nil, nil), what)
  }

  /// Runs a statement and returns the number of rows it changed.
  @discardableResult
  mutating func run(_ sql: String, _ values: [SQLValue] = [], _ what: String) throws(StoringError) -> Int {
    _ = try rows(sql, values, what) { _ in () }
    return Int(sqlite3_changes(handle))
  }

  /// Runs a query and reads each of its rows.
  mutating func rows<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ what: String, _ read: (borrowing Row) -> Value
  ) throws(StoringError) -> [Value] {
    let statement = try prepared(sql, what)
    // Also after an error: a statement that is not reset keeps its transaction open.
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try bind(value, to: statement, at: Int32(index + 1), what) }
    var found: [Value] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw error(code, what) }
        return found
      }
      found.append(read(Row(statement: statement)))
    }
  }

  /// Runs a query for a single number; 0 if it has no row.
  mutating func integer(_ sql: String, _ values: [SQLValue] = [], _ what: String) throws(StoringError) -> Int {
    try rows(sql, values, what) { $0.integer(0) }.first ?? 0
  }

  /// The row ID of the last inserted row.
  var lastInserted: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Selects the write-ahead log, which lets readers and a writer work concurrently, unless several machines use the
  /// file: it needs memory that all its users share (https://www.sqlite.org/wal.html).
  ///
  /// Where it is unavailable, SQLite keeps its rollback journal, which is as safe but slower. If two processes select it
  /// at once, one is refused without waiting (https://www.sqlite.org/c3ref/busy_handler.html), so this tries again.
  mutating func chooseJournal() throws(StoringError) {
    let journal = access(path + Store.sharedSuffix, F_OK) == 0 ? "DELETE" : "WAL"
    let end = ContinuousClock.now.advanced(by: .milliseconds(Int(Self.patience)))
    while true {
      do throws(StoringError) {
        return _ = try rows("PRAGMA journal_mode = \(journal)", [], "choose the journal") { $0.text(0) }
      } catch {
        guard error.kind == .locked, ContinuousClock.now < end else { throw error }
        sqlite3_sleep(5)
      }
    }
  }

  /// Performs all of `body` or none of it.
  ///
  /// The write lock is taken at the beginning, so that anything read in the transaction still holds when it is written.
  mutating func transaction<Value>(
    _ what: String, _ body: (inout Connection) throws(StoringError) -> Value
  ) throws(StoringError) -> Value {
    try run("BEGIN IMMEDIATE", [], what)
    do throws(StoringError) {
      let value = try body(&self)
      try run("COMMIT", [], what)
      return value
    } catch {
      // SQLite has already rolled back after some errors, such as a full disk.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Empties the database, whatever its contents, and makes this visible to other processes that have it open
  /// (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigresetdatabase).
  mutating func reset(_ what: String) throws(StoringError) {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    try check(shim_reset_database(handle, 1), what)
    let code = sqlite3_exec(handle, "VACUUM", nil, nil, nil)
    _ = shim_reset_database(handle, 0)
    try check(code, what)
  }

  private mutating func prepared(_ sql: String, _ what: String) throws(StoringError) -> OpaquePointer {
    try checkIsOpen(what)
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil), what)
    guard let made else { throw StoringError(.other, what, because: "the statement is empty", next: "Report this.") }
    statements[sql] = made
    return made
  }

  private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32, _ what: String)
    throws(StoringError)
  {
    let code =
      switch value {
      case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
      case .real(let number): sqlite3_bind_double(statement, index, number)
      case .null: sqlite3_bind_null(statement, index)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            // A null pointer would be bound as NULL.
            $0.baseAddress.map { shim_bind_text(statement, index, $0, Int32(clamping: bytes.count)) }
              ?? shim_bind_text(statement, index, "", 0)
          }
        }
      }
    try check(code, what)
  }

  private func checkIsOpen(_ what: String) throws(StoringError) {
    guard handle == nil else { return }
    throw StoringError(
      .other, "\(what) in \(path)", because: "the database is closed",
      next: "It could not be opened again; the error before this one says why.")
  }

  private func check(_ code: Int32, _ what: String) throws(StoringError) {
    if code != SQLITE_OK { throw error(code, what) }
  }

  private func error(_ code: Int32, _ what: String) -> StoringError {
    StoringError(code: code, message: String(cString: sqlite3_errmsg(handle)), doing: what, path: path)
  }
}

extension Connection {
  /// Makes changes in order, inside a transaction. Returns the entries that were queued.
  mutating func make(_ changes: [QueueChange], of name: String) throws(StoringError) -> [QueueEntry.ID] {
    guard !changes.isEmpty else { return [] }
    let what = "write a decision down"
    let bot = try identity(ofBot: name, what)
    var queued: [QueueEntry.ID] = []
    for change in changes {
      switch change {
      case .queue(let assignment):
        queued.append(try insert(assignment, of: bot, as: .pending, reason: nil, what))
      case .skip(let assignment, let reason):
        _ = try insert(assignment, of: bot, as: .skipped, reason: reason, what)
      case .extend(let id, let commit, let covered): try extend(id, commit, covered, what)
      case .supersede(let id, let reason): _ = try supersede(id, reason, what)
      case .cancel(let id, let reason): _ = try askToCancel(id, reason, what)
      case .sighted: try run("UPDATE bots SET is_sighted = 1 WHERE id = ?", [.integer(bot)], what)
      case .remember(let ref, let commit):
        try run(
          "INSERT OR REPLACE INTO tips (bot, ref, commit_id) VALUES (?, ?, ?)",
          [.integer(bot), .text(ref.rawValue), .text(commit.rawValue)], what)
      case .forget(let ref):
        try run("DELETE FROM tips WHERE bot = ? AND ref = ?", [.integer(bot), .text(ref.rawValue)], what)
      case .markPeriod(let date):
        try run(
          "UPDATE bots SET period_mark = ? WHERE id = ?", [.date(date), .integer(bot)], what)
      case .rememberToolchain(let identity):
        try run("UPDATE bots SET toolchain = ? WHERE id = ?", [.text(identity), .integer(bot)], what)
      }
    }
    return queued
  }

  /// Returns the row ID of a bot, inserting the bot if it is missing.
  mutating func identity(ofBot name: String, _ what: String) throws(StoringError) -> Int {
    try run("INSERT INTO bots (name) VALUES (?) ON CONFLICT (name) DO NOTHING", [.text(name)], what)
    return try integer("SELECT id FROM bots WHERE name = ?", [.text(name)], what)
  }

  mutating func insert(
    _ assignment: Assignment, of bot: Int, as state: QueueEntry.State, reason: String?, _ what: String
  ) throws(StoringError) -> QueueEntry.ID {
    try run(
      """
      INSERT INTO entries (bot, ref, commit_id, cause, attempt, queued_at, state, reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(bot), .text(assignment.ref?.rawValue ?? ""), .text(assignment.commit.rawValue),
        .text(assignment.cause.rawValue), .integer(assignment.attempt),
        .date(assignment.queuedAt), .text(state.rawValue), .optional(reason),
      ], what)
    let id = lastInserted
    try cover(assignment.covered, by: id, what)
    return id
  }

  private mutating func cover(_ commits: [CommitID], by id: QueueEntry.ID, _ what: String) throws(StoringError) {
    for (position, commit) in commits.enumerated() {
      try run(
        "INSERT INTO covered (entry, position, commit_id) VALUES (?, ?, ?)",
        [.integer(id), .integer(position), .text(commit.rawValue)], what)
    }
  }

  private mutating func extend(
    _ id: QueueEntry.ID, _ commit: CommitID, _ covered: [CommitID], _ what: String
  ) throws(StoringError) {
    _ = try bot(ofEntry: id, in: .pending, what)
    // A different commit has not been attempted yet.
    try run(
      "UPDATE entries SET attempt = CASE WHEN commit_id = ?1 THEN attempt ELSE 1 END, commit_id = ?1 WHERE id = ?2",
      [.text(commit.rawValue), .integer(id)], what)
    try run("DELETE FROM covered WHERE entry = ?", [.integer(id)], what)
    try cover(covered, by: id, what)
  }

  mutating func supersede(_ id: QueueEntry.ID, _ reason: String, _ what: String) throws(StoringError) -> Bool {
    try run(
      "UPDATE entries SET state = 'superseded', reason = ? WHERE id = ? AND state = 'pending'",
      [.text(reason), .integer(id)], what) > 0
  }

  mutating func askToCancel(_ id: QueueEntry.ID, _ reason: String, _ what: String) throws(StoringError) -> Bool {
    try run(
      "UPDATE entries SET cancel_reason = coalesce(cancel_reason, ?) WHERE id = ? AND state = 'running'",
      [.text(reason), .integer(id)], what) > 0
  }

  /// Returns the bot of an entry; throws if the entry is not in the given state.
  mutating func bot(
    ofEntry id: QueueEntry.ID, in state: QueueEntry.State, _ what: String
  ) throws(StoringError) -> Int {
    let found = try rows("SELECT bot, state FROM entries WHERE id = ?", [.integer(id)], what) {
      (bot: $0.integer(0), state: $0.text(1))
    }
    guard let entry = found.first, entry.state == state.rawValue else {
      throw StoringError(
        .request, "\(what) in \(path)",
        because: "entry \(id) is \(found.first?.state ?? "not there"), not \(state.rawValue)",
        next: "Look at the queue again: it has changed in the meantime.")
    }
    return entry.bot
  }

  /// Records how an entry ended.
  mutating func close(_ id: QueueEntry.ID, _ summary: IntegrationSummary, _ what: String) throws(StoringError) {
    let tests = summary.tests
    let coverage = summary.coverage
    try run(
      """
      UPDATE entries SET state = 'finished', outcome = ?, reason = ?, only_gates_failed = ?, ended_at = ?,
        passed = ?, failed = ?, expected_failures = ?, skipped = ?, crashed = ?, timed_out = ?, canceled = ?,
        not_run = ?, filtered_out = ?, flaky = ?,
        lines = ?, covered_lines = ?, partial_lines = ?, regions = ?, covered_regions = ?, functions = ?,
        covered_functions = ?, is_coverage_complete = ?, warnings = ?, bytes = ?
      WHERE id = ?
      """,
      [
        .text(summary.outcome.rawValue), .optional(summary.reason), .boolean(summary.onlyGatesFailed),
        .date(summary.endedAt),
        .integer(tests.passed), .integer(tests.failed), .integer(tests.expectedFailures), .integer(tests.skipped),
        .integer(tests.crashed), .integer(tests.timedOut), .integer(tests.canceled), .integer(tests.notRun),
        .integer(tests.filteredOut), .integer(tests.flaky),
        .optional(coverage?.lines.total), .optional(coverage?.lines.covered), .optional(coverage?.lines.partial),
        .optional(coverage?.regions.total), .optional(coverage?.regions.covered),
        .optional(coverage?.functions.total), .optional(coverage?.functions.covered),
        .boolean(summary.isCoverageComplete), .integer(summary.warnings), .integer(summary.bytes),
        .integer(id),
      ], what)
  }
}

extension Connection {
  /// The columns that `entry(_:)` and `summary(_:)` read, in order.
  private static let columns = """
    entries.id, bots.name, entries.ref, entries.commit_id, entries.cause, entries.attempt, entries.queued_at,
    entries.state, entries.number, entries.started_at, entries.reason, entries.cancel_reason, entries.is_pinned,
    entries.only_gates_failed, entries.outcome, entries.ended_at, entries.passed, entries.failed, entries.expected_failures,
    entries.skipped, entries.crashed, entries.timed_out, entries.canceled, entries.not_run, entries.filtered_out,
    entries.flaky, entries.lines, entries.covered_lines, entries.partial_lines, entries.regions,
    entries.covered_regions, entries.functions, entries.covered_functions, entries.is_coverage_complete,
    entries.warnings, entries.bytes
    """

  /// Reads complete entries; `rest` follows `FROM entries JOIN bots` in the query.
  mutating func history(_ rest: String, _ values: [SQLValue], _ what: String) throws(StoringError) -> [HistoryEntry] {
    let place = "FROM entries JOIN bots ON bots.id = entries.bot \(rest)"
    var found = try rows("SELECT \(Self.columns) \(place)", values, what, Self.entry)
    let sql =
      "SELECT entry, commit_id FROM covered WHERE entry IN (SELECT entries.id \(place)) ORDER BY entry, position"
    let commits = try rows(sql, values, what) { (entry: $0.integer(0), id: CommitID(rawValue: $0.text(1))) }
    let covered = Dictionary(grouping: commits, by: \.entry)
    for at in found.indices { found[at].entry.assignment.covered = covered[found[at].entry.id]?.map(\.id) ?? [] }
    return found
  }

  private static func entry(_ row: borrowing Row) -> HistoryEntry {
    let ref = row.text(2)
    let assignment = Assignment(
      bot: row.text(1), ref: ref.isEmpty ? nil : RefName(rawValue: ref), commit: CommitID(rawValue: row.text(3)),
      cause: Cause(rawValue: row.text(4)) ?? .commit, queuedAt: row.date(6),
      attempt: row.integer(5))
    let entry = QueueEntry(
      id: row.integer(0), assignment: assignment, state: QueueEntry.State(rawValue: row.text(7)) ?? .superseded,
      number: row.optionalInteger(8), startedAt: row.optionalDate(9),
      reason: row.optionalText(10), cancelReason: row.optionalText(11))
    return HistoryEntry(entry: entry, summary: summary(row), isPinned: row.boolean(12))
  }

  private static func summary(_ row: borrowing Row) -> IntegrationSummary? {
    guard let outcome = row.optionalText(14).map({ Outcome(rawValue: $0) ?? .internalError }) else { return nil }
    var tests = TestCounts()
    tests.passed = row.integer(16)
    tests.failed = row.integer(17)
    tests.expectedFailures = row.integer(18)
    tests.skipped = row.integer(19)
    tests.crashed = row.integer(20)
    tests.timedOut = row.integer(21)
    tests.canceled = row.integer(22)
    tests.notRun = row.integer(23)
    tests.filteredOut = row.integer(24)
    tests.flaky = row.integer(25)
    let coverage = CoverageTotals(
      lines: LineTally(total: row.integer(26), covered: row.integer(27), partial: row.integer(28)),
      regions: Tally(total: row.integer(29), covered: row.integer(30)),
      functions: Tally(total: row.integer(31), covered: row.integer(32)))
    return IntegrationSummary(
      outcome: outcome, reason: row.optionalText(10), onlyGatesFailed: row.boolean(13),
      endedAt: row.date(15), tests: tests, coverage: row.isNull(26) ? nil : coverage,
      isCoverageComplete: row.boolean(33), warnings: row.integer(34), bytes: row.integer(35))
  }
}
