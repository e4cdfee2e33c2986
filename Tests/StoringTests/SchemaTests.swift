import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("The file of the database")
struct SchemaTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Runs statements on the file as another program would.
  private func change(_ sql: String) throws {
    try Connection(path: scratch.database, isWritable: true).execute(sql, "change the file")
  }

  private func text(_ sql: String) throws -> String {
    var connection = try Connection(path: scratch.database, isWritable: true)
    return try connection.rows(sql, [], "read the file") { $0.text(0) }.joined(separator: " ")
  }

  /// What opening the file says.
  private func refusal() throws -> String {
    do {
      _ = try Store(at: scratch.database)
      return "it was opened"
    } catch {
      return error.description
    }
  }

  @Test("A file that several machines use has a rollback journal, since they have no memory in common")
  func shared() throws {
    try Data().write(to: URL(filePath: scratch.database + Store.sharedSuffix))
    var store = try Store(at: scratch.database)
    #expect(try store.connection.rows("PRAGMA journal_mode", [], "") { $0.text(0) } == ["delete"])
  }

  @Test("A new file has the newest version, Martlet's mark and a write-ahead log that is synced at every commit")
  func fresh() throws {
    var store = try Store(at: scratch.database)
    #expect(try store.connection.rows("PRAGMA journal_mode", [], "") { $0.text(0) } == ["wal"])
    #expect(try store.connection.rows("PRAGMA synchronous", [], "") { $0.integer(0) } == [2])
    #expect(try text("PRAGMA user_version") == "\(Schema.migrations.count)")
    #expect(try text("PRAGMA application_id") == "1299346540")
  }

  @Test("Several may make the file at once")
  func manyMakers() async throws {
    for round in 0..<40 {
      let path = "\(scratch.database)-\(round)"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try Store(at: path) } }
        try await group.waitForAll()
      }
    }
  }

  @Test("A file that a newer Martlet wrote is refused and left as it is")
  func newer() throws {
    _ = try Store(at: scratch.database)
    try change("PRAGMA user_version = 99")
    #expect(
      try refusal()
        == "Cannot use the database \(scratch.database): a newer Martlet wrote it (version 99; this one knows \(Schema.migrations.count)). Use that Martlet again, or give this one another home with --home."
    )
    #expect(try text("PRAGMA user_version") == "99")
  }

  @Test("Another program's database is refused and left as it is")
  func foreign() throws {
    try change("CREATE TABLE recipes (name TEXT)")
    #expect(
      try refusal()
        == "Cannot use the database \(scratch.database): another program wrote it. Move it away, or give Martlet another home with --home."
    )
    #expect(try text("SELECT name FROM sqlite_schema") == "recipes")
    #expect(try text("PRAGMA journal_mode") == "delete")
  }

  @Test("A file that is no database is refused")
  func garbage() throws {
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: scratch.database))
    #expect(
      try refusal()
        == "Cannot read the version of the database in \(scratch.database): file is not a database (SQLite 26). Stop the watcher and run 'martlet reindex': it makes the index anew of the documents, and keeps what can still be read of the queue."
    )
  }

  @Test("A folder that is not there is said to be the reason")
  func missingFolder() throws {
    let path = "\(scratch.path)/none/martlet.sqlite"
    do {
      _ = try Store(at: path)
      Issue.record("it was opened")
    } catch {
      #expect(error.kind == .file)
      #expect(
        error.description
          == "Cannot open the database in \(path): unable to open database file (SQLite 14). Check that the file and its folder belong to the user that runs Martlet and can be written."
      )
    }
  }

  @Test("A full disk changes nothing, says so, and the store goes on when there is room")
  func full() throws {
    var store = try Store(at: scratch.database)
    try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))
    let pages = try store.connection.rows("PRAGMA page_count", [], "") { $0.integer(0) }[0]
    _ = try store.connection.rows("PRAGMA max_page_count = \(pages)", [], "") { $0.integer(0) }
    let big = (0..<5000).map { CommitID(rawValue: "\($0)") }
    do {
      try store.apply(
        Decision(bot: "greeter", changes: [.remember(main, "a"), .queue(assignment("0", covered: big))]))
      Issue.record("it was written")
    } catch {
      #expect(error.kind == .full)
      #expect(
        error.description
          == "Cannot write a decision down in \(scratch.database): database or disk is full (SQLite 13). Make room on the disk that holds it; nothing was changed."
      )
    }
    #expect(try store.openEntries().map(\.commit) == ["a"])
    _ = try store.connection.rows("PRAGMA max_page_count = 1000000", [], "") { $0.integer(0) }
    try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("0", covered: big))]))
    #expect(try store.openEntries().map(\.covered.count) == [1, 5000])
  }

  @Test("A database that another program holds is said to be locked")
  func locked() throws {
    var store = try Store(at: scratch.database)
    try store.connection.execute("PRAGMA busy_timeout = 1", "")
    let other = try Connection(path: scratch.database, isWritable: true)
    try other.execute("BEGIN IMMEDIATE", "")
    do {
      try store.apply(Decision(bot: "greeter", changes: [.sighted]))
      Issue.record("it was written")
    } catch {
      #expect(error.kind == .locked)
      #expect(
        error.description
          == "Cannot write a decision down in \(scratch.database): database is locked (SQLite 5). Another program holds it; end that program (`fuser \(scratch.database)` names it) and try again."
      )
    }
    try other.execute("ROLLBACK", "")
    try store.apply(Decision(bot: "greeter", changes: [.sighted]))
  }

  @Test("A reader sees what the writer has committed, and cannot write")
  func reader() throws {
    var store = try Store(at: scratch.database)
    var reader = try Store(reading: scratch.database)
    try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))
    #expect(try reader.openEntries().count == 1)
    #expect(throws: StoringError.self) { try reader.apply(Decision(bot: "greeter", changes: [.sighted])) }
    #expect(throws: StoringError.self) { _ = try Store(reading: "\(scratch.path)/none.sqlite") }
  }

  @Test("A database that is being made has nothing to read yet")
  func unmade() throws {
    #expect(FileManager.default.createFile(atPath: scratch.database, contents: nil))
    do {
      _ = try Store(reading: scratch.database)
      Issue.record("An empty file was read.")
    } catch {
      #expect(error.kind == .unmade)
      #expect(
        "\(error)"
          == "Cannot read the database \(scratch.database): nothing was written to it yet. Try again in a moment.")
    }
  }

  @Test("Text that is hostile to SQL or to C is kept as it is")
  func hostile() throws {
    var store = try Store(at: scratch.database)
    let name = "o'\"; DROP TABLE bots; -- \u{0}\u{202E}ä"
    let ref = RefName(rawValue: "refs/heads/\(name)")
    try store.apply(
      Decision(bot: name, changes: [.sighted, .remember(ref, ""), .queue(assignment("", bot: name, ref: ref))]))
    #expect(try store.bots() == [name])
    #expect(try store.memory(of: name).tips == [ref: ""])
    #expect(try store.openEntries(of: name) == [QueueEntry(id: 1, assignment: assignment("", bot: name, ref: ref))])
  }

  @Test("Queries that pages wait for use an index")
  func plans() throws {
    var store = try Store(at: scratch.database)
    let id = "entries.bot = (SELECT id FROM bots WHERE name = 'x')"
    let queries = [
      "SELECT * FROM entries WHERE \(id) AND entries.number < 9 ORDER BY entries.number DESC LIMIT 9":
        "entries_by_number",
      """
      SELECT number, ref, outcome, ended_at FROM entries
      WHERE \(id) AND number IS NOT NULL AND outcome IS NOT NULL ORDER BY number DESC LIMIT 9
      """: "entries_by_number",
      "SELECT * FROM entries WHERE \(id) AND entries.ref = 'r' AND entries.number < 9 ORDER BY entries.number DESC":
        "entries_by_ref",
      "SELECT * FROM entries WHERE entries.state IN ('pending', 'running') ORDER BY entries.id": "entries_open",
      """
      SELECT * FROM entries WHERE \(id) AND entries.outcome IN ('succeeded', 'warnings', 'analyzer-warnings')
      ORDER BY entries.number DESC LIMIT 1
      """: "entries_good",
      """
      SELECT * FROM entries WHERE \(id) AND entries.state IN ('skipped', 'superseded') ORDER BY entries.id DESC LIMIT 9
      """: "entries_aside",
      "SELECT * FROM entries WHERE \(id) AND entries.state = 'finished' AND entries.is_removed = 0 ORDER BY number":
        "entries_kept",
    ]
    for (query, index) in queries {
      let plan = try store.connection.rows("EXPLAIN QUERY PLAN \(query)", [], "explain") { $0.text(3) }
      #expect(plan.contains { $0.contains("INDEX \(index) ") }, "\(query): \(plan)")
    }
  }
}
