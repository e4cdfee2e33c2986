import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Storing

@Suite("The index of everything past")
struct PastTests {
  private let scratch: Scratch
  private let test = TestID(module: "ShopTests", suite: "Pace", name: "testPace")

  init() throws {
    scratch = try Scratch()
  }

  private func row(_ number: Int, of bot: String = "Shop", _ state: TestState = .passed) -> IndexRow {
    var integration = Integration(
      bot: bot, number: number, repository: "/r", branch: "main",
      commit: Commit(id: CommitID(rawValue: "c\(number)"), summary: "Sell", author: "Ada", date: noon), cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: noon, repeatCommand: "")
    integration.outcome = state == .passed ? .succeeded : .testFailures
    integration.startedAt = noon
    integration.endedAt = noon.addingTimeInterval(2.5)
    integration.circumstances = [Circumstance("system", "Debian")]
    var result = TestResult(id: test, library: .xctest, state: state, duration: 0.000238)
    result.measurements = [TestMeasurement(metric: "Time", unit: "seconds", values: [1, 2])]
    integration.tests = TestReport(results: [
      result, TestResult(id: TestID(module: "A", suite: "B", name: "c()"), library: .swiftTesting, state: .passed),
    ])
    var document = IntegrationRecord(integration) { $0.code.code }
    document.scope = "s"
    return IndexRow(of: document)
  }

  @Test("What a bot integrated of another package says nothing about the one that it integrates now")
  func otherPackage() throws {
    var store = try Store(at: scratch.database)
    let rows = [("packages/App", 1), (nil, 2), ("packages/App", 3), ("packages/Lib", 4), ("packages/Lib", 5)]
      .map { package, number in
        var row = row(number, .failed)
        row.integration.package = package
        return row
      }
    try store.note(rows)
    #expect(try store.lines(of: "Shop").map(\.number) == [5, 4, 3, 2, 1])
    #expect(try store.lines(of: "Shop").filter { !$0.isOfOtherPackage }.map(\.number) == [5, 4, 2])
    #expect(try store.lines(of: "Shop", limit: 3).map(\.isOfOtherPackage) == [false, false, true])
    #expect(try store.unsteadyVerdicts(of: "Shop", newest: 9).map(\.number) == [5, 4, 2])
    #expect(try store.integrations(of: "Shop").map(\.package) == rows.map(\.integration.package))
  }

  @Test("What a bot integrated of another repository says nothing about the one that it integrates now")
  func otherRepository() throws {
    var store = try Store(at: scratch.database)
    let rows = [nil, nil, 3, 3, nil].enumerated().map { index, since in
      var row = row(index + 1, .failed)
      row.integration.repositorySince = since
      return row
    }
    try store.note(Array(rows.prefix(4)))
    #expect(try store.lines(of: "Shop").filter { !$0.isOfOtherPackage }.map(\.number) == [4, 3])
    #expect(try store.unsteadyVerdicts(of: "Shop", newest: 9).map(\.number) == [4, 3])
    #expect(try store.integrations(of: "Shop").map(\.repositorySince) == [nil, nil, 3, 3])
    try store.note([rows[4]])
    #expect(try store.lines(of: "Shop").filter { !$0.isOfOtherPackage }.map(\.number) == [5, 2, 1])
  }

  @Test("Of every integration it is known whether its commit was an older one of its branch")
  func behindBranch() throws {
    var store = try Store(at: scratch.database)
    let rows = [nil, true, nil].enumerated().map { index, isBehind in
      var row = row(index + 1)
      row.line.behindBranch = isBehind
      return row
    }
    try store.note(rows)
    #expect(try store.integrations(of: "Shop").map(\.isBehindBranch) == [false, true, false])
  }

  @Test("What gates are still judged against is found by the integrations that judged them")
  func gateBases() throws {
    var store = try Store(at: scratch.database)
    let rows = [[1], [], nil, [2, 3]].enumerated().map { index, bases in
      var row = row(index + 1)
      row.line.gateBases = bases
      return row
    }
    try store.note(rows)
    try store.noteRemoval(of: [1], of: "Shop")
    #expect(try store.gateBases(of: "Shop") == [2: [], 4: [2, 3]])
  }

  /// Writes into a page of the file behind the first, as a disk would that fails.
  private func damage(fromPage page: Int) throws {
    let file = try #require(fopen(scratch.database, "r+"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    fseek(file, page * 4096, SEEK_SET)
    let bytes = [UInt8](repeating: 0xA5, count: max(0, size - page * 4096))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  @Test("Gives back what was written, once for each integration, and takes the last word")
  func roundTrip() throws {
    var store = try Store(at: scratch.database)
    try store.note([row(2), row(1), row(1, of: "Other")])
    try store.note([row(2, .failed)])
    #expect(try store.indexedBots() == ["Other", "Shop"])
    #expect(try store.integrations(of: "Shop") == [row(1).integration, row(2, .failed).integration])
    #expect(try store.lines(of: "Shop") == [row(2, .failed).line, row(1).line])
    #expect(try store.lines(of: "Shop", limit: 1).map(\.number) == [2])
    #expect(try store.highestNumber(of: "Shop") == 2)
    var names = TestNames()
    #expect(try store.verdicts(of: "Shop", 2, &names) == row(2, .failed).verdicts)
    #expect(try store.verdicts(of: "Shop", 3, &names) == nil)
    #expect(try store.highestNumber(of: "None") == 0)
  }

  @Test("A test that ended its process is told so wherever its past is read")
  func quit() throws {
    var store = try Store(at: scratch.database)
    var quit = row(3, .notRun)
    quit.verdicts?.verdicts[test]?.isQuit = true
    try store.note([row(1, .failed), row(2, .notRun), quit])
    var names = TestNames()
    #expect(try store.verdicts(of: "Shop", 3, &names) == quit.verdicts)
    let ends = try store.unsteadyVerdicts(of: "Shop", newest: 10).map { $0.verdicts[test]?.isQuit }
    #expect(ends == [true, false, false])
    let past = try store.history(of: test, in: "Shop", PastSelection(limit: 10))
    #expect(past.lines.map(\.verdict.isQuit) == [true, false, false])
  }

  @Test("Red tests that would have been left out are counted for each bot, each integration once")
  func misses() throws {
    var store = try Store(at: scratch.database)
    #expect(try store.misses(of: "Shop") == OnlyAffected.Misses())
    func row(_ number: Int, of bot: String = "Shop", red: Int, missed: Int) -> IndexRow {
      var row = self.row(number, of: bot)
      row.line.trial = OnlyAffected.Misses(integrations: 1, red: red, missed: missed)
      return row
    }
    try store.note([
      row(1, red: 3, missed: 1), self.row(2), row(3, red: 2, missed: 0), row(1, of: "Other", red: 9, missed: 9),
    ])
    try store.note([row(3, red: 4, missed: 2)])
    #expect(try store.misses(of: "Shop") == OnlyAffected.Misses(integrations: 2, red: 7, missed: 3))
    try store.noteRemoval(of: [1], of: "Shop")
    #expect(try store.misses(of: "Shop").red == 7)
    try store.forget("Shop")
    #expect(try store.misses(of: "Shop") == OnlyAffected.Misses())
    #expect(try store.misses(of: "Other").missed == 9)
  }

  @Test("Tests that were ever red are told in all integrations that ran them, steady ones in none")
  func unsteady() throws {
    var store = try Store(at: scratch.database)
    try store.note([row(1), row(2, .failed), row(3), row(1, of: "Other")])
    let found = try store.unsteadyVerdicts(of: "Shop", newest: 10)
    #expect(found.map(\.number) == [3, 2, 1])
    #expect(found.map { $0.verdicts.keys.sorted() } == [[test], [test], [test]])
    #expect(found.map { $0.verdicts[test]?.state } == [.passed, .failed, .passed])
    #expect(found.first?.circumstances == row(3).verdicts?.circumstances)
    #expect(try store.unsteadyVerdicts(of: "Shop", newest: 1).map(\.verdicts) == [[:]])
    #expect(try store.unsteadyVerdicts(of: "Other", newest: 10).map(\.verdicts) == [[:]])
  }

  @Test("A document that does not tell its scope takes none away")
  func scope() throws {
    var store = try Store(at: scratch.database)
    var row = row(1)
    try store.note([row])
    row.integration.scope = nil
    try store.note([row])
    #expect(try store.integrations(of: "Shop").map(\.scope) == ["s"])
  }

  @Test("What was removed keeps its line and loses its tests, and bots that are gone lose all")
  func removal() throws {
    var store = try Store(at: scratch.database)
    try store.note([row(1), row(2), row(1, of: "Other")])
    try store.noteRemoval(of: [1], of: "Shop")
    var names = TestNames()
    #expect(try store.verdicts(of: "Shop", 1, &names) == nil)
    #expect(try store.verdicts(of: "Shop", 2, &names) != nil)
    #expect(try store.lines(of: "Shop").count == 2)
    try store.forget("Shop")
    #expect(try store.indexedBots() == ["Other"])
    #expect(try store.connection.rows("SELECT count(*) FROM verdicts", [], "") { $0.integer(0) } == [2])
  }

  @Test("Bots of the index alone are none that the watcher remembers something of")
  func bots() throws {
    var store = try Store(at: scratch.database)
    try store.note([row(1)])
    #expect(try store.bots() == [])
  }

  @Test("It is whole when somebody has said so, and not in a file of an earlier version")
  func whole() throws {
    var store = try Store(at: scratch.database)
    #expect(try store.isWhole() == false)
    try store.markWhole()
    var other = try Store(at: scratch.database)
    #expect(try other.isWhole() == true)
  }

  @Test("Of a file that is no database nothing is left, and it can be used again")
  func garbage() throws {
    do {
      var store = try Store(at: scratch.database)
      try store.note([row(1)])
    }
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: scratch.database), options: [])
    try Store.renew(at: scratch.database)
    var store = try Store(at: scratch.database)
    #expect(store.isSound() == true)
    #expect(try store.isWhole() == false)
    #expect(try store.lines(of: "Shop") == [])
    try store.note([row(2)])
    #expect(try store.integrations(of: "Shop").map(\.number) == [2])
  }

  @Test("Who has a file open that is damaged and made anew goes on with it, and what is in its log is not lost")
  func open() throws {
    var open = try Store(at: scratch.database)
    try open.note([row(1)])
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: scratch.database), options: [])
    try Store.renew(at: scratch.database)
    var store = try Store(at: scratch.database)
    try store.note([row(2)])
    #expect(try open.integrations(of: "Shop").map(\.number) == [1, 2])
    try open.note([row(3)])
    #expect(try store.integrations(of: "Shop").map(\.number) == [1, 2, 3])
    #expect(store.isSound() == true)
  }

  @Test("Of a damaged file the queue, the tips and the integrations stay as far as they can be read")
  func damaged() throws {
    do {
      var store = try Store(at: scratch.database)
      try store.apply(
        Decision(bot: "Shop", changes: [.sighted, .remember(main, "b"), .queue(assignment("b", bot: "Shop"))]))
      // Behind the tables' first pages.
      for start in stride(from: 1, to: 400, by: 50) { try store.note((start..<start + 50).map { row($0) }) }
      try store.markWhole()
    }
    try damage(fromPage: 30)
    do {
      var store = try Store(at: scratch.database)
      #expect(store.isSound() == false)
    }
    try Store.renew(at: scratch.database)
    var store = try Store(at: scratch.database)
    #expect(store.isSound() == true)
    #expect(try store.isWhole() == false)
    #expect(try store.memory(of: "Shop").tips == [main: "b"])
    #expect(try store.openEntries().map(\.commit) == ["b"])
    let left = try store.integrations(of: "Shop").map(\.number)
    #expect(left.count < 400 && left == Array(1..<(left.count + 1)))
  }

  @Test("Several write at the same time, from the first moment of the file on, and lose nothing")
  func several() async throws {
    let path = scratch.database
    let rows = (1...100).map { row($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            var store = try Store(at: path)
            try store.note([rows[writer * 25 + number]])
          }
        }
      }
      try await group.waitForAll()
    }
    var store = try Store(at: path)
    #expect(try store.integrations(of: "Shop").map(\.number) == Array(1...100))
  }

  @Test("Queries of pages and of integrations use an index")
  func plans() throws {
    var store = try Store(at: scratch.database)
    let queries = [
      "SELECT line FROM integrations WHERE bot = 'x' ORDER BY number DESC LIMIT 9": "sqlite_autoindex_integrations_1",
      "SELECT number, commit_id, branch, outcome, scope, is_dirty FROM integrations WHERE bot = 'x' ORDER BY number":
        "integrations_to_compare",
      "SELECT max(number) FROM integrations WHERE bot = 'x'": "sqlite_autoindex_integrations_1",
      "SELECT min(bot) FROM integrations WHERE bot > 'x'": "sqlite_autoindex_integrations_1",
    ]
    for (query, index) in queries {
      let plan = try store.connection.rows("EXPLAIN QUERY PLAN \(query)", [], "explain") { $0.text(3) }
      #expect(plan.contains { $0.contains("INDEX \(index) ") } && !plan.contains { $0.contains("TEMP") }, "\(plan)")
    }
  }
}
