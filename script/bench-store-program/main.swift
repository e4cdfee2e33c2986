// The program of script/bench-store: fills a database and measures what the watcher and the pages ask of it.
import CSQLite
import FoundationEssentials
import Glibc
import Model
import Storing

let arguments = CommandLine.arguments
let database = arguments[1]
let total = Int(arguments[2]) ?? 1_000_000
let bots = 100
/// How many tests each integration has whose files are kept.
let tests = min(500, total / bots)
let clock = ContinuousClock()

func milliseconds(_ duration: Duration) -> Double {
  let parts = duration.components
  return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
}

func report(_ name: String, _ times: [Duration]) {
  let sorted = times.map(milliseconds).sorted()
  func text(_ value: Double) -> String {
    let number = String((value * 1000).rounded() / 1000)
    return String(repeating: " ", count: max(0, 9 - number.count)) + number + " ms"
  }
  let label = name + String(repeating: " ", count: max(1, 44 - name.count))
  print(label + "median \(text(sorted[sorted.count / 2]))   99 % \(text(sorted[(sorted.count - 1) * 99 / 100]))")
}

func measure(_ name: String, rounds: Int, _ body: (Int) throws -> Void) throws {
  report(name, try (0..<rounds).map { round in try clock.measure { try body(round) } })
}

/// A document with tests.
func document(_ number: Int, of bot: String) -> IntegrationRecord {
  let date = Date(timeIntervalSince1970: 1_790_000_000)
  var integration = Integration(
    bot: bot, number: number, repository: "/srv/git/Shop.git", branch: "main",
    commit: Commit(
      id: CommitID(rawValue: "COMMIT"), summary: "Let the cart be emptied at once", author: "Mira", date: date),
    cause: .commit, toolchain: "Swift version 6.3", configuration: "debug", sandbox: "bubblewrap", queuedAt: date,
    repeatCommand: "")
  (integration.outcome, integration.startedAt, integration.endedAt) = (.succeeded, date, date)
  integration.tests = TestReport(
    results: (1...tests).map { test in
      TestResult(
        id: TestID(module: "ShopTests", suite: "CartTests", name: "test\(test)()"), library: .xctest, state: .passed,
        duration: 0.01)
    })
  return IntegrationRecord(integration) { _ in "" }
}

/// The line of an integration as lists read it.
let line = String(
  decoding: try JSONEncoder().encode(HistoryLine(of: document(4711, of: "bot1"))), as: UTF8.self
).replacing("\"succeeded\"", with: "\"OUTCOME\"")

/// Writes the integrations as the store would, but in one transaction: a million of them one by one would take an hour.
func fill() throws {
  do { _ = try Store(at: database) }
  var handle: OpaquePointer?
  sqlite3_open(database, &handle)
  defer { sqlite3_close(handle) }
  let numbers = "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(total))"
  let commit = "lower(hex(randomblob(4))) || printf('%032x', i)"
  let script = """
    PRAGMA journal_mode = WAL;
    BEGIN;
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(bots))
      INSERT INTO bots (id, name, is_sighted, last_number) SELECT i, 'bot' || i, 1, \(total / bots) FROM n;
    \(numbers) INSERT INTO entries (bot, ref, commit_id, cause, attempt, queued_at, state, number, started_at, reason,
      outcome, ended_at, passed, failed, expected_failures, skipped, crashed, timed_out, canceled, not_run, filtered_out,
      flaky, lines, covered_lines, partial_lines, regions, covered_regions, functions, covered_functions,
      is_coverage_complete, warnings, bytes, is_removed)
      SELECT 1 + i % \(bots), CASE i % 7 WHEN 0 THEN 'refs/heads/topic' ELSE 'refs/heads/main' END, \(commit), 'commit', 1,
        1.7e9 + i, 'finished', 1 + i / \(bots), 1.7e9 + i + 2, CASE i % 5 WHEN 0 THEN '2 tests failed.' END,
        CASE i % 5 WHEN 0 THEN 'test-failures' ELSE 'succeeded' END, 1.7e9 + i + 60, 400, 2 * (i % 5 = 0), 0, 3, 0, 0, 0, 0,
        0, 0, 9000, 7000 + i % 900, 40, 12000, 9000, 900, 800, 1, i % 4, 3000000, i < \(total) - 50 * \(bots) FROM n;
    INSERT INTO covered SELECT id, 0, commit_id FROM entries;
    INSERT INTO integrations (bot, number, commit_id, branch, outcome, scope, is_dirty, toolchain, circumstances,
      is_removed, line)
      SELECT 'bot' || bot, number, commit_id, substr(ref, 12), outcome, '0a1b2c', 0, 'Swift version 6.3', NULL, is_removed,
        replace(replace(replace('\(line)', '4711', number), 'COMMIT', commit_id), 'OUTCOME', outcome) FROM entries;
    INSERT INTO tests SELECT number, 'ShopTests.CartTests/test' || number || '()' FROM entries WHERE bot = 1 AND number <= \(tests);
    INSERT INTO verdicts SELECT integrations.id, tests.id, 'passed', tests.id % 97, 0, NULL
      FROM integrations CROSS JOIN tests WHERE is_removed = 0;
    UPDATE past SET is_whole = 1;
    COMMIT;
    """
  guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
    print("error: cannot fill the database: \(String(cString: sqlite3_errmsg(handle)))")
    exit(3)
  }
}

print("filled with \(total) integrations of \(bots) bots in \(try clock.measure { try fill() })")
var status = stat()
stat(database, &status)
print("size \(status.st_size / 1_000_000) MB\n")

try measure("start: open, read the queue and one memory", rounds: 50) { _ in
  var store = try Store(at: database)
  _ = try store.openEntries()
  _ = try store.memory(of: "bot50")
}
try measure("start: open, read the queue and all memories", rounds: 20) { _ in
  var store = try Store(at: database)
  _ = try store.openEntries()
  for bot in try store.bots() { _ = try store.memory(of: bot) }
}
var store = try Store(at: database)
try measure("the newest 50 of a bot", rounds: 300) { round in
  _ = try store.history(of: "bot\(1 + round % bots)", limit: 50)
}
try measure("kept integrations of a bot (50)", rounds: 300) { round in _ = try store.kept(of: "bot\(1 + round % bots)")
}
func commit(_ round: Int) -> CommitID { CommitID(rawValue: "feed\(round)") }
try measure("is a commit covered?", rounds: 300) { round in
  _ = try store.covered([commit(round)], of: "bot1", on: RefName(branch: "main"))
}
var ids: [QueueEntry.ID] = []
let now = Date(timeIntervalSince1970: 1_790_000_000)
try measure("insertion: a commit seen and queued", rounds: 300) { round in
  let bot = "bot\(1 + round % bots)"
  let main = RefName(branch: "main")
  let assignment = Assignment(bot: bot, ref: main, commit: commit(round), cause: .commit, queuedAt: now)
  ids += try store.apply(Decision(bot: bot, changes: [.queue(assignment), .remember(main, commit(round))]))
}
try measure("insertion: started", rounds: 300) { round in _ = try store.start(ids[round], at: now) }
try measure("insertion: finished", rounds: 300) { round in
  try store.finish(ids[round], IntegrationSummary(outcome: .succeeded, endedAt: now))
}

try measure("all integrations of a bot, to compare with", rounds: 50) { round in
  _ = try store.integrations(of: "bot\(1 + round % bots)")
}
try measure("the newest 60 lines of a bot", rounds: 300) { round in
  _ = try store.lines(of: "bot\(1 + round % bots)", limit: 60)
}
try measure("the index page: 60 lines of each bot", rounds: 10) { _ in
  for bot in try store.indexedBots() { _ = try store.lines(of: bot, limit: 60) }
}
try measure("how \(tests) tests ended in 50 integrations", rounds: 20) { round in
  var names = TestNames()
  let newest = total / bots
  for number in (newest - 49)...newest { _ = try store.verdicts(of: "bot\(1 + round % bots)", max(1, number), &names) }
}
try measure("insertion: the row of an integration", rounds: 100) { round in
  try store.note([IndexRow(of: document(total + round, of: "bot\(1 + round % bots)"))])
}
try measure("open, ask for 60 lines, close", rounds: 100) { round in
  var store = try Store(at: database)
  if try store.isWhole() { _ = try store.lines(of: "bot\(1 + round % bots)", limit: 60) }
}
