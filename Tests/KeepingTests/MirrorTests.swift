import BotFiles
import Foundation
import Model
import Processes
import Storing
import TestGround
import Testing

@testable import Keeping

@Suite("Repositories that lie elsewhere")
struct MirrorTests {
  private static let address = "https://example.org/team/Greeter.git"

  private func kept(_ more: String = "", name: String = #function) throws -> KeptWatch {
    let kept = try KeptWatch(name)
    _ = try kept.scratch.repository()
    try write("greeter", more, in: kept)
    return kept
  }

  private func write(_ bot: String, _ more: String, in kept: KeptWatch) throws {
    try kept.write(
      "config/bots/\(bot).yml",
      "repository: \(Self.address)\nschedule: {also-when-toolchain-changes: false}\n\(more)")
  }

  /// Does what the child would that fetches, and lets the watcher hear of it.
  private func arrive(_ fetch: StubFetch, in kept: KeptWatch) throws {
    let mirror = fetch.order.mirror
    if !FileManager.default.fileExists(atPath: mirror) {
      try kept.scratch.git(kept.scratch.path, "clone", "--quiet", "--mirror", "Greeter", mirror)
      try Data().write(to: URL(fileURLWithPath: "\(mirror)/\(MirrorFile.fetched)"))
      try Data().write(to: URL(fileURLWithPath: "\(mirror)/\(MirrorFile.lock)"))
    }
    try kept.scratch.git(mirror, "fetch", "--quiet", "--prune")
    fetch.finish(FetchResult())
    kept.settle()
  }

  @Test("A repository is fetched when the watcher starts, then integrated from its mirror under its address")
  func first() throws {
    let kept = try kept()
    try kept.start()
    let fetch = try #require(kept.launcher.fetches.first)
    #expect(fetch.order.address.text == Self.address)
    #expect(fetch.order.mirror.hasPrefix("\(kept.home.mirrors)/example-org-team-Greeter-git-"))
    #expect(kept.launcher.started.isEmpty)
    let waiting = try #require(try kept.status(of: "greeter"))
    #expect((waiting.repository, waiting.seeing, waiting.problems) == (Self.address, "fetched", []))
    #expect(waiting.fetch?.isRunning == true)
    #expect(waiting.fetch?.endedAt == nil)
    try arrive(fetch, in: kept)
    let bot = try #require(kept.child?.order?.bot)
    #expect((bot.repository, bot.shownRepository) == (fetch.order.mirror, Self.address))
    #expect(try kept.status(of: "greeter")?.fetch?.endedAt != nil)
    #expect(kept.lines.all.first == "greeter: watching \(Self.address).")
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    #expect(state.bots.first?.repository == Self.address)
  }

  @Test("What was pushed over there is integrated after the next fetch, which comes after the interval")
  func interval() throws {
    let kept = try kept("fetch: 10m\n")
    try kept.start()
    try arrive(#require(kept.launcher.fetches.first), in: kept)
    kept.finish()
    let commit = try kept.scratch.commit("\(kept.scratch.path)/Greeter", "Second")
    kept.time.advance(590)
    kept.settle()
    #expect(kept.launcher.fetches.count == 1)
    kept.time.advance(11)
    kept.settle()
    try arrive(#require(kept.launcher.fetches.dropFirst().first), in: kept)
    #expect(kept.child?.order?.commit == commit)
  }

  @Test(
    "A forge that is down is told once and stands in the status, is tried again after a pause, and its return is told")
  func down() throws {
    let kept = try kept()
    try kept.start()
    let before = kept.lines.all.count
    for (pause, reason) in [(60.0, "It is down."), (120, "It is down."), (240, "Now it is gone.")] {
      try #require(kept.launcher.fetches.last).finish(FetchResult(failure: reason))
      kept.settle()
      #expect(try kept.status(of: "greeter")?.problems == [reason])
      #expect(try kept.watcher?.status().exitStatus == 3)
      let count = kept.launcher.fetches.count
      kept.time.advance(pause - 2)
      kept.settle()
      #expect(kept.launcher.fetches.count == count)
      kept.time.advance(3)
      kept.settle()
      #expect(kept.launcher.fetches.count == count + 1)
    }
    try arrive(#require(kept.launcher.fetches.last), in: kept)
    #expect(try kept.status(of: "greeter")?.problems == [])
    #expect(try kept.watcher?.status().exitStatus == 0)
    #expect(kept.lines.all.dropFirst(before).prefix(2) == ["It is down.", "\(Self.address) is fetched again."])
  }

  @Test("A single fetch that fails is told, and counts for the exit of status only if the next one fails, too")
  func hiccup() throws {
    let kept = try kept("fetch: 10m\n")
    try kept.start()
    try arrive(#require(kept.launcher.fetches.first), in: kept)
    kept.finish()
    kept.time.advance(601)
    kept.settle()
    for (failures, exitStatus) in [(1, Int32(0)), (2, 3)] {
      try #require(kept.launcher.fetches.last).finish(FetchResult(failure: "It is down."))
      kept.settle()
      let bot = try #require(try kept.status(of: "greeter"))
      #expect(bot.problems == ["It is down."])
      #expect(bot.fetch?.failures == failures)
      #expect(try kept.watcher?.status().exitStatus == exitStatus)
      kept.time.advance(121)
      kept.settle()
    }
    try arrive(#require(kept.launcher.fetches.last), in: kept)
    #expect(try kept.status(of: "greeter")?.fetch?.failures == 0)
    #expect(try kept.watcher?.status().exitStatus == 0)
  }

  @Test("A child that dies is a failure, and one that hangs is killed")
  func dies() throws {
    let kept = try kept()
    try kept.start()
    try #require(kept.launcher.fetches.last).finish(nil)
    kept.settle()
    #expect(
      try kept.status(of: "greeter")?.problems
        == ["Cannot fetch \(Self.address): it ended with exit status 3."])
    kept.time.advance(61)
    kept.settle()
    kept.time.advance(5401)
    kept.settle()
    #expect(kept.launcher.fetches.last?.isKilled == true)
  }

  @Test("Who asks for an integration gets what is newest over there, or hears why not")
  func integrate() throws {
    let kept = try kept("fetch: manual\n")
    try kept.start()
    #expect(kept.launcher.fetches.isEmpty)
    #expect(try kept.status(of: "greeter")?.problems == [])
    let client = ControlClient(kept.home)
    let refused = try Worker {
      Result { () throws(KeepingError) in try client.ask(ControlRequest(.integrate, bot: "greeter")) }
    }
    while kept.launcher.fetches.isEmpty { kept.settle() }
    try #require(kept.launcher.fetches.last).finish(FetchResult(failure: "It is down."))
    kept.settle()
    #expect(throws: KeepingError(.request, "It is down.")) { try refused.join().get() }
    let answered = try Worker { try client.ask(ControlRequest(.integrate, bot: "greeter")) }
    while kept.launcher.fetches.count < 2 { kept.settle() }
    try arrive(#require(kept.launcher.fetches.last), in: kept)
    #expect(try answered.join().items?.count == 1)
    #expect(kept.child?.order?.bot.name == "greeter")
  }

  @Test("Who waits for the fetch of a bot that is removed meanwhile hears of it")
  func abandoned() throws {
    let kept = try kept("fetch: manual\n")
    try kept.start()
    let client = ControlClient(kept.home)
    let asked = try Worker {
      Result { () throws(KeepingError) in try client.ask(ControlRequest(.integrate, bot: "greeter")) }
    }
    while kept.launcher.fetches.isEmpty { kept.settle() }
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    #expect(kept.launcher.fetches.last?.isKilled == true)
    let words = "The bot was removed or changed while https://example.org/team/Greeter.git was fetched. Ask again."
    #expect(throws: KeepingError(.request, words)) { try asked.join().get() }
  }

  @Test("Whoever says that a repository moved has it fetched at once, however its address is spelled")
  func notify() throws {
    let kept = try kept("fetch: webhook\n")
    try kept.start()
    try arrive(#require(kept.launcher.fetches.first), in: kept)
    kept.time.advance(100_000)
    kept.settle()
    #expect(kept.launcher.fetches.count == 1)
    let word = ControlRequest(.notify, repository: "https://example.org/team/Greeter")
    #expect(try kept.ask(word).message == "Noted.")
    #expect(kept.launcher.fetches.count == 2)
    let other = ControlRequest(.notify, repository: "https://example.org/team/Other")
    #expect(
      kept.refusal(other)
        == "No bot integrates https://example.org/team/Other. 'martlet bots' lists what they integrate.")
    let hook = ControlRequest(.notify, repository: Self.address, bot: "somebody")
    #expect(kept.refusal(hook) == "No bot integrates \(Self.address). 'martlet bots' lists what they integrate.")
  }

  @Test("Bots that log in alike share a mirror; one with a token has its own, and only its own token goes along")
  func shared() throws {
    let kept = try kept()
    try write("alike", "", in: kept)
    try write("member", "credentials: {token: FORGE}\nsandbox: {mode: on}\n", in: kept)
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/config/secrets", withIntermediateDirectories: true)
    try kept.write("config/secrets/member.env", "FORGE=hush\nOTHER=more\n")
    chmod("\(kept.scratch.path)/config/secrets/member.env", 0o600)
    try kept.start()
    #expect(kept.launcher.fetches.count == 2)
    #expect(Set(kept.launcher.fetches.map(\.order.mirror)).count == 2)
    #expect(Set(kept.launcher.fetches.map(\.order.token)) == [nil, "hush"])
    #expect(Set(kept.launcher.fetches.map(\.order.sandbox)) == [.auto, .on])
  }

  @Test("A token without a value is told with the file that it belongs into, and nobody is called")
  func noValue() throws {
    let kept = try kept("credentials: {token: FORGE}\n")
    try kept.start()
    #expect(kept.launcher.fetches.isEmpty)
    #expect(
      try kept.status(of: "greeter")?.problems == [
        "Cannot fetch \(Self.address): the secret 'FORGE' has no value. Write FORGE=… into \(kept.scratch.path)/config/secrets/greeter.env, with the mode 600."
      ])
  }

  @Test("A watcher that is to end by itself waits for what is fetched, and fails where that fails")
  func once() throws {
    let kept = try kept()
    kept.options.isOnce = true
    let watcher = try kept.start()
    #expect(!watcher.isOver)
    try #require(kept.launcher.fetches.first).finish(FetchResult(failure: "It is down."))
    kept.settle()
    #expect(watcher.isOver)
    #expect(watcher.run() == 3)
  }

  @Test("A forge is told when something was queued, has started and has ended, and what it refuses is said once")
  func forge() throws {
    let kept = try kept("fetch: webhook\nstatus: {forge: forgejo, token: FORGE}\n")
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/config/secrets", withIntermediateDirectories: true)
    let file = "\(kept.scratch.path)/config/secrets/greeter.env"
    try Data("FORGE=fr1ed-tern\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(chmod(file, 0o600) == 0)
    kept.launcher.sendingResult = SendingResult()
    kept.launcher.sendingResult?.troubles = ["greeter": "example.org does not take it."]
    let watcher = try kept.start()
    #expect(kept.launcher.posted.count == 1)
    #expect(kept.launcher.posted.first?.secrets == ["greeter": ["FORGE": "fr1ed-tern"]])
    try arrive(#require(kept.launcher.fetches.first), in: kept)
    let begun = kept.launcher.posted.count
    #expect(begun > 1)
    #expect(try watcher.store.announcements(of: "greeter").map(\.entry.state) == [.running])
    kept.finish()
    #expect(kept.launcher.posted.count > begun)
    #expect(try watcher.store.announcements(of: "greeter").map(\.outcome) == [.succeeded])
    #expect(kept.lines.all.filter { $0 == "greeter: example.org does not take it." }.count == 1)
    #expect(try kept.status(of: "greeter")?.problems == ["example.org does not take it."])
    #expect(watcher.sending.nextTime(kept.time.clock) == nil)
  }

  @Test("What is left to tell a forge is told a minute after a child that died, and when the next watcher starts")
  func forgeLater() throws {
    let kept = try kept("fetch: webhook\nstatus: {forge: forgejo, token: FORGE}\n")
    kept.launcher.sendingEnd = TaskEnd(failure: "it was ended by signal 9")
    try kept.start()
    #expect(kept.launcher.posted.count == 1)
    kept.settle()
    #expect(kept.launcher.posted.count == 1)
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.posted.count == 2)
    kept.launcher.sendingEnd = TaskEnd()
    try kept.start()
    #expect(kept.launcher.posted.count == 3)
    #expect(kept.watcher?.sending.nextTime(kept.time.clock) == nil)
  }
}

@Suite("Mirrors that nobody needs")
struct UnusedMirrorTests {
  private func mirror(_ bot: String, in kept: KeptWatch) throws -> String {
    let configuration = Configuration(folder: "\(kept.scratch.path)/config", userHome: nil)
    let file = "\(kept.scratch.path)/config/bots/\(bot).yml"
    let path = try configuration.bot(at: file, settings: ServerSettings()).placed(in: kept.home.mirrors).repository
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(path)/\(MirrorFile.lock)"))
    return path
  }

  private func configuration(_ kept: KeptWatch) -> Configuration {
    Configuration(folder: "\(kept.scratch.path)/config", userHome: nil)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("A mirror goes when no bot names its repository, unless a bot's file cannot be read or it is being fetched")
  func prune() throws {
    let kept = try KeptWatch()
    try kept.write("config/bots/one.yml", "repository: https://example.org/One\n")
    try kept.write("config/bots/two.yml", "repository: https://example.org/Two\n")
    let (one, two) = (try mirror("one", in: kept), try mirror("two", in: kept))
    try kept.write("config/bots/two.yml", "nonsense")
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(try Pruning(kept.home, configuration: configuration(kept), now: now).removals().isEmpty)
    try kept.remove("config/bots/two.yml")
    let pruning = try Pruning(kept.home, configuration: configuration(kept), now: now)
    do {
      let lock = try WorkspaceLock(two)
      #expect(try pruning.removals().isEmpty)
      _ = consume lock
    }
    let found = try pruning.removals()
    #expect(found.map(\.kind) == [.mirror])
    #expect(found.map(\.reason) == ["No bot names its repository any more."])
    #expect(try pruning.remove(found) { Issue.record("\($0)") } == found)
    #expect(exists(one))
    #expect(!exists(two))
    try kept.remove("config/bots/one.yml")
    let watched = try Pruning(kept.home, configuration: configuration(kept), besides: ["one": one], now: now)
    #expect(try watched.removals().isEmpty)
  }

  @Test("A bot that is removed takes its mirror along, unless another one uses it")
  func remove() throws {
    let kept = try KeptWatch()
    for name in ["one", "two"] { try kept.write("config/bots/\(name).yml", "repository: https://example.org/A\n") }
    let path = try mirror("one", in: kept)
    try BotRecords(of: "one", in: kept.home, configuration(kept)).remove(keepsReports: false)
    #expect(exists(path))
    try BotRecords(of: "two", in: kept.home, configuration(kept)).remove(keepsReports: true)
    #expect(!exists(path))
  }

  @Test("A bot with another name keeps its mirror, also one that goes by the bot's own token")
  func rename() throws {
    let kept = try KeptWatch()
    try kept.write("config/bots/one.yml", "repository: https://example.org/A\ncredentials: {token: T}\n")
    let path = try mirror("one", in: kept)
    try FileManager.default.createDirectory(
      atPath: "\(kept.home.path)/integrations/one", withIntermediateDirectories: true)
    try kept.write("home/integrations/one/repository", "\(path)\n")
    try BotRecords(of: "one", in: kept.home, configuration(kept)).rename(to: "two") { _ in }
    let new = try configuration(kept).bot(at: "\(kept.scratch.path)/config/bots/two.yml", settings: ServerSettings())
      .placed(in: kept.home.mirrors).repository
    #expect(new != path)
    #expect(exists("\(new)/\(MirrorFile.lock)"))
    #expect(!exists(path))
    let owner = try String(contentsOfFile: "\(kept.home.path)/integrations/two/repository", encoding: .utf8)
    #expect(owner == "\(new)\n")
  }
}
