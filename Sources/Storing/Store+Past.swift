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
            INSERT OR IGNORE INTO verdicts (integration, test, state, milliseconds, is_flaky, is_quit, figures)
            SELECT ?, id, ?, ?, ?, ?, ? FROM tests WHERE name = ?
            """,
            [
              .integer(id), .text(verdict.state.rawValue), .real(verdict.duration),
              .boolean(verdict.isFlaky), .boolean(verdict.isQuit), .optional(figures), .text(name),
            ], what)
        }
      }
    }
  }

  /// Returns whether all finished integrations are indexed.
  package mutating func isWhole() throws(StoringError) -> Bool {
    try connection.integer("SELECT is_whole FROM past", [], "look whether the index is whole") == 1
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
    try connection.integer("SELECT max(number) FROM integrations WHERE bot = ?", [.text(bot)], "look for a number")
  }

  /// Returns the finished integrations of a bot, oldest first.
  package mutating func integrations(of bot: String) throws(StoringError) -> [IndexedIntegration] {
    try connection.rows(
      """
      SELECT number, commit_id, branch, outcome, scope, is_dirty, package, repository_since, is_behind
      FROM integrations WHERE bot = ? ORDER BY number
      """, [.text(bot)], "read the integrations of a bot"
    ) { row in
      var integration = IndexedIntegration(
        number: row.integer(0), commit: CommitID(rawValue: row.text(1)), branch: row.optionalText(2),
        outcome: Outcome(rawValue: row.text(3)) ?? .internalError, scope: row.optionalText(4),
        isDirty: row.boolean(5), package: row.optionalText(6), repositorySince: row.optionalInteger(7))
      integration.isBehindBranch = row.boolean(8)
      return integration
    }
  }

  /// Which integrations are of the package and the repository that a bot integrates now; those of unknown packages are.
  /// `:bot` is the bot.
  static let isOfPackageNow = """
    coalesce(package <> (SELECT package FROM integrations WHERE bot = :bot ORDER BY number DESC LIMIT 1), 0) = 0
    AND repository_since IS (SELECT repository_since FROM integrations WHERE bot = :bot ORDER BY number DESC LIMIT 1)
    """

  /// Returns up to `limit` finished integrations of a bot as lists show them, newest first, each with whether it is of a
  /// package that the bot integrated earlier.
  package mutating func lines(of bot: String, limit: Int = .max) throws(StoringError) -> [HistoryLine] {
    let decoder = JSONDecoder()
    return try connection.rows(
      """
      SELECT line, is_dirty, \(Self.isOfPackageNow)
      FROM integrations WHERE bot = :bot ORDER BY number DESC LIMIT :limit
      """, [.text(bot), .integer(limit)], "read the history of a bot"
    ) { row in
      var line = row.value(0, decoder) as HistoryLine?
      // Older lines do not say it.
      if row.boolean(1) { line?.uncommitted = true }
      line?.ofOtherPackage = row.boolean(2) ? nil : true
      return line
    }.compactMap(\.self)
  }

  /// Returns the integrations against which gates are judged until they are passed, by the integration that judged them,
  /// for those of a bot whose files still exist.
  package mutating func gateBases(of bot: String) throws(StoringError) -> [Int: [Int]] {
    let decoder = JSONDecoder()
    let found = try connection.rows(
      "SELECT number, json_extract(line, '$.gateBases') FROM integrations WHERE bot = ? AND is_removed = 0",
      [.text(bot)], "read what gates are judged against"
    ) { row in (number: row.integer(0), bases: row.value(1, decoder) as [Int]?) }
    return Dictionary(
      found.compactMap { row in row.bases.map { (row.number, $0) } }, uniquingKeysWith: { first, _ in first })
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
      "SELECT test, state, milliseconds, is_flaky, is_quit, figures FROM verdicts WHERE integration = ?",
      [.integer(id)], what
    ) { row in
      (
        test: row.integer(0),
        verdict: TestState(rawValue: row.text(1)).map {
          TestVerdicts.Verdict(
            state: $0, duration: row.real(2), isFlaky: row.boolean(3), isQuit: row.boolean(4))
        },
        figures: row.value(5, decoder) as [MeasuredFigure]?
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

extension Store {
  /// Returns the results of those tests that were ever red or flaky in the newest integrations of a bot, newest first.
  /// Integrations that ran no tests, or were of uncommitted changes, are skipped.
  ///
  /// - Parameter count: The number of integrations to examine.
  package mutating func unsteadyVerdicts(of bot: String, newest count: Int) throws(StoringError) -> [TestVerdicts] {
    let what = "read which tests are flaky"
    var found = try connection.testedIntegrations(
      """
      bot = :bot AND is_removed = 0 AND is_dirty = 0 AND \(Self.isOfPackageNow)
        AND EXISTS (SELECT 1 FROM verdicts WHERE integration = integrations.id)
      ORDER BY number DESC LIMIT :limit
      """, [.text(bot), .integer(count)], what)
    let red = TestState.allCases.filter(\.isRed).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let ids = found.map { "\($0.id)" }.joined(separator: ", ")
    let ends = try connection.rows(
      """
      SELECT integration, tests.name, state, milliseconds, is_flaky, is_quit FROM verdicts JOIN tests ON tests.id = test
      WHERE integration IN (\(ids)) AND test IN (
        SELECT test FROM verdicts WHERE integration IN (\(ids)) AND (is_flaky <> 0 OR state IN (\(red))))
      """, [], what
    ) { row in
      (
        integration: row.integer(0), test: TestID(row.text(1)), state: TestState(rawValue: row.text(2)),
        duration: row.real(3), isFlaky: row.boolean(4), isQuit: row.boolean(5)
      )
    }
    let places = Dictionary(found.indices.map { (found[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    for end in ends {
      guard let place = places[end.integration], let test = end.test, let state = end.state else { continue }
      found[place].verdicts.verdicts[test] = TestVerdicts.Verdict(
        state: state, duration: end.duration, isFlaky: end.isFlaky, isQuit: end.isQuit)
    }
    return found.map(\.verdicts)
  }

  /// Returns how many red tests of a bot `only: affected` would have left out, over all integrations that ran everything.
  package mutating func misses(of bot: String) throws(StoringError) -> OnlyAffected.Misses {
    try connection.rows(
      """
      SELECT count(*), coalesce(sum(red), 0), coalesce(sum(missed), 0)
      FROM trials JOIN integrations ON integrations.id = integration WHERE bot = ?
      """, [.text(bot)], "read how many red tests would have been left out"
    ) { OnlyAffected.Misses(integrations: $0.integer(0), red: $0.integer(1), missed: $0.integer(2)) }
    .first ?? OnlyAffected.Misses()
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
      verdicts.circumstances = row.value(5, decoder)
      return (id: row.integer(0), verdicts: verdicts)
    }
  }

  /// Writes a row and returns its ID.
  fileprivate mutating func note(_ row: IndexRow, _ encoder: JSONEncoder, _ what: String) throws(StoringError) -> Int {
    let (integration, line) = (row.integration, row.line)
    return try rows(
      """
      INSERT INTO integrations (
        bot, number, commit_id, branch, outcome, scope, is_dirty, toolchain, circumstances, is_removed, line,
        package, repository_since, is_behind)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (bot, number) DO UPDATE SET commit_id = excluded.commit_id, branch = excluded.branch,
        outcome = excluded.outcome, scope = coalesce(excluded.scope, scope), is_dirty = excluded.is_dirty,
        toolchain = excluded.toolchain, circumstances = excluded.circumstances, is_removed = excluded.is_removed,
        line = excluded.line, package = coalesce(excluded.package, package),
        repository_since = excluded.repository_since, is_behind = excluded.is_behind
      RETURNING id
      """,
      [
        .text(row.bot), .integer(integration.number), .text(integration.commit.rawValue),
        .optional(integration.branch), .text(integration.outcome.rawValue), .optional(integration.scope),
        .boolean(integration.isDirty), .text(line.toolchain),
        .optional(try encoder.text(of: row.verdicts?.circumstances, what)),
        .boolean(row.verdicts == nil), .optional(try encoder.text(of: line, what)), .optional(integration.package),
        .optional(integration.repositorySince), .boolean(line.behindBranch == true),
      ], what
    ) { $0.integer(0) }.first ?? 0
  }

  /// Writes down what became of the tests of an integration that `only: affected` would have left out.
  fileprivate mutating func note(_ trial: OnlyAffected.Misses, of integration: Int, _ what: String) throws(StoringError)
  {
    try run(
      "INSERT OR REPLACE INTO trials (integration, red, missed) VALUES (?, ?, ?)",
      [.integer(integration), .integer(trial.red), .integer(trial.missed)], what)
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
