import FoundationEssentials
import Glibc
import Model
import Scheduling
import Testing

@testable import Storing

/// A watcher's work on the database, which writes down what was promised as soon as it was.
struct Work {
  let database: String
  let promises: String

  init(in folder: String) {
    database = "\(folder)/\(Store.fileName)"
    promises = "\(folder)/promises"
  }

  /// Queues, starts and closes integrations on the faulty disk until an error or the end of the process.
  func run(from first: Int, rounds: Int) throws(StoringError) {
    var store = try Store(at: database, disk: FaultyDisk.name)
    // A small log brings the writes of checkpoints in between.
    try store.connection.execute("PRAGMA wal_autocheckpoint = 6", "set the database up")
    for entry in try store.openEntries() where entry.state == .running {
      try finish(entry, .internalError, &store)
    }
    for round in first..<(first + rounds) {
      let commit = CommitID(rawValue: "c\(round)")
      try store.apply(
        Decision(bot: "greeter", changes: [.sighted, .remember(main, commit), .queue(assignment(commit))]))
      promise("queued \(commit)")
      guard let entry = try store.openEntries().first(where: { $0.state == .pending }) else { continue }
      promise("started \(entry.commit) \(try store.start(entry.id, at: noon))")
      try finish(entry, .succeeded, &store)
    }
  }

  private func finish(_ entry: QueueEntry, _ outcome: Outcome, _ store: inout Store) throws(StoringError) {
    let attempt = entry.assignment.attempt + 1
    let changes =
      outcome == .succeeded
      ? [] : CommitDecision.afterCrash(of: entry, attempt: attempt, policy: .every, entries: [], at: noon)
    try store.finish(entry.id, IntegrationSummary(outcome: outcome, endedAt: noon), then: changes)
    promise("\(outcome) \(entry.commit)")
  }

  /// Outlives the process, not the machine: what is written here is with the kernel when the call returns.
  private func promise(_ text: String) {
    let file = open(promises, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let line = Array("\(text)\n".utf8)
    if write(file, line, line.count) != line.count { abort() }
    close(file)
  }

  /// Holds the database against what was promised.
  func expectPromisesKept() throws {
    let bytes = FileManager.default.contents(atPath: promises) ?? Data()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    var store = try Store(at: database)
    let check = try store.connection.rows("PRAGMA integrity_check", [], "check") { $0.text(0) }
    #expect(check == ["ok"])
    let open = try store.openEntries()
    let history = try store.history(of: "greeter", limit: 10_000)
    let numbers = history.compactMap(\.entry.number)
    #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == numbers.count)
    for line in lines {
      let commit = CommitID(rawValue: String(line[1]))
      let ends = history.filter { $0.entry.commit == commit && $0.summary?.outcome == .succeeded }.count
      let waiting = open.filter { $0.commit == commit }.count
      switch line[0] {
      case "queued": #expect(ends + waiting == 1, "\(commit) ended \(ends) times and waits \(waiting) times")
      case "started": #expect(history.contains { $0.entry.commit == commit && "\($0.entry.number ?? 0)" == line[2] })
      case "succeeded": #expect(ends == 1 && waiting == 0)
      default: break
      }
    }
  }
}

@Suite("A database whose writer or disk fails", .serialized)
struct CrashTests {
  @Test(
    "A full or failing disk at any write loses nothing that was promised",
    arguments: Array(stride(from: 0, to: 200, by: 7)))
  func disk(count: Int) throws {
    for fault in [FaultyDisk.Fault.full, .failure] {
      let scratch = try Scratch()
      let work = Work(in: scratch.path)
      FaultyDisk.work()
      try work.run(from: 0, rounds: 1)
      FaultyDisk.fail(fault, after: count)
      do {
        try work.run(from: 1, rounds: 3)
      } catch {
        #expect(FaultyDisk.hasFailed)
        #expect(error.kind == (fault == .full ? .full : .file), "\(error)")
      }
      try work.expectPromisesKept()
      FaultyDisk.work()
      try work.run(from: 10, rounds: 2)
      try work.expectPromisesKept()
    }
  }
}
