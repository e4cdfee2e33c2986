/// The repair of a damaged database: keeps what is still readable, and leaves derived data to be recomputed elsewhere.
struct Renewal {
  /// The tables whose contents are stored nowhere else, each after those that it refers to. The verdicts of tests are
  /// derived.
  private static let tables = [
    "bots", "tips", "entries", "covered", "announcements", "handed", "last_places", "integrations",
  ]
  private static let what = "make the database anew"

  /// The readable rows, by table.
  private var rows: [String: [(names: [String], values: [SQLValue])]] = [:]

  /// Reads the rows of each table up to where it is damaged.
  init(of path: String) {
    // A file that cannot even be opened has nothing to recover.
    guard var connection = try? Connection(path: path, isWritable: true) else { return }
    for table in Self.tables {
      var found: [(names: [String], values: [SQLValue])] = []
      // If a row cannot be read, those before it still can.
      _ = try? connection.rows("SELECT * FROM \(table)", [], Self.what) { found.append(($0.names, $0.values)) }
      rows[table] = found
    }
  }

  /// Empties the file, migrates it to the newest version and inserts the rows.
  func apply(to path: String) throws(StoringError) {
    var connection = try Connection(path: path, isWritable: true)
    try connection.reset(Self.what)
    try Schema.migrate(&connection)
    try connection.transaction(Self.what) { connection throws(StoringError) in
      for table in Self.tables {
        for row in rows[table] ?? [] {
          let marks = Array(repeating: "?", count: row.values.count).joined(separator: ", ")
          // Damaged rows may violate the tables' constraints.
          try connection.run(
            "INSERT OR IGNORE INTO \(table) (\(row.names.joined(separator: ", "))) VALUES (\(marks))", row.values,
            Self.what)
        }
      }
      for table in ["tips", "entries", "last_places"] {
        try connection.run("DELETE FROM \(table) WHERE bot NOT IN (SELECT id FROM bots)", [], Self.what)
      }
      for table in ["covered", "announcements"] {
        try connection.run("DELETE FROM \(table) WHERE entry NOT IN (SELECT id FROM entries)", [], Self.what)
      }
    }
  }
}

extension Store {
  /// Returns whether the whole file can be read. Examines every page.
  package mutating func isSound() -> Bool {
    // A file that cannot be examined is not sound.
    let found = try? connection.rows("PRAGMA quick_check(1)", [], "check the database") { $0.text(0) }
    return found == ["ok"]
  }

  /// Repairs a damaged file, keeping what can be read of it. Afterward, the index is incomplete.
  /// - Throws: If the file cannot be written, in which case it may be empty.
  package static func renew(at path: String) throws(StoringError) {
    try Renewal(of: path).apply(to: path)
  }
}
