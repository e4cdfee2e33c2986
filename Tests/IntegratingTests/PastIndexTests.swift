import FoundationEssentials
import Glibc
import Model
import Rendering
import Testing

@testable import Integrating
@testable import Storing

/// `Stored/Home` is what an earlier Martlet wrote, which kept lists in files of their own: 1, 3 and 4 are there, the others were
/// removed, and 5 was of uncommitted changes.
@Suite("The index of what a home keeps")
struct PastIndexTests {
  private static let commits = [
    "cf39c42cea4e798127d2cb19ea2ec11b4a14abb3", "547ac5b2a530b4cee7fd159600cdfcd2212ab15b",
    "c3027688516bee9b4b04d51fbfeb0f3b0c1fbd24", "648e438155a6f27109c225b84889782d6ca1fc2f",
  ].map { CommitID(rawValue: $0) }

  private static let states = ["GreeterTests.SpeedTests/testSpeed: passed", "GreeterTests.greets(): passed"]

  private let scratch: Scratch
  private let home: Home
  private let index: PastIndex
  private let bot = "pkg"

  init() throws {
    scratch = try Scratch()
    let stored = "\(#filePath)".split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Stored/Home"
    try FileManager.default.copyItem(atPath: stored, toPath: scratch.file("home"))
    home = Home(scratch.file("home"))
    index = PastIndex(of: home)
  }

  private var database: String { scratch.file("home/martlet.sqlite") }
  private var kept: Folder { home.integrations(of: bot) }

  /// All that the index tells.
  private func contents() throws -> [String] {
    let bot = bot
    let verdicts = try index.ask { store throws(StoringError) in
      var names = TestNames()
      return try (1...9).map { number throws(StoringError) in try store.verdicts(of: bot, number, &names) }
    }
    return try index.integrations(of: bot).map { "\($0)" } + index.newest(of: bot).map { "\($0)" }
      + verdicts.map { "\($0.map { ($0.verdicts.sorted { $0.key < $1.key }, $0.circumstances) } as Any)" }
  }

  /// A document such as this Martlet writes, in its place.
  private func integrate(_ number: Int) throws -> IntegrationRecord {
    var document = try StoredIntegration(in: kept.folder("4")).document
    (document.number, document.scope) = (number, "0618ae")
    try kept.folder("\(number)").create().write(try document.encoded(), to: "integration.json")
    return document
  }

  @Test("Is made of what an earlier Martlet wrote, with the scopes, and with what was removed")
  func older() throws {
    let known = try index.integrations(of: bot)
    #expect(known.map(\.number) == Array(1...6))
    #expect(known.map(\.commit) == Self.commits + [Self.commits[3], Self.commits[3]])
    #expect(known.map(\.scope) == Array(repeating: "0618ae", count: 5) + ["ec62ca"])
    #expect(known.map(\.branch) == ["main", "topic", "main", "main", "main", "main"])
    #expect(known.map(\.isDirty) == [false, false, false, false, true, false])
    #expect(
      known.map(\.outcome) == [.succeeded, .testFailures, .warnings, .succeeded, .succeeded, .succeeded])
    #expect(try index.newest(of: bot).map(\.subject) == ["Tidy", "Tidy", "Tidy", "Double", "Break", "Greet"])
    #expect(try index.bots() == [bot])
    // As its files had them.
    let read = try PastVerdicts(index: index, bot: bot).newest(before: 9, of: known)
    #expect(read.map(\.number) == [4, 3, 1])
    #expect(read[0].verdicts.map { "\($0): \($1.state)" }.sorted() == Self.states)
    #expect(read[0].measured.map { "\($0): \($1.map(\.metric))" } == [#"GreeterTests.SpeedTests/testSpeed: ["Time"]"#])
  }

  @Test("What an earlier Martlet remembered of issues that are gone is still known")
  func olderIssues() throws {
    let memory = IssueMemory(of: try StoredIntegration(in: kept.folder("4")).document, in: kept.folder("4"))
    #expect(memory.records.map(\.isOpen) == [false])
    #expect(memory.records.first?.streaks == [.init(opened: 3, lastSeen: 3, closed: 4)])
    let branches = try StoredIntegrations(in: home).issues(of: bot, at: Date()).branches
    #expect(branches.map(\.document.branch) == ["main"])
    #expect(branches[0].issues.map(\.record) == memory.records)
  }

  @Test("Tells the newest integration that mapped its tests")
  func mapped() throws {
    let all = StoredIntegrations(in: home)
    #expect(try all.mapped(of: bot) == nil)
    for number in [1, 3] { try kept.folder("\(number)").write([UInt8](), to: TestMapDocument.fileName) }
    #expect(try all.mapped(of: bot)?.document.number == 3)
  }

  @Test("Is the same when it is made again: after it was lost, of garbage, and when somebody asks for it")
  func again() throws {
    try index.add(integrate(7))
    let before = try contents()
    for end in ["", "-wal", "-shm"] { unlink(database + end) }
    #expect(try contents() == before)
    try scratch.folder.folder("home").write([UInt8](repeating: 7, count: 20_000), to: "martlet.sqlite")
    #expect(try contents() == before)
    #expect(scratch.text("home/martlet.sqlite.damaged")?.count == 20_000)
    let found = try index.rebuild()
    #expect(found.integrations == 4 && found.bots == 1)
    #expect(try contents() == before)
  }

  @Test("What the database of an earlier Martlet lacks of the documents is read from them once")
  func olderDatabase() throws {
    var document = try integrate(7)
    document.circumstances = [Circumstance("system", "Debian 12"), Circumstance("tests.timeout", "5 s")]
    try kept.folder("7").write(try document.encoded(), to: "integration.json")
    try index.add(document)
    let before = try contents()
    do {
      let store = try Store(at: database)
      let script = "UPDATE integrations SET circumstances = '[]'; PRAGMA user_version = 10;"
      try store.connection.execute(script, "write as an earlier Martlet")
    }
    #expect(try contents() == before)
  }

  @Test("A document without a row gets it when the index is made again, and a folder that is gone leaves its line")
  func agreement() throws {
    try index.prepare()
    _ = try integrate(7)
    try kept.folder("3").remove()
    try home.folder.folder("integrations/gone").create()
    _ = try index.rebuild()
    let known = try index.integrations(of: bot)
    #expect(known.map(\.number) == Array(1...7))
    #expect(try PastVerdicts(index: index, bot: bot).newest(before: 9, of: known).map(\.number) == [7, 4, 1])
    try kept.remove()
    #expect(try index.bots() == [])
    _ = try index.rebuild()
    #expect(try index.integrations(of: bot) == [])
  }

  @Test("What was removed stays in a database that was damaged")
  func damaged() throws {
    try index.add(integrate(7))
    try index.ask(changes: true) { store throws(StoringError) in try store.noteRemoval(of: [7], of: "pkg") }
    try kept.folder("7").remove()
    let page: Int
    do {
      var store = try Store(at: database)
      page =
        try store.connection.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'verdicts'", [], "") {
          $0.integer(0)
        }[0]
    }
    let file = try #require(fopen(database, "r+"))
    fseek(file, (page - 1) * 4096, SEEK_SET)
    #expect(fwrite([UInt8](repeating: 0xA5, count: 4096), 1, 4096, file) == 4096)
    fclose(file)
    // Whoever needs the verdicts finds the damage, and mends it.
    let past = try index.integrations(of: bot)
    #expect(try PastVerdicts(index: index, bot: bot).newest(before: 9, of: past).map(\.number) == [4, 3, 1])
    #expect(try index.integrations(of: bot).map(\.number) == Array(1...7))
    var store = try Store(at: database)
    #expect(store.isSound() == true)
  }

  @Test("A home that is restored without its database removes and pins what a bot integrated, and nothing else")
  func restored() throws {
    for bot in ["Kit", "Kit-run"] {
      for number in [3, 4] {
        var document = try StoredIntegration(in: kept.folder("4")).document
        (document.number, document.bot) = (number, "Old")
        let folder = try home.integrations(of: bot).create().folder("\(number)").create()
        try folder.write(try document.encoded(), to: "integration.json")
      }
      try home.integrations(of: bot).folder("5").create()
      try home.integrations(of: bot).write("3\n", to: "pinned")
    }
    try home.integrations(of: "Kit").write("", to: "bot")
    _ = try index.rebuild()
    var store = try Store(at: database)
    let lines = try store.kept(of: "Kit")
    #expect(lines.map(\.entry.number) == [3, 4])
    #expect(lines.map(\.isPinned) == [true, false])
    #expect(lines.map(\.entry.ref) == [RefName(branch: "main"), RefName(branch: "main")])
    #expect(lines.map(\.entry.commit) == [Self.commits[3], Self.commits[3]])
    #expect(lines.map(\.summary?.outcome) == [.succeeded, .succeeded])
    #expect(lines.allSatisfy { $0.summary.map { $0.bytes > 0 } == true })
    #expect(try store.kept(of: "Kit-run").isEmpty)
    _ = try index.rebuild()
    #expect(try store.kept(of: "Kit") == lines)
  }

  @Test("A number that the index knows is not given anew")
  func numbers() throws {
    try kept.folder("4").remove()
    #expect(try home.createIntegration(of: bot).number == 7)
  }

  @Test("Who only reads leaves nothing in a folder that is no home")
  func elsewhere() throws {
    try scratch.folder.folder("other").create()
    let other = PastIndex(of: Home(scratch.file("other")))
    #expect(try other.newest(of: "pkg").isEmpty)
    #expect(scratch.folder.folder("other").names() == [])
    #expect(
      throws: IntegratingError(
        .request,
        "cannot make the index of \(scratch.file("other")): no integrations are kept there. Name a home with --home.")
    ) { try other.rebuild() }
  }

  @Test("A home whose index cannot be written is read all the same")
  func unwritable() throws {
    let before = try contents()
    for end in ["", "-wal", "-shm"] { unlink(database + end) }
    // What stands in the place of the file can neither be opened nor replaced.
    try scratch.folder.folder("home/martlet.sqlite/x").create()
    #expect(try contents() == before)
    #expect(throws: IntegratingError.self) { try index.prepare() }
  }
}
