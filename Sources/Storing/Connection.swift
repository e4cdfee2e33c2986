import CSQLite
import Glibc

/// A value of a statement's parameter.
enum SQLValue: Hashable {
  case integer(Int)
  case real(Double)
  case text(String)
  case null

  static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }
}

/// The owner of one SQLite handle and of the statements prepared on it; gives both back when it goes.
struct Connection: ~Copyable {
  /// How long a statement waits for another process that holds the database, in milliseconds.
  static let patience: Int32 = 5000

  let path: String
  /// Nil once it is closed.
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens the file, creating it when it may be written.
  /// - Parameter disk: the name of the SQLite VFS that reads and writes it; nil for the system's.
  init(path: String, isWritable: Bool, disk: String? = nil) throws(StoringError) {
    if isWritable { Self.makePrivately(path) }
    var opened: OpaquePointer?
    let access = isWritable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, disk)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory for it"
      sqlite3_close_v2(opened)
      throw StoringError(code: code, message: message, doing: "open the database", path: path)
    }
    // Where a file cannot be opened for writing, SQLite opens it for reading, and says so at the first change only.
    guard !isWritable || sqlite3_db_readonly(opened, "main") == 0 else {
      sqlite3_close_v2(opened)
      throw StoringError(
        code: SQLITE_READONLY, message: "it can only be read", doing: "open the database", path: path)
    }
    self.path = path
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience)
  }

  /// Makes the file for this user alone, where there is none; SQLite gives its others the same mode. What prevents that it
  /// says itself.
  private static func makePrivately(_ path: String) {
    // Only a file of its own making may be closed here: with another's, this process would lose its locks on it
    // (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Gives everything back; what is asked afterwards is refused.
  mutating func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
    (statements, handle) = ([:], nil)
  }

  /// Runs statements that have no parameters and no rows.
  func execute(_ script: String, _ what: String) throws(StoringError) {
    try checkIsOpen(what)
    try check(sqlite3_exec(handle, script, nil, nil, nil), what)
  }

  /// Runs a statement and says how many rows it changed.
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

  /// The identity of the row that was inserted last.
  var lastInserted: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Does all of `body` or nothing of it.
  ///
  /// The write lock is taken at the beginning, so that what is read in it still holds when it is written.
  mutating func transaction<Value>(
    _ what: String, _ body: (inout Connection) throws(StoringError) -> Value
  ) throws(StoringError) -> Value {
    try run("BEGIN IMMEDIATE", [], what)
    do throws(StoringError) {
      let value = try body(&self)
      try run("COMMIT", [], what)
      return value
    } catch {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
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

/// The current row of a query.
struct Row: ~Copyable {
  fileprivate let statement: OpaquePointer

  fileprivate init(statement: OpaquePointer) {
    self.statement = statement
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Empty for NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }
  func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
}
