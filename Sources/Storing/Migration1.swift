/// The first form of the database.
///
/// Times are seconds since 1970; commits are named in full; refs are full names, empty for none.
enum Migration1 {
  static let sql = """
    CREATE TABLE bots (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      is_sighted INTEGER NOT NULL DEFAULT 0,
      last_number INTEGER NOT NULL DEFAULT 0,
      period_mark REAL,
      toolchain TEXT
    );
    CREATE TABLE tips (
      bot INTEGER NOT NULL REFERENCES bots,
      ref TEXT NOT NULL,
      commit_id TEXT NOT NULL,
      PRIMARY KEY (bot, ref)
    ) WITHOUT ROWID;
    CREATE TABLE entries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bot INTEGER NOT NULL REFERENCES bots,
      ref TEXT NOT NULL,
      commit_id TEXT NOT NULL,
      cause TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      queued_at REAL NOT NULL,
      state TEXT NOT NULL,
      number INTEGER,
      started_at REAL,
      reason TEXT,
      cancel_reason TEXT,
      is_pinned INTEGER NOT NULL DEFAULT 0,
      is_removed INTEGER NOT NULL DEFAULT 0,
      outcome TEXT,
      ended_at REAL,
      passed INTEGER, failed INTEGER, expected_failures INTEGER, skipped INTEGER, crashed INTEGER,
      timed_out INTEGER, canceled INTEGER, not_run INTEGER, filtered_out INTEGER, flaky INTEGER,
      lines INTEGER, covered_lines INTEGER, partial_lines INTEGER,
      regions INTEGER, covered_regions INTEGER, functions INTEGER, covered_functions INTEGER,
      is_coverage_complete INTEGER,
      warnings INTEGER,
      bytes INTEGER
    );
    CREATE UNIQUE INDEX entries_by_number ON entries (bot, number) WHERE number IS NOT NULL;
    CREATE INDEX entries_by_ref ON entries (bot, ref, number) WHERE number IS NOT NULL;
    CREATE INDEX entries_open ON entries (state) WHERE state IN ('pending', 'running');
    CREATE INDEX entries_aside ON entries (bot, id) WHERE state IN ('skipped', 'superseded');
    CREATE INDEX entries_kept ON entries (bot, number) WHERE state = 'finished' AND is_removed = 0;
    CREATE INDEX entries_good ON entries (bot, number)
      WHERE outcome IN ('succeeded', 'warnings', 'analyzer-warnings');
    CREATE INDEX entries_good_by_ref ON entries (bot, ref, number)
      WHERE outcome IN ('succeeded', 'warnings', 'analyzer-warnings');
    CREATE TABLE covered (
      entry INTEGER NOT NULL REFERENCES entries,
      position INTEGER NOT NULL,
      commit_id TEXT NOT NULL,
      PRIMARY KEY (entry, position)
    ) WITHOUT ROWID;
    CREATE INDEX covered_by_commit ON covered (commit_id);
    """
}
