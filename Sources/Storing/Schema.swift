/// The version of the database's tables, and the migrations from older ones.
enum Schema {
  /// The migrations, one for each version in order. A published migration is never changed.
  static let migrations = [
    version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
    version11,
  ]

  /// `Mrtl`, which identifies Martlet's databases (https://www.sqlite.org/pragma.html#pragma_application_id).
  static let applicationID = 0x4D72_746C

  private static let what = "bring the tables up to date"

  /// Migrates the database to the newest version.
  /// - Throws: If a newer version of Martlet or another program wrote it, in which case it is left unchanged.
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

  /// Returns the version, between 0 for an empty file and the number of migrations.
  /// - Throws: If the version is newer, or the file belongs to another program.
  static func version(_ connection: inout Connection) throws(StoringError) -> Int {
    let what = "read the version of the database"
    // A single statement sees a consistent state of a file that another process may be creating.
    let sql = """
      SELECT (SELECT count(*) FROM sqlite_schema), (SELECT user_version FROM pragma_user_version),
        (SELECT application_id FROM pragma_application_id)
      """
    let found = try connection.rows(sql, [], what) { ($0.integer(0), $0.integer(1), $0.integer(2)) }.first
    let (tables, version, id) = found ?? (0, 0, 0)
    let isForeign = id != applicationID
    if isForeign, version != 0 || tables != 0 {
      throw StoringError(
        .foreign, "use the database \(connection.path)", because: "another program wrote it",
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

extension Schema {
  /// The first version of the database.
  ///
  /// Times are seconds since 1970; commits have their full names; refs have their full names, empty for none.
  private static let version1 = """
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

  /// The second version of the database records whether an integration is red only because of gates.
  ///
  /// This holds for earlier integrations in which no test is red and the first reason comes from a gate.
  private static let version2 = """
    ALTER TABLE entries ADD COLUMN only_gates_failed INTEGER NOT NULL DEFAULT 0;
    UPDATE entries SET only_gates_failed = 1
      WHERE outcome = 'test-failures' AND failed + crashed + timed_out = 0 AND reason GLOB 'Gate *: *';
    """

  /// The third version of the database adds an index of all finished integrations, including those of one-shot runs. It
  /// is built from their documents, and `past` records whether all of them are indexed.
  ///
  /// `line` is the integration as lists show it, `circumstances` the conditions that its measurements depend on, and
  /// `figures` a test's measurements; all three are JSON. Integrations to compare with are selected from the second index
  /// alone, without reading the long lines. Test names are long and recur, so each is stored once. `verdicts.milliseconds`
  /// keeps what is no whole number, too (https://sqlite.org/datatype3.html#type_affinity).
  private static let version3 = """
    CREATE TABLE integrations (
      id INTEGER PRIMARY KEY,
      bot TEXT NOT NULL,
      number INTEGER NOT NULL,
      commit_id TEXT NOT NULL,
      branch TEXT,
      outcome TEXT NOT NULL,
      scope TEXT,
      is_dirty INTEGER NOT NULL,
      toolchain TEXT NOT NULL,
      circumstances TEXT,
      is_removed INTEGER NOT NULL,
      line TEXT NOT NULL,
      UNIQUE (bot, number)
    );
    CREATE INDEX integrations_to_compare ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty);
    CREATE TABLE tests (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE verdicts (
      integration INTEGER NOT NULL REFERENCES integrations ON DELETE CASCADE,
      test INTEGER NOT NULL REFERENCES tests,
      state TEXT NOT NULL,
      milliseconds INTEGER NOT NULL,
      is_flaky INTEGER NOT NULL,
      figures TEXT,
      PRIMARY KEY (integration, test)
    ) WITHOUT ROWID;
    CREATE TABLE past (is_whole INTEGER NOT NULL);
    INSERT INTO past VALUES (0);
    """

  /// The fourth version of the database records the integrations that are announced to a forge, from when they are queued
  /// until their end has been announced, and the last announcement of each.
  private static let version4 = """
    CREATE TABLE announcements (
      entry INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE,
      state TEXT,
      commit_id TEXT
    );
    """

  /// The fifth version of the database records which integrations other machines carry out, and where each branch was
  /// last integrated.
  ///
  /// A row of `handed` outlives its entry until the machine has confirmed that it has nothing left of it.
  private static let version5 = """
    CREATE TABLE handed (
      id TEXT PRIMARY KEY,
      entry INTEGER NOT NULL,
      machine TEXT NOT NULL,
      is_dropped INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE TABLE last_places (
      bot INTEGER NOT NULL REFERENCES bots,
      ref TEXT NOT NULL,
      machine TEXT NOT NULL,
      seconds REAL NOT NULL,
      PRIMARY KEY (bot, ref)
    ) WITHOUT ROWID;
    """

  /// The sixth version of the database keeps, for bots that leave out tests, the integrations that ran everything: how many
  /// tests turned red, and how many of these would have been left out.
  private static let version6 = """
    CREATE TABLE trials (
      integration INTEGER PRIMARY KEY REFERENCES integrations ON DELETE CASCADE,
      red INTEGER NOT NULL,
      missed INTEGER NOT NULL
    );
    """

  /// The seventh version of the database knows the package of each integration, since a bot may be given another one, or
  /// the name of what somebody ran by hand. Those of before may be of any.
  private static let version7 = """
    ALTER TABLE integrations ADD COLUMN package TEXT;
    DROP INDEX IF EXISTS integrations_to_compare;
    CREATE INDEX integrations_to_compare
      ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package);
    """

  /// The eighth version of the database knows the first integration of each one's repository, where the bot had another
  /// repository before.
  private static let version8 = """
    ALTER TABLE integrations ADD COLUMN repository_since INTEGER;
    DROP INDEX IF EXISTS integrations_to_compare;
    CREATE INDEX integrations_to_compare
      ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package, repository_since);
    """

  /// The ninth version of the database knows which tests ended their process; those of before may have, too.
  private static let version9 = """
    ALTER TABLE verdicts ADD COLUMN is_quit INTEGER NOT NULL DEFAULT 0;
    """

  /// The tenth version of the database finds integrations of older commits of a branch without reading their lines.
  private static let version10 = """
    ALTER TABLE integrations ADD COLUMN is_behind INTEGER NOT NULL DEFAULT 0;
    UPDATE integrations SET is_behind = 1 WHERE json_extract(line, '$.behindBranch') = 1;
    DROP INDEX IF EXISTS integrations_to_compare;
    CREATE INDEX integrations_to_compare
      ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package, repository_since, is_behind);
    """

  /// The eleventh version of the database remembers which tags each bot last asked for, under a name that no ref has
  /// (`RefName.tagsAsked`). Of bots of before only the tags are known that they saw; without any, nothing is
  /// (`CommitID.tagsNotKnown`). The rows of integrations are made again from their documents: those of before lack how
  /// long a test was allowed to take.
  private static let version11 = """
    INSERT OR IGNORE INTO tips (bot, ref, commit_id)
      SELECT id, 'refs/tags/', CASE
        WHEN EXISTS (SELECT 1 FROM tips WHERE bot = bots.id AND ref GLOB 'refs/tags/?*') THEN '**/*'
        ELSE 'not known' END
      FROM bots WHERE is_sighted <> 0;
    UPDATE past SET is_whole = 0;
    """
}
