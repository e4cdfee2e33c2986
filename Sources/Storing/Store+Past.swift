import FoundationEssentials
package import Model

/// The test names read so far, by row ID.
package struct TestNames {
  fileprivate var known: [Int: TestID] = [:]

  package init() {}
}

extension Store {
  /// Writes the index entries of finished integrations, replacing any earlier ones, in a single transaction.
  ///
  /// A known scope is preserved, since the documents of older integrations do not contain it.
  package mutating func note(_ rows: [IndexRow]) throws(StoringError) {
    let what = "write down what is kept of integrations"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try connection.transaction(what) { connection throws(StoringError) in
      for row in rows {
        let id = try connection.note(row, encoder, what)
        try connection.run("DELETE FROM verdicts WHERE integration = ?", [.integer(id)], what)
        if let trial = row.line.trial { try connection.note(trial, of: id, what) }
        guard let verdicts = row.verdicts else { continue }
        for (test, verdict) in verdicts.verdicts {
          let (name, figures) = (test.description, try encoder.text(of: verdicts.measured[test], what))
          try connection.run("INSERT OR IGNORE INTO tests (name) VALUES (?)", [.text(name)], what)
          try connection.run(
            """
            INSERT OR IGNORE INTO verdicts (integration, test, state, milliseconds, is_flaky, figures)
            SELECT ?, id, ?, ?, ?, ? FROM tests WHERE name = ?
            """,
            [
              .integer(id), .text(verdict.state.rawValue), .integer(verdict.duration),
              .integer(verdict.isFlaky ? 1 : 0), .optional(figures), .text(name),
            ], what)
        }
      }
    }
  }

  /// Returns whether all finished integrations are indexed.
  package mutating func isWhole() throws(StoringError) -> Bool {
    try connection.rows("SELECT is_whole FROM past", [], "look whether the index is whole") { $0.integer(0) } == [1]
  }

  package mutating func markWhole() throws(StoringError) {
    try connection.run("UPDATE past SET is_whole = 1", [], "note that the index is whole")
  }

  /// Removes the integrations of a bot from the index.
  package mutating func forget(_ bot: String) throws(StoringError) {
    try connection.run("DELETE FROM integrations WHERE bot = ?", [.text(bot)], "forget the integrations of a bot")
  }

  /// Returns the sorted names of bots that have finished integrations.
  package mutating func indexedBots() throws(StoringError) -> [String] {
    // One step for each bot instead of each integration (https://www.sqlite.org/lang_with.html).
    try connection.rows(
      """
      WITH RECURSIVE names(name) AS (
        SELECT min(bot) FROM integrations
        UNION ALL SELECT (SELECT min(bot) FROM integrations WHERE bot > name) FROM names WHERE name IS NOT NULL)
      SELECT name FROM names WHERE name IS NOT NULL
      """, [], "list the bots"
    ) { $0.text(0) }
  }

  /// Returns the highest number of a bot's finished integrations, including removed ones; 0 for none.
  package mutating func highestNumber(of bot: String) throws(StoringError) -> Int {
    try connection.rows(
      "SELECT max(number) FROM integrations WHERE bot = ?", [.text(bot)], "look for a number"
    ) { $0.integer(0) }
    .first ?? 0
  }

  /// Returns the finished integrations of a bot, oldest first.
  package mutating func integrations(of bot: String) throws(StoringError) -> [IndexedIntegration] {
    try connection.rows(
      """
      SELECT number, commit_id, branch, outcome, scope, is_dirty FROM integrations WHERE bot = ? ORDER BY number
      """, [.text(bot)], "read the integrations of a bot"
    ) { row in
      IndexedIntegration(
        number: row.integer(0), commit: CommitID(rawValue: row.text(1)), branch: row.optionalText(2),
        outcome: Outcome(rawValue: row.text(3)) ?? .internalError, scope: row.optionalText(4),
        isDirty: row.integer(5) != 0)
    }
  }

  /// Returns up to `limit` finished integrations of a bot as lists show them, newest first.
  package mutating func lines(of bot: String, limit: Int = .max) throws(StoringError) -> [HistoryLine] {
    let decoder = JSONDecoder()
    return try connection.rows(
      "SELECT line, is_dirty FROM integrations WHERE bot = ? ORDER BY number DESC LIMIT ?",
      [.text(bot), .integer(limit)], "read the history of a bot"
    ) { row in
      // Skips lines from another version of Martlet that this one cannot read.
      var line = try? decoder.decode(HistoryLine.self, from: Data(row.text(0).utf8))
      // Older lines do not say it.
      if row.integer(1) != 0 { line?.uncommitted = true }
      return line
    }.compactMap(\.self)
  }

  /// Returns the results of an integration's tests, or nil if its files are gone or it is unknown.
  ///
  /// - Parameter names: The names read so far, so that reading several integrations does not read them again.
  package mutating func verdicts(
    of bot: String, _ number: Int, _ names: inout TestNames
  ) throws(StoringError) -> TestVerdicts? {
    let what = "read how tests ended"
    let decoder = JSONDecoder()
    let found = try connection.testedIntegrations(
      "bot = ? AND number = ? AND is_removed = 0", [.text(bot), .integer(number)], what)
    guard let id = found.first?.id, var verdicts = found.first?.verdicts else { return nil }
    let tests = try connection.rows(
      "SELECT test, state, milliseconds, is_flaky, figures FROM verdicts WHERE integration = ?", [.integer(id)], what
    ) { row in
      (
        test: row.integer(0),
        verdict: TestState(rawValue: row.text(1)).map {
          TestVerdicts.Verdict(state: $0, duration: row.integer(2), isFlaky: row.integer(3) != 0)
        },
        figures: row.optionalText(4).flatMap { try? decoder.decode([MeasuredFigure].self, from: Data($0.utf8)) }
      )
    }
    for test in tests {
      guard let verdict = test.verdict, let name = try connection.name(of: test.test, &names, what) else { continue }
      verdicts.verdicts[name] = verdict
      verdicts.measured[name] = test.figures
    }
    return verdicts
  }
}

extension Connection {
  /// Returns integrations without their tests, each with the ID of its row; `condition` follows `WHERE`.
  mutating func testedIntegrations(
    _ condition: String, _ values: [SQLValue], _ what: String
  ) throws(StoringError) -> [(id: Int, verdicts: TestVerdicts)] {
    let decoder = JSONDecoder()
    return try rows(
      "SELECT id, number, commit_id, branch, toolchain, circumstances FROM integrations WHERE \(condition)", values,
      what
    ) { row in
      var verdicts = TestVerdicts(
        number: row.integer(1), commit: CommitID(rawValue: row.text(2)), branch: row.optionalText(3),
        toolchain: row.text(4), verdicts: [:])
      // Nil for integrations from before circumstances were recorded.
      verdicts.circumstances = row.optionalText(5).flatMap {
        try? decoder.decode([Circumstance].self, from: Data($0.utf8))
      }
      return (id: row.integer(0), verdicts: verdicts)
    }
  }

  /// Writes a row and returns its ID.
  fileprivate mutating func note(_ row: IndexRow, _ encoder: JSONEncoder, _ what: String) throws(StoringError) -> Int {
    let (integration, line) = (row.integration, row.line)
    return try rows(
      """
      INSERT INTO integrations (
        bot, number, commit_id, branch, outcome, scope, is_dirty, toolchain, circumstances, is_removed, line)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (bot, number) DO UPDATE SET commit_id = excluded.commit_id, branch = excluded.branch,
        outcome = excluded.outcome, scope = coalesce(excluded.scope, scope), is_dirty = excluded.is_dirty,
        toolchain = excluded.toolchain, circumstances = excluded.circumstances, is_removed = excluded.is_removed,
        line = excluded.line
      RETURNING id
      """,
      [
        .text(row.bot), .integer(integration.number), .text(integration.commit.rawValue),
        .optional(integration.branch), .text(integration.outcome.rawValue), .optional(integration.scope),
        .integer(integration.isDirty ? 1 : 0), .text(line.toolchain),
        .optional(try encoder.text(of: row.verdicts?.circumstances, what)),
        .integer(row.verdicts == nil ? 1 : 0), .optional(try encoder.text(of: line, what)),
      ], what
    ) { $0.integer(0) }.first ?? 0
  }

  /// Returns the test of a row, or nil if its name is not valid.
  fileprivate mutating func name(of test: Int, _ names: inout TestNames, _ what: String) throws(StoringError) -> TestID?
  {
    if let known = names.known[test] { return known }
    let found = try rows("SELECT name FROM tests WHERE id = ?", [.integer(test)], what) { TestID($0.text(0)) }
    names.known[test] = found.first ?? nil
    return found.first ?? nil
  }
}

extension JSONEncoder {
  /// Returns the value as JSON, or nil if there is none.
  fileprivate func text<Value: Encodable>(of value: Value?, _ what: String) throws(StoringError) -> String? {
    guard let value else { return nil }
    do {
      return String(decoding: try encode(value), as: UTF8.self)
    } catch {
      throw StoringError(.other, what, because: "\(error)", next: "This is a fault of Martlet; please report it.")
    }
  }
}
