/// Makes a damaged database usable again: what can still be read is kept, and what is derived is made again by others.
struct Renewal {
  /// The tables with what stands nowhere else, each after those that it refers to. The verdicts of tests are derived.
  private static let tables = ["bots", "tips", "entries", "covered", "announcements", "integrations"]
  private static let what = "make the database anew"

  /// The rows that could be read, by table.
  private var rows: [String: [(names: [String], values: [SQLValue])]] = [:]

  /// Reads the rows of each table up to where it is damaged.
  init(of path: String) {
    // What cannot even be opened has nothing to give.
    guard var connection = try? Connection(path: path, isWritable: true) else { return }
    for table in Self.tables {
      var found: [(names: [String], values: [SQLValue])] = []
      // Where a row cannot be read, those before it can.
      _ = try? connection.rows("SELECT * FROM \(table)", [], Self.what) { found.append(($0.names, $0.values)) }
      rows[table] = found
    }
  }

  /// Empties the file, brings it to the newest form and puts the rows into it.
  func apply(to path: String) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: true)
    try connection.reset(Self.what)
    try Schema.migrate(&connection)
    try connection.transaction(Self.what) { connection throws(StoringError) in
      for table in Self.tables {
        for row in rows[table] ?? [] {
          let marks = Array(repeating: "?", count: row.values.count).joined(separator: ", ")
          // What was damaged may break the rules of the tables.
          try connection.run(
            "INSERT OR IGNORE INTO \(table) (\(row.names.joined(separator: ", "))) VALUES (\(marks))", row.values,
            Self.what)
        }
      }
      for table in ["tips", "entries"] {
        try connection.run("DELETE FROM \(table) WHERE bot NOT IN (SELECT id FROM bots)", [], Self.what)
      }
      for table in ["covered", "announcements"] {
        try connection.run("DELETE FROM \(table) WHERE entry NOT IN (SELECT id FROM entries)", [], Self.what)
      }
    }
  }
}

extension Store {
  /// Whether all of the file can be read; looks at each page of it.
  package mutating func isSound() -> Bool {
    // What cannot be looked at is not sound.
    let found = try? connection.rows("PRAGMA quick_check(1)", [], "check the database") { $0.text(0) }
    return found == ["ok"]
  }

  /// Makes a damaged file usable again, with what of it can be read. The index is not whole then.
  /// - Throws: when the file cannot be written; it may be empty then.
  package static func renew(at path: String) throws(StoringError) {
    try Renewal(of: path).apply(to: path)
  }
}
