import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("The database")
struct StoreTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test("A decision is there after the database was opened again")
  func apply() throws {
    do {
      var store = try Store(at: scratch.database)
      let ids = try store.apply(
        Decision(
          bot: "greeter",
          changes: [
            .sighted, .queue(assignment("b", covered: ["b", "a"])), .skip(assignment("c"), reason: "It is docs."),
            .remember(main, "b"), .markPeriod(noon), .rememberToolchain("Swift 6.3"),
          ]))
      #expect(ids == [1])
    }
    var store = try Store(at: scratch.database)
    #expect(try store.openEntries() == [QueueEntry(id: 1, assignment: assignment("b", covered: ["b", "a"]))])
    #expect(
      try store.memory(of: "greeter")
        == BotMemory(tips: [main: "b"], periodMark: noon, toolchain: "Swift 6.3"))
    let skipped = try store.aside(of: "greeter", limit: 10)
    #expect(skipped.map(\.entry.reason) == ["It is docs."])
    #expect(skipped.map(\.entry.state) == [.skipped])
    #expect(try store.bots() == ["greeter"])
  }

  @Test("A database that is opened anew is let go of first, and refuses everything while it cannot be opened")
  func reopening() throws {
    var store = try Store(at: scratch.database)
    try store.apply(Decision(bot: "greeter", changes: [.sighted, .queue(assignment("a"))]))
    #expect(!openFiles(below: scratch.path).isEmpty)
    let aside = "\(scratch.path)/aside"
    try FileManager.default.moveItem(atPath: scratch.database, toPath: aside)
    try FileManager.default.createDirectory(atPath: scratch.database, withIntermediateDirectories: false)
    #expect(throws: StoringError.self) { try store.reopen() }
    #expect(openFiles(below: scratch.path) == [])
    let error = #expect(throws: StoringError.self) { _ = try store.openEntries() }
    #expect(
      error?.description == "Cannot read the queue in \(scratch.database): the database is closed. "
        + "It could not be opened again; the error before this one says why.")
    try FileManager.default.removeItem(atPath: scratch.database)
    try FileManager.default.moveItem(atPath: aside, toPath: scratch.database)
    try store.reopen()
    #expect(try store.openEntries().map(\.commit) == ["a"])
  }

  private func openFiles(below folder: String) -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(folder) }
  }

  @Test("A bot whose repository was never looked at has no tips; one that was may have none yet")
  func sighted() throws {
    var store = try Store(at: scratch.database)
    #expect(try store.memory(of: "greeter") == BotMemory())
    try store.apply(Decision(bot: "greeter", changes: [.rememberToolchain("x")]))
    #expect(try store.memory(of: "greeter").tips == nil)
    try store.apply(Decision(bot: "greeter", changes: [.sighted]))
    #expect(try store.memory(of: "greeter").tips == [:])
    try store.apply(Decision(bot: "greeter", changes: [.remember(main, "a"), .forget(main)]))
    #expect(try store.memory(of: "greeter").tips == [:])
  }

  @Test("A decision of which one change is impossible changes nothing")
  func atomic() throws {
    var store = try Store(at: scratch.database)
    #expect(throws: StoringError.self) {
      try store.apply(
        Decision(
          bot: "greeter",
          changes: [.queue(assignment("a")), .remember(main, "a"), .extend(99, commit: "b", covered: ["b"])]))
    }
    #expect(try store.openEntries() == [])
    #expect(try store.bots() == [])
  }

  @Test("An integration runs, ends, and is read back with all its figures")
  func life() throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("b"))]))[0]
    #expect(try store.start(id, at: noon + 5) == 1)
    #expect(try store.openEntries().first?.state == .running)
    try store.finish(id, summary(.testFailures))
    #expect(try store.openEntries() == [])
    let expected = HistoryEntry(
      entry: QueueEntry(
        id: id, assignment: assignment("b"), state: .finished, number: 1, startedAt: noon + 5, reason: "2 tests failed."
      ),
      summary: summary(.testFailures))
    #expect(try store.history(of: "greeter", limit: 10) == [expected])
    #expect(try store.integration(1, of: "greeter") == expected)
    #expect(try store.entry(id) == expected)
    #expect(try store.kept(of: "greeter") == [expected])
  }

  @Test("An integration is restored once, with its commits and its pin, and its number is not given again")
  func restore() throws {
    var store = try Store(at: scratch.database)
    func line(_ number: Int, isPinned: Bool) -> HistoryEntry {
      HistoryEntry(
        entry: QueueEntry(
          id: 1, assignment: assignment("b", covered: ["b", "a"]), state: .finished, number: number,
          startedAt: noon + 5, reason: "2 tests failed."),
        summary: summary(.testFailures), isPinned: isPinned)
    }
    try store.restore([line(7, isPinned: true)])
    // What the queue knows stays as it is.
    try store.restore([line(7, isPinned: false)])
    #expect(try store.kept(of: "greeter") == [line(7, isPinned: true)])
    #expect(try store.pinned(of: "greeter") == [7])
    #expect(try store.queuedNumbers(of: "greeter") == [7])
    #expect(try store.covered(["a", "b", "c"], of: "greeter", on: main) == ["a", "b"])
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("c"))]))[0]
    #expect(try store.start(id, at: noon) == 8)
  }

  @Test("A commit is not told to be passed over if it is integrated, whatever else waited for it")
  func asideButIntegrated() throws {
    var store = try Store(at: scratch.database)
    let waiting = try store.apply(
      Decision(bot: "greeter", changes: [.queue(assignment("a")), .queue(assignment("b"))]))
    try store.apply(
      Decision(
        bot: "greeter",
        changes: [
          .supersede(waiting[0], reason: "The branch was deleted."), .supersede(waiting[1], reason: "A person asked."),
          .queue(assignment("b", covered: ["b", "a"], cause: .person)),
        ]))
    #expect(try store.aside(of: "greeter", limit: 10).map(\.entry.commit) == ["a"], "It is covered, and not built.")
  }

  @Test("An integration of an older commit of its branch is told from others by what is kept of it")
  func olderCommit() throws {
    var store = try Store(at: scratch.database)
    for number in 1...3 {
      let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("b"))]))[0]
      _ = try store.start(id, at: noon)
      try store.finish(id, summary())
      guard number < 3 else { continue }
      var integration = Integration(
        bot: "greeter", number: number, repository: "/r", branch: "main",
        commit: Commit(id: "b", summary: "", author: "", date: noon), cause: .rerun, toolchain: "", configuration: "",
        sandbox: "", queuedAt: noon, repeatCommand: "")
      integration.isBehindBranch = number == 2
      try store.note([IndexRow(of: IntegrationRecord(integration, words: { _ in "" }))])
    }
    // What is kept of the last one is not known yet.
    #expect(try store.ends(of: "greeter", limit: 9).map(\.isOneOff) == [false, true, false])
  }

  @Test("What a bot integrated of another package is told from what it integrates now")
  func otherPackage() throws {
    var store = try Store(at: scratch.database)
    for (index, package) in ["App", "Lib", "Lib"].enumerated() {
      let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("b"))]))[0]
      _ = try store.start(id, at: noon)
      try store.finish(id, summary())
      let integration = Integration(
        bot: "greeter", number: index + 1, repository: "/r", packagePath: package, branch: "main",
        commit: Commit(id: "b", summary: "", author: "", date: noon), cause: .commit, toolchain: "", configuration: "",
        sandbox: "", queuedAt: noon, repeatCommand: "")
      guard index < 2 else { continue }
      try store.note([IndexRow(of: IntegrationRecord(integration, words: { _ in "" }))])
    }
    // What is kept of the last one is not known yet.
    #expect(try store.ends(of: "greeter", limit: 9).map(\.isOfOtherPackage) == [false, false, true])
  }

  @Test("How an integration ended is corrected only once it has ended, and only its outcome")
  func correcting() throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("b"))]))[0]
    _ = try store.start(id, at: noon)
    var late = summary(.warnings)
    (late.reason, late.warnings) = ("The webhook 1 failed.", 99)
    try store.correct(late, 1, of: "greeter")
    #expect(try store.entry(id)?.entry.state == .running)
    try store.finish(id, summary())
    try store.correct(late, 1, of: "greeter")
    var expected = summary(.warnings)
    expected.reason = late.reason
    #expect(try store.entry(id)?.summary == expected)
  }

  @Test("A bot takes the name of one that was only looked at, and keeps it when it is renamed again")
  func renaming() throws {
    var store = try Store(at: scratch.database)
    let known: [QueueChange] = [.sighted, .remember(main, "b"), .queue(assignment("b"))]
    let id = try store.apply(Decision(bot: "greeter", changes: known))[0]
    try store.apply(Decision(bot: "hello", changes: [.sighted, .remember(main, "z"), .markPeriod(noon)]))
    try store.apply(Decision(bot: "other", changes: [.queue(assignment("z", bot: "other"))]))
    #expect(try !store.isFree("other", for: "greeter"))
    #expect(try store.isFree("other", for: "nobody"))
    for _ in 1...2 {
      #expect(try store.isFree("hello", for: "greeter"))
      try store.rename("greeter", to: "hello")
      #expect(try store.bots() == ["hello", "other"])
      #expect(try store.memory(of: "hello") == BotMemory(tips: [main: "b"]))
      #expect(try store.openEntries(of: "hello").map(\.id) == [id])
    }
  }

  @Test("That only gates made an integration red is kept, whatever its reason begins with", arguments: [true, false])
  func gate(onlyGatesFailed: Bool) throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("b"))]))[0]
    _ = try store.start(id, at: noon)
    var summary = summary(.testFailures)
    summary.onlyGatesFailed = onlyGatesFailed
    try store.finish(id, summary)
    #expect(try store.entry(id)?.summary == summary)
  }

  @Test("Numbers rise by one for each bot, above those that are taken, and are never given twice")
  func numbers() throws {
    var store = try Store(at: scratch.database)
    func number(_ bot: String, above floor: Int = 0, _ store: inout Store) throws -> Int {
      let id = try store.apply(Decision(bot: bot, changes: [.queue(assignment("a", bot: bot))]))[0]
      let number = try store.start(id, above: floor, at: noon)
      try store.finish(id, summary())
      return number
    }
    #expect(try number("one", &store) == 1)
    #expect(try number("one", &store) == 2)
    #expect(try number("two", &store) == 1)
    #expect(try number("one", above: 40, &store) == 41)
    #expect(try number("one", &store) == 42)
    try store.noteRemoval(of: [42], of: "one")
    #expect(try number("one", &store) == 43)
  }

  @Test("What does not wait cannot be started, and what does not run cannot be closed")
  func wrongState() throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))[0]
    let path = scratch.database
    do {
      try store.finish(id, summary())
      Issue.record("a waiting entry was closed")
    } catch {
      #expect(
        error.description
          == "Cannot close an integration in \(path): entry 1 is pending, not running. Look at the queue again: it has changed in the meantime."
      )
    }
    _ = try store.start(id, at: noon)
    #expect(throws: StoringError.self) { try store.start(id, at: noon) }
    #expect(throws: StoringError.self) { try store.start(77, at: noon) }
  }

  @Test("What follows from the end of an integration is written with it")
  func followUp() throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))[0]
    _ = try store.start(id, at: noon)
    let next = try store.finish(id, summary(.internalError), then: [.queue(assignment("a", attempt: 2))])
    #expect(try store.openEntries() == [QueueEntry(id: next[0], assignment: assignment("a", attempt: 2))])
  }

  @Test("To cancel takes a waiting entry out, asks a running one to end, and leaves a finished one")
  func cancel() throws {
    var store = try Store(at: scratch.database)
    let ids = try store.apply(
      Decision(bot: "greeter", changes: [.queue(assignment("a")), .queue(assignment("b"))]))
    _ = try store.start(ids[0], at: noon)
    #expect(try store.cancel(ids[0], reason: "Ada said so."))
    #expect(try store.cancel(ids[0], reason: "Ben said so."))
    #expect(try store.openEntries(of: "greeter")[0].cancelReason == "Ada said so.")
    #expect(try store.cancel(ids[1], reason: "Ada said so."))
    #expect(try store.entry(ids[1])?.entry.state == .superseded)
    try store.finish(ids[0], summary(.canceled))
    #expect(try store.cancel(ids[0], reason: "Ada said so.") == false)
  }

  @Test("A merged entry covers what it is said to cover; superseded commits are not covered")
  func covered() throws {
    var store = try Store(at: scratch.database)
    let ids = try store.apply(
      Decision(bot: "greeter", changes: [.queue(assignment("a")), .queue(assignment("x"))]))
    try store.apply(
      Decision(
        bot: "greeter",
        changes: [.extend(ids[0], commit: "b", covered: ["b", "a"]), .supersede(ids[1], reason: "It is gone.")]))
    #expect(try store.covered(["a", "b", "c", "x"], of: "greeter", on: main) == ["a", "b"])
    #expect(try store.covered(["a"], of: "greeter", on: RefName(branch: "other")) == [])
    #expect(try store.covered(["a"], of: "parser", on: main) == [])
  }

  @Test("A commit whose integration was cut off is not covered once its second attempt was taken out of the queue")
  func cutOffAndDropped() throws {
    var store = try Store(at: scratch.database)
    let first = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))
    _ = try store.start(first[0], at: noon)
    let second = try store.finish(
      first[0], summary(.internalError), then: [.queue(assignment("a", attempt: 2))])
    #expect(try store.covered(["a"], of: "greeter", on: main) == ["a"])
    try store.apply(Decision(bot: "greeter", changes: [.supersede(second[0], reason: "The branch was deleted.")]))
    #expect(try store.covered(["a"], of: "greeter", on: main) == [])
  }

  @Test("History is read from the newest, with what is pinned and what was removed")
  func history() throws {
    var store = try Store(at: scratch.database)
    for index in 1...10 {
      let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))[0]
      _ = try store.start(id, at: noon)
      try store.finish(id, summary(index == 3 ? .succeeded : .testFailures))
    }
    func numbers(_ entries: [HistoryEntry]) -> [Int?] { entries.map(\.entry.number) }
    #expect(numbers(try store.history(of: "greeter", limit: 3)) == [10, 9, 8])
    #expect(try store.pin(4, of: "greeter"))
    #expect(try store.pin(44, of: "greeter") == false)
    #expect(try store.integration(4, of: "greeter")?.isPinned == true)
    try store.noteRemoval(of: [1, 2], of: "greeter")
    #expect(try store.pin(1, of: "greeter") == false)
    #expect(try store.integration(1, of: "greeter")?.isPinned == false)
    #expect(numbers(try store.kept(of: "greeter")) == [3, 4, 5, 6, 7, 8, 9, 10])
    #expect(try store.integration(1, of: "greeter") != nil)
  }
}
