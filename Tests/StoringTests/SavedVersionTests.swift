import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("Databases of older versions")
struct SavedVersionTests {
  /// A database as each version of the tables wrote it, as text; a sample is never changed.
  static let samples = [
    first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh,
  ]

  private static let first = """
    CREATE TABLE bots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_sighted INTEGER NOT NULL DEFAULT 0,
      last_number INTEGER NOT NULL DEFAULT 0, period_mark REAL, toolchain TEXT);
    INSERT INTO bots VALUES (1, 'greeter', 1, 7, NULL, 'Swift 6.3');
    CREATE TABLE tips (bot INTEGER NOT NULL REFERENCES bots, ref TEXT NOT NULL, commit_id TEXT NOT NULL,
      PRIMARY KEY (bot, ref)) WITHOUT ROWID;
    INSERT INTO tips VALUES (1, 'refs/heads/main', 'b');
    CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, bot INTEGER NOT NULL REFERENCES bots, ref TEXT NOT NULL,
      commit_id TEXT NOT NULL, cause TEXT NOT NULL, attempt INTEGER NOT NULL, queued_at REAL NOT NULL,
      state TEXT NOT NULL, number INTEGER, started_at REAL, reason TEXT, cancel_reason TEXT,
      is_pinned INTEGER NOT NULL DEFAULT 0, is_removed INTEGER NOT NULL DEFAULT 0, outcome TEXT, ended_at REAL,
      passed INTEGER, failed INTEGER, expected_failures INTEGER, skipped INTEGER, crashed INTEGER, timed_out INTEGER,
      canceled INTEGER, not_run INTEGER, filtered_out INTEGER, flaky INTEGER, lines INTEGER, covered_lines INTEGER,
      partial_lines INTEGER, regions INTEGER, covered_regions INTEGER, functions INTEGER, covered_functions INTEGER,
      is_coverage_complete INTEGER, warnings INTEGER, bytes INTEGER);
    INSERT INTO entries VALUES (1, 1, 'refs/heads/main', 'a', 'commit', 1, 1790000000.0, 'finished', 7, 1790000005.0,
      '2 tests failed.', NULL, 1, 0, 'test-failures', 1790000060.0, 11, 2, 0, 0, 0, 0, 0, 0, 0, 1, 100, 80, 5, 50, 40,
      20, 19, 0, 3, 4096);
    INSERT INTO entries (id, bot, ref, commit_id, cause, attempt, queued_at, state)
      VALUES (2, 1, '', 'b', 'person', 1, 1790000000.0, 'pending');
    CREATE UNIQUE INDEX entries_by_number ON entries (bot, number) WHERE number IS NOT NULL;
    CREATE TABLE covered (entry INTEGER NOT NULL REFERENCES entries, position INTEGER NOT NULL, commit_id TEXT NOT NULL,
      PRIMARY KEY (entry, position)) WITHOUT ROWID;
    INSERT INTO covered VALUES (1, 0, 'a'), (2, 0, 'b');
    PRAGMA user_version = 1;
    PRAGMA application_id = 1299346540;
    """

  /// The first version with what the second one adds to its entries.
  private static let second =
    first
    .replacing("bytes INTEGER);", with: "bytes INTEGER,\n  only_gates_failed INTEGER NOT NULL DEFAULT 0);")
    .replacing("3, 4096);", with: "3, 4096, 0);")
    .replacing("PRAGMA user_version = 1;", with: "PRAGMA user_version = 2;")

  /// What the third version adds to the second.
  private static let third = second.replacing(
    "PRAGMA user_version = 2;",
    with: """
      CREATE TABLE integrations (id INTEGER PRIMARY KEY, bot TEXT NOT NULL, number INTEGER NOT NULL,
        commit_id TEXT NOT NULL, branch TEXT, outcome TEXT NOT NULL, scope TEXT, is_dirty INTEGER NOT NULL,
        toolchain TEXT NOT NULL, circumstances TEXT, is_removed INTEGER NOT NULL, line TEXT NOT NULL,
        UNIQUE (bot, number));
      INSERT INTO integrations VALUES (1, 'greeter', 7, 'a', 'main', 'test-failures', 's', 0, 'Swift 6.3', NULL, 0,
        '{"author":"Ada","cause":"commit","commit":"a","commitCount":1,"endedAt":60,"newIssues":0,"number":7,'
        || '"openIssues":0,"outcome":"test-failures","reasons":[],"startedAt":0,"subject":"Greet",'
        || '"tests":{"canceled":0,"crashed":0,"expectedFailures":0,"failed":2,"filteredOut":0,"flaky":1,"notRun":0,'
        || '"passed":11,"quit":0,"skipped":0,"timedOut":0},"toolchain":"Swift 6.3","warnings":3}');
      CREATE INDEX integrations_to_compare ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty);
      CREATE TABLE tests (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      INSERT INTO tests VALUES (1, 'A.B/c()');
      CREATE TABLE verdicts (integration INTEGER NOT NULL REFERENCES integrations ON DELETE CASCADE,
        test INTEGER NOT NULL REFERENCES tests, state TEXT NOT NULL, milliseconds INTEGER NOT NULL,
        is_flaky INTEGER NOT NULL, figures TEXT, PRIMARY KEY (integration, test)) WITHOUT ROWID;
      INSERT INTO verdicts VALUES (1, 1, 'failed', 12, 0, NULL);
      CREATE TABLE past (is_whole INTEGER NOT NULL);
      INSERT INTO past VALUES (1);
      PRAGMA user_version = 3;
      """)

  /// What the fourth version adds to the third.
  private static let fourth = third.replacing(
    "PRAGMA user_version = 3;",
    with: """
      CREATE TABLE announcements (entry INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE, state TEXT,
        commit_id TEXT);
      INSERT INTO announcements VALUES (2, 'pending', 'a');
      PRAGMA user_version = 4;
      """)

  /// What the fifth version adds to the fourth.
  private static let fifth = fourth.replacing(
    "PRAGMA user_version = 4;",
    with: """
      CREATE TABLE handed (id TEXT PRIMARY KEY, entry INTEGER NOT NULL, machine TEXT NOT NULL,
        is_dropped INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
      INSERT INTO handed VALUES ('e1', 1, 'big', 1);
      CREATE TABLE last_places (bot INTEGER NOT NULL REFERENCES bots, ref TEXT NOT NULL, machine TEXT NOT NULL,
        seconds REAL NOT NULL, PRIMARY KEY (bot, ref)) WITHOUT ROWID;
      INSERT INTO last_places VALUES (1, 'refs/heads/main', 'big', 55.0);
      PRAGMA user_version = 5;
      """)

  /// What the sixth version adds to the fifth.
  private static let sixth = fifth.replacing(
    "PRAGMA user_version = 5;",
    with: """
      CREATE TABLE trials (integration INTEGER PRIMARY KEY REFERENCES integrations ON DELETE CASCADE,
        red INTEGER NOT NULL, missed INTEGER NOT NULL);
      INSERT INTO trials VALUES (1, 2, 1);
      PRAGMA user_version = 6;
      """)

  /// What the seventh version adds to the sixth.
  private static let seventh = sixth.replacing(
    "PRAGMA user_version = 6;",
    with: """
      ALTER TABLE integrations ADD COLUMN package TEXT;
      UPDATE integrations SET package = '.';
      DROP INDEX integrations_to_compare;
      CREATE INDEX integrations_to_compare
        ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package);
      PRAGMA user_version = 7;
      """)

  /// What the eighth version adds to the seventh.
  private static let eighth = seventh.replacing(
    "PRAGMA user_version = 7;",
    with: """
      ALTER TABLE integrations ADD COLUMN repository_since INTEGER;
      UPDATE integrations SET repository_since = 5;
      DROP INDEX integrations_to_compare;
      CREATE INDEX integrations_to_compare
        ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package, repository_since);
      PRAGMA user_version = 8;
      """)

  /// What the ninth version adds to the eighth.
  private static let ninth = eighth.replacing(
    "PRAGMA user_version = 8;",
    with: """
      ALTER TABLE verdicts ADD COLUMN is_quit INTEGER NOT NULL DEFAULT 0;
      UPDATE verdicts SET is_quit = 1;
      PRAGMA user_version = 9;
      """)

  /// What the tenth version adds to the ninth.
  private static let tenth = ninth.replacing(
    "PRAGMA user_version = 9;",
    with: """
      ALTER TABLE integrations ADD COLUMN is_behind INTEGER NOT NULL DEFAULT 0;
      UPDATE integrations SET is_behind = 1;
      DROP INDEX integrations_to_compare;
      CREATE INDEX integrations_to_compare
        ON integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, package, repository_since, is_behind);
      PRAGMA user_version = 10;
      """)

  /// What the eleventh version adds to the tenth.
  private static let eleventh = tenth.replacing(
    "PRAGMA user_version = 10;",
    with: """
      INSERT INTO tips VALUES (1, 'refs/tags/', 'v*');
      PRAGMA user_version = 11;
      """)

  @Test("There is a sample of every version")
  func complete() {
    #expect(Self.samples.count == Schema.migrations.count)
  }

  @Test("A database of any version opens with all that it held", arguments: samples.indices)
  func opens(version: Int) throws {
    let scratch = try Scratch()
    try Connection(path: scratch.database, isWritable: true).execute(Self.samples[version], "write the sample")
    var store = try Store(at: scratch.database)
    #expect(
      try store.memory(of: "greeter")
        == BotMemory(tips: [main: "b", .tagsAsked: version >= 10 ? "v*" : .tagsNotKnown], toolchain: "Swift 6.3"))
    #expect(try store.openEntries().map(\.assignment) == [assignment("b", ref: nil, cause: .person)])
    #expect(try store.announcements(of: "greeter").map(\.told?.commit) == (version >= 3 ? ["a"] : []))
    let finished = try store.integration(7, of: "greeter")
    #expect(finished?.summary == summary(.testFailures))
    #expect(finished?.isPinned == true)
    #expect(try store.start(2, at: noon) == 8)
    #expect(try store.handed().map(\.handed.id) == (version >= 4 ? ["e1"] : []))
    let place = LastPlace(machine: "big", seconds: 55)
    #expect(try store.lastPlaces(of: "greeter") == (version >= 4 ? [RefName(branch: "main"): place] : [:]))
    #expect(try store.isWhole() == (version >= 10))
    let misses = OnlyAffected.Misses(integrations: 1, red: 2, missed: 1)
    #expect(try store.misses(of: "greeter") == (version >= 5 ? misses : OnlyAffected.Misses()))
    var names = TestNames()
    #expect(try store.lines(of: "greeter").map(\.subject) == (version >= 2 ? ["Greet"] : []))
    #expect(try store.integrations(of: "greeter").map(\.package) == (version >= 6 ? ["."] : version >= 2 ? [nil] : []))
    #expect(
      try store.integrations(of: "greeter").map(\.repositorySince) == (version >= 7 ? [5] : version >= 2 ? [nil] : []))
    let quits = try store.verdicts(of: "greeter", 7, &names)?.verdicts.values.map(\.isQuit)
    #expect(
      try store.integrations(of: "greeter").map(\.isBehindBranch)
        == (version >= 9 ? [true] : version >= 2 ? [false] : []))
    #expect(quits == (version >= 8 ? [true] : version >= 2 ? [false] : nil))
  }

  @Test("A bot of which an older Martlet saw a tag asked for all that it asks for now")
  func tags() throws {
    let scratch = try Scratch()
    let connection = try Connection(path: scratch.database, isWritable: true)
    try connection.execute(Self.tenth, "write the sample")
    try connection.execute(
      """
      INSERT INTO tips VALUES (1, 'refs/tags/v1', 'a');
      INSERT INTO bots (id, name) VALUES (2, 'unseen');
      INSERT INTO bots (id, name, is_sighted) VALUES (3, 'hello', 1);
      INSERT INTO tips VALUES (3, 'refs/tags/', 'v*');
      """, "add tags")
    var store = try Store(at: scratch.database)
    let all: [RefName: CommitID] = [main: "b", RefName(tag: "v1"): "a", .tagsAsked: "**/*"]
    #expect(try store.memory(of: "greeter").tips == all)
    #expect(try store.memory(of: "unseen").tips == nil)
    let known: [RefName: CommitID] = [.tagsAsked: "v*"]
    #expect(try store.memory(of: "hello").tips == known)
  }

  @Test("What only a gate made red before that was kept is told by its reason")
  func gates() throws {
    let scratch = try Scratch()
    let connection = try Connection(path: scratch.database, isWritable: true)
    try connection.execute(Self.samples[0], "write the sample")
    func add(_ number: Int, _ outcome: String, failed: Int, _ reason: String) throws {
      try connection.execute(
        """
        INSERT INTO entries (bot, ref, commit_id, cause, attempt, queued_at, state, number, outcome, reason, ended_at,
          failed, crashed, timed_out)
        VALUES (1, 'refs/heads/main', 'c', 'commit', 1, 1790000000.0, 'finished', \(number), '\(outcome)', '\(reason)',
          1790000060.0, \(failed), 0, 0)
        """, "add an entry")
    }
    try add(8, "test-failures", failed: 0, "Gate ratchet: the share fell.")
    try add(9, "test-failures", failed: 1, "Gate ratchet: the share fell.")
    try add(10, "test-failures", failed: 0, "XCTest recorded a failure outside any test: late")
    try add(11, "canceled", failed: 0, "Gate ratchet: the share fell.")
    var store = try Store(at: scratch.database)
    let told = try (7...11).map { try store.integration($0, of: "greeter")?.summary?.toldOutcome }
    #expect(told == ["test-failures", "gate failed", "test-failures", "test-failures", "canceled"])
  }
}
