package import Model

extension Store {
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
  /// Writes down what became of the tests of an integration that `only: affected` would have left out.
  mutating func note(_ trial: OnlyAffected.Misses, of integration: Int, _ what: String) throws(StoringError) {
    try run(
      "INSERT OR REPLACE INTO trials (integration, red, missed) VALUES (?, ?, ?)",
      [.integer(integration), .integer(trial.red), .integer(trial.missed)], what)
  }
}

/// The sixth version of the database keeps, for bots that leave out tests, the integrations that ran everything: how many
/// tests turned red, and how many of these would have been left out.
enum Migration6 {
  static let sql = """
    CREATE TABLE trials (
      integration INTEGER PRIMARY KEY REFERENCES integrations ON DELETE CASCADE,
      red INTEGER NOT NULL,
      missed INTEGER NOT NULL
    );
    """
}
