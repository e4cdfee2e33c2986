package import Model

extension Store {
  /// Returns the numbers of a bot's integrations that were in its queue.
  package mutating func queuedNumbers(of bot: String) throws(StoringError) -> Set<Int> {
    Set(
      try connection.rows(
        "SELECT number FROM entries WHERE bot = (SELECT id FROM bots WHERE name = ?) AND number IS NOT NULL",
        [.text(bot)], "list a bot's integrations"
      ) { $0.integer(0) })
  }

  /// Writes down finished integrations of which the queue knows nothing, as in a home that was restored without its
  /// database, in a single transaction. Without an entry none is removed when it is due, pinned or run again.
  package mutating func restore(_ lines: [HistoryEntry]) throws(StoringError) {
    let what = "write down what is kept of integrations"
    try connection.transaction(what) { connection throws(StoringError) in
      for line in lines {
        guard let number = line.entry.number, let summary = line.summary else { continue }
        let bot = try connection.identity(ofBot: line.entry.bot, what)
        let known = "SELECT count(*) FROM entries WHERE bot = ? AND number = ?"
        guard try connection.integer(known, [.integer(bot), .integer(number)], what) == 0 else { continue }
        let id = try connection.insert(line.entry.assignment, of: bot, as: .finished, reason: nil, what)
        try connection.run(
          "UPDATE entries SET number = ?, started_at = ?, is_pinned = ? WHERE id = ?",
          [.integer(number), line.entry.startedAt.map { .date($0) } ?? .null, .boolean(line.isPinned), .integer(id)],
          what)
        try connection.close(id, summary, what)
        try connection.run(
          "UPDATE bots SET last_number = max(last_number, ?) WHERE id = ?", [.integer(number), .integer(bot)], what)
      }
    }
  }

  /// Returns the ascending numbers of a bot's pinned integrations.
  package mutating func pinned(of bot: String) throws(StoringError) -> [Int] {
    try connection.rows(
      """
      SELECT number FROM entries
      WHERE bot = (SELECT id FROM bots WHERE name = ?) AND is_pinned <> 0 AND is_removed = 0 AND number IS NOT NULL
      ORDER BY number
      """, [.text(bot)], "list the pinned integrations of a bot"
    ) { $0.integer(0) }
  }
}
