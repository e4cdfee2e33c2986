import BotFiles
import Foundation
import Model
import Processes
import Storing
import TestGround
import Testing

@testable import Keeping

@Suite("Removing and renaming bots")
struct BotRecordsTests {
  /// A watch that is over, of a bot that integrated once.
  private func over() throws -> KeptWatch {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.integrated()
    kept.crash()
    return kept
  }

  private func records(
    _ kept: KeptWatch, of name: String = "greeter", includesRuns: Bool = false
  ) throws -> BotRecords {
    try BotRecords(
      of: name, in: kept.home, Configuration(folder: "\(kept.scratch.path)/config", userHome: kept.scratch.path),
      includesRuns: includesRuns)
  }

  @Test("What somebody ran by hand can be removed, and not renamed")
  func removeRuns() throws {
    let kept = try over()
    let runs = kept.home.integrations(of: "Greeter-run")
    try WatchHome.makeFolder("\(runs)/1")
    #expect(throws: KeepingError.self) { try records(kept, of: "Greeter-run") }
    #expect(throws: KeepingError.self) { try records(kept, of: "..", includesRuns: true) }
    #expect(try records(kept, of: "Greeter-run", includesRuns: true).extent(keepsReports: false).integrations == 1)
    try records(kept, of: "Greeter-run", includesRuns: true).remove(keepsReports: false)
    #expect(!FileManager.default.fileExists(atPath: runs))
  }

  @Test("A renamed bot goes on with the next number and does not integrate again what it has")
  func rename() throws {
    let kept = try over()
    try records(kept).rename(to: "hello") { #expect($0 == "hello") }
    // What is left of the old watcher tells pages.
    #expect(!String(decoding: try Data(contentsOf: URL(filePath: kept.home.state)), as: UTF8.self).contains("greeter"))
    try kept.start()
    #expect(kept.child == nil)
    try kept.scratch.commit("\(kept.scratch.path)/Greeter")
    kept.settle()
    #expect(kept.child?.order?.bot.name == "hello")
    #expect(kept.child?.order?.number == 2)
    #expect(try kept.status(of: "greeter") == nil)
  }

  @Test("A name in the queue is refused before anything is moved, unless nothing but the name is there")
  func renameToKnown() throws {
    let kept = try over()
    var store = try Store(at: kept.home.database)
    let waiting = Assignment(bot: "hello", ref: nil, commit: CommitID(rawValue: "a"), cause: .commit, queuedAt: Date())
    let entry = try store.apply(Decision(bot: "hello", changes: [.sighted, .queue(waiting)]))[0]
    #expect(
      throws: KeepingError(
        .request, "The queue still has something of a bot 'hello' that was removed. Choose another name.")
    ) { try records(kept).rename(to: "hello") { _ in } }
    #expect(FileManager.default.fileExists(atPath: kept.home.integrations(of: "greeter")))
    #expect(try store.cancel(entry, reason: "A person canceled it."))
    try store.apply(Decision(bot: "howdy", changes: [.sighted]))
    try records(kept).rename(to: "howdy") { _ in }
    #expect(try store.history(of: "howdy", limit: 9).map(\.entry.number) == [1])
    #expect(!FileManager.default.fileExists(atPath: kept.home.integrations(of: "greeter")))
  }

  @Test("A removed bot that comes again begins anew")
  func remove() throws {
    let kept = try over()
    try records(kept).remove(keepsReports: false)
    #expect(throws: KeepingError(.request, "There is no bot 'greeter'. 'martlet bots' lists them.")) {
      try records(kept)
    }
    try kept.start()
    #expect(try kept.status(of: "greeter") == nil)
    try kept.bot("greeter")
    for _ in 0..<4 { kept.settle() }
    #expect(kept.child?.order?.number == 1)
  }

  @Test("What waits of a bot that is removed leaves the queue of the running watcher")
  func removeWaiting() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    kept.options.jobs = 1
    try kept.bot("greeter")
    try kept.bot("other")
    try kept.start()
    let waiting = try #require(try kept.watcher?.status().queue.first?.bot)
    let (home, path) = (kept.home, kept.scratch.path)
    let isOver = Lines()
    let worker = try Worker {
      defer { isOver.add("over") }
      try BotRecords(of: waiting, in: home, Configuration(folder: "\(path)/config", userHome: path))
        .remove(keepsReports: true)
    }
    while isOver.all.isEmpty { kept.settle() }
    try worker.join()
    #expect(try kept.watcher?.status().queue.isEmpty == true)
    try kept.bot(waiting)
    kept.finish()
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("While a watcher runs a bot is not renamed, and a name that somebody has is not taken")
  func refusals() throws {
    let kept = try over()
    try kept.bot("other")
    #expect(throws: KeepingError(.request, "There is a bot 'other' already. Choose another name.")) {
      try records(kept).rename(to: "Other") { _ in }
    }
    try kept.start()
    let message =
      "A watcher uses the home \(kept.home.path): process \(getpid()). Stop it, then run this again."
    #expect(throws: KeepingError(.request, message)) { try records(kept).rename(to: "hello") { _ in } }
  }
}
