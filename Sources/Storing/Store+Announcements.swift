package import Model

extension Store {
  /// Returns what a forge has been told, and still has to be told, about a bot's integrations, in the order they were
  /// queued.
  package mutating func announcements(of bot: String) throws(StoringError) -> [Announcement] {
    let what = "read what a forge is told"
    let rows = try connection.rows(
      """
      SELECT announcements.entry, announcements.state, announcements.commit_id
      FROM announcements CROSS JOIN entries ON entries.id = announcements.entry
      WHERE entries.bot = (SELECT id FROM bots WHERE name = ?) ORDER BY announcements.entry
      """, [.text(bot)], what
    ) { row in
      let state = row.optionalText(1).flatMap(QueueEntry.State.init(rawValue:))
      return (
        id: row.integer(0),
        told: state.map { Announcement.Told(state: $0, commit: CommitID(rawValue: row.text(2))) }
      )
    }
    var found: [Announcement] = []
    for row in rows {
      guard let line = try entry(row.id) else { continue }
      found.append(Announcement(entry: line.entry, outcome: line.summary?.outcome, told: row.told))
    }
    return found
  }

  /// Records that a forge has been told of an announcement as it was read.
  package mutating func noteTold(_ announcement: Announcement) throws(StoringError) {
    let what = "note what a forge is told"
    let entry = announcement.entry
    if announcement.isOver {
      try connection.run("DELETE FROM announcements WHERE entry = ?", [.integer(entry.id)], what)
    } else {
      try connection.run(
        "UPDATE announcements SET state = ?, commit_id = ? WHERE entry = ?",
        [.text(entry.state.rawValue), .text(entry.commit.rawValue), .integer(entry.id)], what)
    }
  }
}

extension Connection {
  /// Has a forge told of waiting or running entries, except those that only supplement a commit's result.
  mutating func announce(_ entries: [QueueEntry.ID], _ what: String) throws(StoringError) {
    for entry in entries {
      try run(
        "INSERT OR IGNORE INTO announcements (entry) SELECT id FROM entries WHERE id = ? AND cause <> 'idle'",
        [.integer(entry)], what)
    }
  }
}
