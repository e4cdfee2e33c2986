import FoundationEssentials
package import Model

/// A selection of a bot's finished integrations.
package struct PastSelection: Hashable, Sendable {
  /// Selects only integrations before this number; nil for the newest.
  package var before: Int?
  package var branch: String?
  package var outcome: Outcome?
  /// The most integrations to return.
  package var limit: Int

  package init(before: Int? = nil, branch: String? = nil, outcome: Outcome? = nil, limit: Int) {
    (self.before, self.branch, self.outcome, self.limit) = (before, branch, outcome, limit)
  }
}

/// A part of the selected items, newest first.
package struct PastPage<Line: Sendable>: Sendable {
  package var lines: [Line]
  /// The number before which the next page continues; nil if nothing is left.
  package var next: Int?

  package init(_ lines: [Line], next: Int?) {
    (self.lines, self.next) = (lines, next)
  }
}

/// The result of a test in a single integration.
package struct PastTest: Hashable, Sendable {
  package var number: Int
  package var commit: CommitID
  package var branch: String?
  package var toolchain: String
  package var verdict: TestVerdicts.Verdict
}

extension Store {
  /// The most rows to examine for a page: matching rows may be far apart, and every page has to be quick.
  private static let longestLook = 10_000

  /// Returns a value that changes whenever another process has written something.
  package mutating func dataVersion() throws(StoringError) -> Int {
    try connection.integer("PRAGMA data_version", [], "look whether something was written")
  }

  /// Returns a page of a bot's integrations as lists show them. A page may be short without being the last.
  package mutating func lines(of bot: String, _ choice: PastSelection) throws(StoringError) -> PastPage<HistoryLine> {
    let decoder = JSONDecoder()
    let what = "read the history of a bot"
    let before = choice.before ?? .max
    let floor = try floor(of: bot, before: before, what)
    // This form keeps SQLite from choosing an index by an optional value.
    let rows = try connection.rows(
      """
      SELECT number, line FROM integrations
      WHERE bot = ? AND number < ? AND number >= ? AND (? IS NULL OR branch = ?) AND (? IS NULL OR outcome = ?)
      ORDER BY number DESC LIMIT ?
      """,
      [
        .text(bot), .integer(before), .integer(floor ?? 0), .optional(choice.branch), .optional(choice.branch),
        .optional(choice.outcome?.rawValue), .optional(choice.outcome?.rawValue), .integer(choice.limit),
      ], what
    ) { row in
      (row.integer(0), row.value(1, decoder) as HistoryLine?)
    }
    let isFull = rows.count >= choice.limit
    return PastPage(rows.compactMap(\.1), next: isFull ? rows.last?.0 : floor)
  }

  /// Returns a test's results in the newest integrations of a bot whose files are kept.
  package mutating func history(
    of test: TestID, in bot: String, _ choice: PastSelection
  ) throws(StoringError) -> PastPage<PastTest> {
    let what = "read how a test ended"
    let before = choice.before ?? .max
    let floor = try floor(of: bot, before: before, what)
    let found = try connection.rows(
      """
      SELECT integrations.number, commit_id, branch, toolchain, state, milliseconds, is_flaky, is_quit
      FROM integrations CROSS JOIN verdicts ON verdicts.integration = integrations.id
        AND verdicts.test = (SELECT id FROM tests WHERE name = ?)
      WHERE bot = ? AND number < ? AND number >= ? AND (? IS NULL OR branch = ?)
      ORDER BY number DESC LIMIT ?
      """,
      [
        .text(test.description), .text(bot), .integer(before), .integer(floor ?? 0), .optional(choice.branch),
        .optional(choice.branch), .integer(choice.limit),
      ], what
    ) { row in
      (
        row.integer(0),
        TestState(rawValue: row.text(4)).map { state in
          PastTest(
            number: row.integer(0), commit: CommitID(rawValue: row.text(1)), branch: row.optionalText(2),
            toolchain: row.text(3),
            verdict: TestVerdicts.Verdict(
              state: state, duration: row.real(5), isFlaky: row.boolean(6), isQuit: row.boolean(7)))
        }
      )
    }
    let isFull = found.count >= choice.limit
    return PastPage(found.compactMap(\.1), next: isFull ? found.last?.0 : floor)
  }

  /// Returns whether any integration of a bot is known.
  package mutating func knows(_ bot: String) throws(StoringError) -> Bool {
    try connection.rows("SELECT 1 FROM integrations WHERE bot = ? LIMIT 1", [.text(bot)], "look for a bot") { _ in () }
      .first != nil
  }

  /// Returns the number at which a search from another number ends, or nil if it reaches the oldest integration.
  private mutating func floor(of bot: String, before: Int, _ what: String) throws(StoringError) -> Int? {
    try connection.rows(
      "SELECT number FROM integrations WHERE bot = ? AND number < ? ORDER BY number DESC LIMIT 1 OFFSET ?",
      [.text(bot), .integer(before), .integer(Self.longestLook - 1)], what
    ) { $0.integer(0) }.first
  }
}
