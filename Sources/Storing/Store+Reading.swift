import FoundationEssentials
package import Model

extension Store {
  /// The names of all bots that anything is remembered of, sorted.
  package mutating func bots() throws(StoringError) -> [String] {
    try connection.rows("SELECT name FROM bots ORDER BY name", [], "list the bots") { $0.text(0) }
  }

  /// What is remembered about a bot; nothing but its name for one that is not known.
  package mutating func memory(of bot: String) throws(StoringError) -> BotMemory {
    let what = "read what is known about a bot"
    var memory = BotMemory(name: bot)
    let found = try connection.rows(
      "SELECT id, is_sighted, last_number, period_mark, toolchain FROM bots WHERE name = ?", [.text(bot)], what
    ) { row in
      memory.lastNumber = row.integer(2)
      memory.periodMark = row.optionalReal(3).map { Date(timeIntervalSince1970: $0) }
      memory.toolchain = row.optionalText(4)
      return (id: row.integer(0), isSighted: row.integer(1) != 0)
    }
    guard let row = found.first, row.isSighted else { return memory }
    let tips = try connection.rows("SELECT ref, commit_id FROM tips WHERE bot = ?", [.integer(row.id)], what) {
      (RefName(rawValue: $0.text(0)), CommitID(rawValue: $0.text(1)))
    }
    memory.tips = Dictionary(tips, uniquingKeysWith: { $1 })
    return memory
  }

  /// All entries that wait or run, in the order in which they were queued.
  package mutating func openEntries() throws(StoringError) -> [QueueEntry] {
    try connection.history(
      "WHERE entries.state IN ('pending', 'running') ORDER BY entries.id", [], "read the queue"
    ).map(\.entry)
  }

  /// The same of one bot.
  package mutating func openEntries(of bot: String) throws(StoringError) -> [QueueEntry] {
    try connection.history(
      "WHERE entries.state IN ('pending', 'running') AND bots.name = ? ORDER BY entries.id", [.text(bot)],
      "read the queue"
    ).map(\.entry)
  }

  /// Those of the commits that an entry of this bot and ref covers, superseded entries left out, and those that were cut
  /// off and whose next attempt was superseded.
  package mutating func covered(
    _ commits: [CommitID], of bot: String, on ref: RefName
  ) throws(StoringError) -> Set<CommitID> {
    var found: Set<CommitID> = []
    for commit in commits {
      let entries = try connection.rows(
        """
        SELECT 1 FROM covered CROSS JOIN entries ON entries.id = covered.entry
        WHERE covered.commit_id = ? AND entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.ref = ?
          AND entries.state <> 'superseded'
          AND NOT (entries.state = 'finished' AND entries.outcome IN ('internal-error', 'canceled')
            AND EXISTS (
              SELECT 1 FROM covered AS other JOIN entries AS later ON later.id = other.entry
              WHERE other.commit_id = covered.commit_id AND later.bot = entries.bot AND later.ref = entries.ref
                AND later.id > entries.id AND later.state = 'superseded'))
        LIMIT 1
        """, [.text(commit.rawValue), .text(bot), .text(ref.rawValue)], "look for a commit"
      ) { $0.integer(0) }
      if !entries.isEmpty { found.insert(commit) }
    }
    return found
  }

  /// The numbered integrations of a bot, newest first, at most `limit`.
  package mutating func history(of bot: String, limit: Int) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.number IS NOT NULL
      ORDER BY entries.number DESC LIMIT ?
      """, [.text(bot), .integer(limit)], "read a bot's history")
  }

  /// How the newest integrations of a bot ended that are over, newest first, at most `limit`.
  package mutating func ends(of bot: String, limit: Int) throws(StoringError) -> [IntegrationEnd] {
    try connection.rows(
      """
      SELECT number, ref, outcome, ended_at FROM entries
      WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number IS NOT NULL AND outcome IS NOT NULL
      ORDER BY number DESC LIMIT ?
      """, [.text(bot), .integer(limit)], "read how a bot's integrations ended"
    ) { row in
      IntegrationEnd(
        number: row.integer(0), ref: RefName(rawValue: row.text(1)),
        outcome: Outcome(rawValue: row.text(2)) ?? .internalError, endedAt: Date(timeIntervalSince1970: row.real(3)))
    }
  }

  /// One integration of a bot; nil when there is none with this number.
  package mutating func integration(_ number: Int, of bot: String) throws(StoringError) -> HistoryEntry? {
    try connection.history(
      "WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.number = ?",
      [.text(bot), .integer(number)],
      "read an integration"
    ).first
  }

  /// One entry, whatever became of it; nil when there is none.
  package mutating func entry(_ id: QueueEntry.ID) throws(StoringError) -> HistoryEntry? {
    try connection.history("WHERE entries.id = ?", [.integer(id)], "read an entry").first
  }

  /// What was skipped or superseded, newest first, with the reasons.
  package mutating func aside(of bot: String, limit: Int) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.state IN ('skipped', 'superseded')
      ORDER BY entries.id DESC LIMIT ?
      """, [.text(bot), .integer(limit)], "read what a bot passed over")
  }

  /// The finished integrations of a bot whose files are still there, oldest first.
  package mutating func kept(of bot: String) throws(StoringError) -> [HistoryEntry] {
    try connection.history(
      """
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) AND entries.state = 'finished' AND entries.is_removed = 0
      ORDER BY entries.number
      """, [.text(bot)], "list a bot's integrations")
  }
}
