/// The version of the database's tables, and how an older one is brought up to it.
enum Schema {
  /// One for each version, in order; a migration that was published is never changed.
  static let migrations = [Migration1.sql, Migration2.sql]

  /// `Mrtl`, which tells Martlet's databases from others (https://www.sqlite.org/pragma.html#pragma_application_id).
  static let applicationID = 0x4D72_746C

  private static let what = "bring the tables up to date"

  /// Brings the database to the newest version.
  /// - Throws: when a newer Martlet or another program wrote it; it is left as it is then.
  static func migrate(_ connection: inout Connection) throws(StoringError) {
    if try version(&connection) == migrations.count { return }
    try connection.transaction(what) { connection throws(StoringError) in
      let old = try version(&connection)
      for (index, migration) in migrations.enumerated().dropFirst(old) {
        try connection.execute(migration, what)
        try connection.execute("PRAGMA user_version = \(index + 1)", what)
      }
      try connection.execute("PRAGMA application_id = \(applicationID)", what)
    }
  }

  /// The version, between 0 for an empty file and the number of migrations.
  /// - Throws: when it is newer than that, or the file is another program's.
  static func version(_ connection: inout Connection) throws(StoringError) -> Int {
    let what = "read the version of the database"
    func number(_ sql: String) throws(StoringError) -> Int {
      try connection.rows(sql, [], what) { $0.integer(0) }.first ?? 0
    }
    let version = try number("PRAGMA user_version")
    let isForeign = try number("PRAGMA application_id") != applicationID
    let tables = try number("SELECT count(*) FROM sqlite_schema")
    if isForeign, version != 0 || tables != 0 {
      throw StoringError(
        .corrupt, "use the database \(connection.path)", because: "another program wrote it",
        next: "Move it away, or give Martlet another home with --home.")
    }
    guard version <= migrations.count else {
      throw StoringError(
        .newer, "use the database \(connection.path)",
        because: "a newer Martlet wrote it (version \(version); this one knows \(migrations.count))",
        next: "Use that Martlet again, or give this one another home with --home.")
    }
    return version
  }
}
