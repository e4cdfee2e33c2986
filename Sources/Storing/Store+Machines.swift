package import Model

/// An integration that was handed out, as the store knows it.
package struct HandedRow: Hashable, Sendable {
  package var handed: HandedIntegration
  package var entry: QueueEntry.ID
  /// Whether nobody waits for its result any longer, so that the machine is to end and remove it.
  package var isDropped: Bool
}

extension Store {
  /// Returns everything that was handed out and that its machine may still have.
  package mutating func handed() throws(StoringError) -> [HandedRow] {
    try connection.rows("SELECT id, entry, machine, is_dropped FROM handed ORDER BY id", [], "read what is handed out")
    {
      HandedRow(
        handed: HandedIntegration(id: $0.text(0), machine: $0.text(2)), entry: $0.integer(1),
        isDropped: $0.boolean(3))
    }
  }

  /// Gives a running entry to another machine, or takes it back to this one; whoever had it before no longer counts.
  package mutating func hand(_ entry: QueueEntry.ID, to handed: HandedIntegration?) throws(StoringError) {
    let what = "hand an integration out"
    try connection.transaction(what) { connection throws(StoringError) in
      try connection.dropHanded(entry, what)
      if let handed { try connection.hand(entry, to: handed, what) }
    }
  }

  /// Forgets integrations that their machine no longer has.
  package mutating func forgetHanded(_ ids: [String]) throws(StoringError) {
    let what = "forget what was handed out"
    try connection.transaction(what) { connection throws(StoringError) in
      for id in ids { try connection.run("DELETE FROM handed WHERE id = ?", [.text(id)], what) }
    }
  }

  /// Records where and how long a branch was last integrated.
  package mutating func noteLastPlace(_ place: LastPlace, of bot: String, on ref: RefName?) throws(StoringError) {
    try connection.run(
      """
      INSERT OR REPLACE INTO last_places (bot, ref, machine, seconds)
      SELECT id, ?, ?, ? FROM bots WHERE name = ?
      """, [.text(ref?.rawValue ?? ""), .text(place.machine ?? ""), .real(place.seconds), .text(bot)],
      "note where a branch was integrated")
  }

  /// Returns where and how long the branches of a bot were last integrated; an empty name stands for single commits.
  package mutating func lastPlaces(of bot: String) throws(StoringError) -> [RefName: LastPlace] {
    let found = try connection.rows(
      "SELECT ref, machine, seconds FROM last_places WHERE bot = (SELECT id FROM bots WHERE name = ?)", [.text(bot)],
      "read where branches were integrated"
    ) { row in
      let machine = row.text(1)
      return (
        RefName(rawValue: row.text(0)),
        LastPlace(machine: machine.nonEmpty, seconds: row.real(2))
      )
    }
    return Dictionary(found, uniquingKeysWith: { $1 })
  }
}

extension Connection {
  mutating func hand(_ entry: QueueEntry.ID, to handed: HandedIntegration, _ what: String) throws(StoringError) {
    try run(
      "INSERT INTO handed (id, entry, machine) VALUES (?, ?, ?)",
      [.text(handed.id), .integer(entry), .text(handed.machine)], what)
  }

  /// Records that nobody waits for what was handed out for an entry any longer.
  mutating func dropHanded(_ entry: QueueEntry.ID, _ what: String) throws(StoringError) {
    try run("UPDATE handed SET is_dropped = 1 WHERE entry = ?", [.integer(entry)], what)
  }
}
