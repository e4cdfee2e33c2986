import Foundation
import Glibc
import Model
import Processes
import TestGround
import Testing

@testable import Keeping

@Suite("Asking the watcher")
struct RequestTests {
  @Test("A canceled integration is asked to end, then killed, and closed with the reason")
  func cancel() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let child = try #require(kept.child)
    #expect(try kept.ask(ControlRequest(.cancel, bot: "greeter", number: 1)).message == "greeter 1 is being canceled.")
    #expect(child.isTerminated)
    kept.time.advance(20)
    kept.settle()
    #expect(child.isKilled)
    #expect(kept.child?.order?.closing == .init(outcome: .canceled, reason: "A person canceled it."))
    kept.child?.close(at: kept.time.now)
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    #expect(try kept.status(of: "greeter")?.last?.outcome == "canceled")
    #expect(
      kept.refusal(ControlRequest(.cancel, bot: "greeter", number: 1)) == "Integration 1 of greeter is over: canceled.")
  }

  @Test("What waits of a bot is taken out of the queue, what runs goes on, and the site says what was passed over")
  func cancelWaiting() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "commits: every\n")
    try kept.start()
    let commits = try ["Second", "Third"].map { try kept.scratch.commit(repository, $0) }
    kept.settle()
    let request = ControlRequest(.cancel, bot: "greeter")
    #expect(try kept.ask(request).message == "2 waiting integrations of greeter canceled.")
    #expect(kept.child?.isTerminated == false)
    #expect(try kept.watcher?.status().queue.isEmpty == true)
    #expect(
      kept.refusal(request) == "Nothing is waiting for greeter. Cancel a running integration by its number, BOT/NUMBER."
    )
    #expect(kept.refusal(ControlRequest(.cancel, bot: "other")) == "There is no bot 'other'. There are: greeter.")
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    let passedOver = try #require(state.bots.first?.passedOver)
    #expect(passedOver.map(\.commit) == commits.reversed())
    #expect(Set(passedOver.map(\.reason)) == ["A person canceled it."])
  }

  @Test("A bot integrates now, at its branches or at a revision, though nothing is new")
  func integrate() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    let first = try kept.scratch.commit(repository, "First")
    try kept.scratch.commit(repository, "Second")
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    let answer = try kept.ask(ControlRequest(.integrate, bot: "greeter"))
    #expect(answer.items?.map(\.state) == ["pending"])
    #expect(kept.child?.order?.cause == .person)
    kept.finish()
    _ = try kept.ask(ControlRequest(.integrate, bot: "greeter", commit: "HEAD~1"))
    #expect(kept.child?.order?.commit == first)
    kept.finish()
    _ = try kept.ask(ControlRequest(.rerun, bot: "greeter", number: 1))
    #expect(kept.child?.order?.cause == .rerun)
    #expect(kept.child?.order?.number == 4)
  }

  @Test("A commit that one bot reads first, because a person asks it to, is integrated by the others, too")
  func readFirst() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    kept.options.jobs = 2
    try kept.bot("ci")
    try kept.write(
      "config/bots/nightly.yml",
      "repository: \(repository)\nschedule: {on: manual, also-when-toolchain-changes: false}\n")
    try kept.start()
    kept.finish()
    let commit = try kept.scratch.commit(repository, "Go on")
    // Before anything is heard of the commit; nobody waits for the answer.
    kept.watcher?.serve(.success(ControlRequest(.integrate, bot: "nightly")), on: -1)
    kept.settle()
    let orders = kept.launcher.running.compactMap(\.order)
    #expect(Set(orders.map(\.bot.name)) == ["ci", "nightly"])
    #expect(Set(orders.map(\.commit)) == [commit])
  }

  @Test("Who waits hears how it ended, by the word that everything else tells it with", arguments: [true, false])
  func waiting(onlyGatesFailed: Bool) throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    let client = ControlClient(kept.home)
    let worker = try Worker { try client.ask(ControlRequest(.integrate, bot: "greeter", waits: true)) }
    while kept.child == nil { kept.settle() }
    kept.finish(.testFailures, reason: "1 test was flaky.", onlyGatesFailed: onlyGatesFailed)
    let answer = try worker.join()
    #expect(answer.items?.map(\.outcome) == ["test-failures"])
    #expect(answer.items?.map(\.reason) == ["1 test was flaky."])
    let told = onlyGatesFailed ? "gate failed" : "test-failures"
    #expect(answer.items?.map(\.toldOutcome) == [told])
    #expect(try kept.status(of: "greeter")?.last?.toldOutcome == told)
    #expect(kept.lines.all.contains("greeter 2: \(told): 1 test was flaky."))
    #expect(answer.items?.map(\.number) == [2])
  }

  @Test("Whoever waits hears of each step")
  func news() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let client = ControlClient(kept.home)
    let heard = Lines()
    let worker = try Worker {
      try client.ask(ControlRequest(.integrate, bot: "greeter", waits: true, isTold: true)) { news, step in
        heard.add("\(news)\(step.map { ", \($0.rawValue)" } ?? "")")
      }
    }
    while heard.all.count < 1 { kept.settle() }
    kept.finish()
    while heard.all.count < 2 { kept.settle() }
    kept.child?.news.append(.step(.building))
    while heard.all.count < 3 { kept.settle() }
    kept.finish()
    #expect(try worker.join().items?.map(\.outcome) == ["succeeded"])
    #expect(heard.all.first?.hasSuffix(" waits: greeter 1 goes first; a bot has one integration at a time.") == true)
    #expect(Array(heard.all.dropFirst()) == ["greeter 2, pending", "greeter 2, building"])
  }

  @Test("integrate means the bot as its file was saved, though the watcher has not heard of it yet")
  func saved() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.scratch.git(repository, "branch", "other")
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    try kept.bot("greeter", "Greeter", "branches: [other]\n")
    // Nobody waits for the answer.
    kept.watcher?.serve(.success(ControlRequest(.integrate, bot: "greeter")), on: -1)
    kept.settle()
    #expect(kept.child?.order?.branch == "other")
    #expect(kept.launcher.started.compactMap(\.order?.branch) == ["main", "other"])
  }

  @Test("What is started means the bot as its file was just saved")
  func savedBeforeCommit() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    try kept.bot("greeter", "Greeter", "actions: [build]\n")
    try kept.scratch.commit(repository, "Next")
    kept.settle()
    #expect(kept.child?.order?.bot.actions == [.build])
  }

  @Test("A repository that is gone is told at once, in the same words everywhere")
  func vanished() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    #expect(try kept.status(of: "greeter")?.problems == [])
    try FileManager.default.moveItem(atPath: repository, toPath: "\(repository)-away")
    kept.settle()
    let words = "There is no \(repository) any more. Bring it back, or let the bot's file name another repository."
    #expect(try kept.status(of: "greeter")?.problems == [words])
    #expect(kept.lines.all.contains("\(repository): \(words)"))
    #expect(try kept.status(of: "greeter")?.seeing == "unreadable")
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    #expect(state.bots.first?.problems == [words])
    #expect(state.bots.first?.source == .unreadable)
    try FileManager.default.moveItem(atPath: "\(repository)-away", toPath: repository)
    kept.time.advance(100)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.problems == [])
    #expect(try kept.status(of: "greeter")?.seeing == "watched")
  }

  @Test("What a bot's file kept from being checked out is tried again when the file is mended")
  func mended() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "package: packages/Nope\n")
    try kept.start()
    kept.finish(.checkoutError, reason: "There is no Package.swift.")
    #expect(kept.launcher.running.isEmpty)
    try kept.bot("greeter")
    kept.watcher?.reload()
    kept.settle()
    #expect(kept.child?.order?.number == 2)
    #expect(kept.child?.order?.bot.package == ".")
    #expect(kept.child?.order?.cause == .commit)
    kept.finish()
    kept.watcher?.reload()
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("Who may not enter a home is told how its user asks", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let kept = try KeptWatch()
    #expect(mkdir(kept.home.path, 0) == 0)
    let user = try #require(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
    // Of one in a closed folder, not even the owner can be seen.
    for home in [kept.home, WatchHome("\(kept.home.path)/state/martlet")] {
      let error = #expect(throws: KeepingError.self) { _ = try ControlClient(home).ask(ControlRequest(.status)) }
      let command = "sudo -u \(user) martlet … --home \(home.path)"
      #expect(
        error?.description
          == "Only the user \(user) may ask the watcher of \(home.path). Without sudo, see 'martlet help service'; with it, run: \(command)"
      )
    }
    #expect(chmod(kept.home.path, 0o700) == 0)
  }

  @Test("What cannot be done is refused with the reason")
  func refusals() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    #expect(
      kept.refusal(ControlRequest(.integrate, bot: "greter")) == "There is no bot 'greter'. There are: greeter.")
    #expect(
      kept.refusal(ControlRequest(.pin, bot: "greeter", number: 9))
        == "There is no integration 9 of 'greeter'. See 'martlet status'.")
    // One that somebody ran without the watcher.
    try WatchHome.makeFolder("\(kept.home.integrations(of: "greeter"))/9")
    #expect(
      kept.refusal(ControlRequest(.cancel, bot: "greeter", number: 9))
        == "Integration 9 of greeter is over, or runs without the watcher.")
    for verb in [ControlRequest.Verb.pin, .rerun] {
      #expect(
        kept.refusal(ControlRequest(verb, bot: "greeter", number: 9))
          == "The watcher does not know greeter 9: it was removed, or made by 'martlet run'.")
    }
    #expect(
      kept.refusal(ControlRequest(.integrate, bot: "greeter", commit: "nonsense"))
        == "Cannot find the revision “nonsense” in “\(kept.scratch.path)/Greeter”: no branch, tag or commit has this "
        + "name. See `git branch --list` and `git tag --list`.")
    #expect(try kept.ask(ControlRequest(.pin, bot: "greeter", number: 1)).message == "greeter 1 is kept for good.")
  }

  @Test("What is pinned stands beside the integrations, too, which outlive the database")
  func pins() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.integrated()
    func ask(_ verb: ControlRequest.Verb) throws -> String {
      _ = try kept.ask(ControlRequest(verb, bot: "greeter", number: 1))
      return try String(contentsOfFile: "\(kept.home.integrations(of: "greeter"))/pinned", encoding: .utf8)
    }
    #expect(try ask(.pin) == "1\n")
    #expect(try ask(.unpin) == "")
  }

  @Test("Without a watcher there is nobody to ask")
  func absent() throws {
    let kept = try KeptWatch()
    let error = #expect(throws: KeepingError.self) { try ControlClient(kept.home).ask(ControlRequest(.status)) }
    #expect(error?.kind == .absent)
    #expect(
      error?.description
        == "No watcher runs on \(kept.home.path). Start one with 'martlet watch'; for the system service, see 'martlet help service'."
    )
  }

  @Test("However many wait for integrations, others are answered")
  func manyWaiting() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    /// Asks over a connection of its own, and lets the watcher read it.
    func pose(_ request: ControlRequest) throws -> Int32 {
      let folder = open(kept.home.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(folder) }
      let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let connection = socket(AF_UNIX, flags, 0)
      connections.append(connection)
      var name = try #require(SocketAddress(kept.home.socket, inFolder: folder))
      let status = name.withPointer { connect(connection, $0, $1) }
      try #require(status == 0)
      let line = [UInt8](try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
      let count = send(connection, line, line.count, Int32(MSG_NOSIGNAL))
      try #require(count == line.count)
      for _ in 0..<3 { kept.watcher?.turn(atMost: 0) }
      return connection
    }
    for _ in 0...ControlSocket.mostPeers {
      _ = try pose(ControlRequest(.integrate, bot: "greeter", waits: true))
    }
    let asking = try pose(ControlRequest(.status))
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = recv(asking, &answer, answer.count, 0)
    #expect(count > 0)
    #expect(kept.watcher?.waiters.count == ControlSocket.mostPeers + 1)
  }

  @Test("A request that is longer than the watcher reads is refused before it is sent")
  func longRequest() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let commit = String(repeating: "a", count: 70_000)
    let request = ControlRequest(.integrate, bot: "greeter", commit: commit)
    let bytes = try JSONEncoder().encode(request).count
    #expect(
      kept.refusal(request)
        == "The request has \(CountText.plain(bytes)) bytes, and the watcher takes at most \(CountText.plain(65_536)). "
        + "Shorten it.")
  }

  @Test("Only the owner of the home can use the socket")
  func mode() throws {
    let kept = try KeptWatch()
    try kept.start()
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(kept.home.path)/watcher.socket")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("What a watcher makes in the home is for its user alone, and so is the home")
  func modes() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    try WatchHome.makeFolder(kept.home.orders)
    let names = try FileManager.default.contentsOfDirectory(atPath: kept.home.path)
    #expect(Set(names).isSuperset(of: ["martlet.sqlite", "watcher.lock", "watcher.socket", "orders"]))
    #expect(access(kept.home.state, F_OK) == 0)
    for name in names + ["."] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(kept.home.path)/\(name)")
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & 0o077 == 0, "\(name) has \(String(mode, radix: 8))")
    }
  }

  @Test("A word about a repository is taken, and refused where no bot integrates it")
  func notify() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    #expect(try kept.ask(ControlRequest(.notify, repository: "\(repository)/.git")).message == "Noted.")
    #expect(
      kept.refusal(ControlRequest(.notify, repository: "/nowhere"))
        == "No bot integrates /nowhere. 'martlet bots' lists what they integrate.")
  }
}

extension KeptWatch {
  /// Asks from another thread while the watcher turns.
  func ask(_ request: ControlRequest) throws -> ControlAnswer {
    let client = ControlClient(home)
    let isOver = Lines()
    let worker = try Worker {
      defer { isOver.add("over") }
      return try client.ask(request)
    }
    while isOver.all.isEmpty { settle() }
    let answer = try worker.join()
    settle()
    return answer
  }

  /// Why the watcher refuses; nil when it does not.
  func refusal(_ request: ControlRequest) -> String? {
    do {
      _ = try ask(request)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
