import BotFiles
import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("The watcher and commits")
struct WatcherTests {
  @Test("The newest commit is integrated at the start, and each one that follows")
  func commits() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let first = try #require(kept.child?.order)
    #expect(first.number == 1)
    #expect(first.branch == "main")
    #expect(first.cause == .commit)
    kept.child?.news.append(.step(.building))
    kept.settle()
    #expect(try kept.status(of: "greeter")?.running?.step == "building")
    let tests = RunningTests(ended: 3, red: 1, running: "A.b()")
    kept.child?.news.append(.step(.testing))
    kept.child?.news.append(.tests(tests))
    kept.settle()
    #expect(try kept.progress() == WatchProgress([WatchProgress.Entry(bot: "greeter", number: 1, tests: tests)]))
    kept.finish(.testFailures, reason: "1 test failed.")
    #expect(try kept.status(of: "greeter")?.running == nil)
    #expect(try kept.status(of: "greeter")?.last?.outcome == "test-failures")
    let commit = try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.child?.order?.commit == commit)
    #expect(kept.child?.order?.number == 2)
    kept.finish()
    #expect(
      kept.lines.all.suffix(2) == [
        "greeter 2: integrating \(commit.short) on main (commit).", "greeter 2: succeeded",
      ])
  }

  @Test("A red main branch is told behind a green one, since when, and a deleted branch no more")
  func branches() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "branches: [main, \"feature/*\"]\n")
    try kept.start()
    kept.finish(.succeeded)
    for message in ["Break", "Break more"] {
      try kept.scratch.commit(repository, message)
      kept.settle()
      kept.finish(.testFailures, reason: "1 test failed.")
    }
    for (branch, outcome) in [("feature/a", Outcome.succeeded), ("feature/b", .buildErrors)] {
      try kept.scratch.git(repository, "switch", "--quiet", "--create", branch)
      try kept.scratch.commit(repository, "Go another way")
      try kept.scratch.git(repository, "switch", "--quiet", "main")
      kept.settle()
      kept.finish(outcome)
    }
    func told() throws -> [String] {
      try #require(try kept.status(of: "greeter")?.branches).map { branch in
        let words = [branch.branch, branch.outcome].compactMap(\.self).joined(separator: " ")
        return
          "\(words) \(branch.integration ?? 0) \(branch.sinceIntegration ?? 0)\(branch.isDefault ? " default" : "")"
      }
    }
    #expect(
      try told() == ["main test-failures 3 2 default", "feature/b build-errors 5 5", "feature/a succeeded 4 4"])
    let main = try #require(try kept.status(of: "greeter")?.branches?.first)
    #expect(main.reason == "1 test failed.")
    #expect(try #require(main.since) < #require(main.endedAt))
    // As before, the newest of all.
    #expect(try kept.status(of: "greeter")?.last?.number == 5)
    #expect(try kept.watcher?.status().exitStatus == 1)
    try kept.scratch.git(repository, "branch", "--quiet", "-D", "feature/b")
    #expect(try told() == ["main test-failures 3 2 default", "feature/a succeeded 4 4"])
  }

  @Test("A status of before branches were told apart is still read, and red of no branch")
  func oldStatus() throws {
    let text = """
      {"schema":"martlet.status/1","pid":1,"startedAt":0,"jobs":1,"isStopping":false,"queue":[],"problems":[],
      "bots":[{"name":"greeter","repository":"/r","seeing":"watched","waiting":0,"problems":[]}]}
      """
    let status = try JSONDecoder().decode(StatusDocument.self, from: Data(text.utf8))
    #expect(status.bots.first?.branches == nil)
    #expect(status.exitStatus == 0)
  }

  @Test("An order for a tag names the tag and no branch")
  func tag() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "tags: [\"v*\"]\n")
    try kept.start()
    #expect(kept.child?.order?.branch == "main")
    #expect(kept.child?.order?.tag == nil)
    kept.finish()
    try kept.scratch.git(repository, "tag", "v1.0")
    kept.settle()
    #expect(kept.child?.order?.tag == "v1.0")
    #expect(kept.child?.order?.branch == nil)
  }

  @Test("Commits that come while an integration runs wait together, and the status says why")
  func coalescing() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    for message in ["One", "Two"] {
      try kept.scratch.commit(repository, message)
      kept.settle()
    }
    let newest = try kept.scratch.commit(repository, "Three")
    kept.settle()
    let queue = try #require(try kept.watcher?.status().queue)
    #expect(queue.map(\.covered) == [3])
    #expect(queue.map(\.why) == ["greeter 1 goes first; a bot has one integration at a time."])
    kept.finish()
    #expect(kept.child?.order?.commit == newest)
    kept.finish()
    #expect(kept.launcher.started.count == 2)
  }

  @Test("An order has the values of the secrets that the bot names, and no others")
  func secrets() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/config/secrets", withIntermediateDirectories: true)
    try kept.write("config/secrets/greeter.env", "TOKEN=tulip\nOTHER=rose\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(kept.scratch.path)/config/secrets/greeter.env")
    try kept.bot("greeter", "Greeter", "secrets: [TOKEN, LOST]\nsecret-branches: [main]\n")
    try kept.start()
    let order = try #require(kept.child?.order)
    #expect(order.secrets == ["TOKEN": "tulip"])
    #expect(order.bot.secretBranches == ["main"])
  }

  @Test("With 'commits: every' each commit is integrated, in order")
  func every() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "commits: every\n")
    try kept.start()
    kept.finish()
    let commits = try ["One", "Two", "Three"].map { try kept.scratch.commit(repository, $0) }
    kept.settle()
    for _ in commits { kept.finish() }
    #expect(kept.launcher.started.dropFirst().compactMap(\.order?.commit) == commits)
  }

  @Test("Two bots run at once when there are two jobs, one after the other when there is one", arguments: [1, 2])
  func jobs(count: Int) throws {
    let kept = try KeptWatch("jobs\(count)")
    _ = try kept.scratch.repository()
    try kept.bot("one")
    try kept.bot("other")
    kept.options.jobs = count
    try kept.start()
    #expect(kept.launcher.running.count == count)
    for child in kept.launcher.running { child.finish(at: kept.time.now) }
    kept.settle()
    #expect(kept.launcher.started.count == 2)
  }

  @Test(
    "A bot file that is added, broken, mended and removed takes effect; while it is broken the last good one counts")
  func botFiles() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.start()
    #expect(try kept.watcher?.status().bots == [])
    try kept.bot("greeter")
    kept.settle()
    kept.finish()
    try kept.write("config/bots/greeter.yml", "repositry: x\n")
    kept.settle()
    let problem = try #require(try kept.status(of: "greeter")?.problems.first)
    #expect(problem.contains("greeter.yml:1:1"))
    #expect(kept.refusal(ControlRequest(.integrate, bot: "greeter")) == problem)
    #expect(kept.refusal(ControlRequest(.cancel, bot: "greeter"))?.hasPrefix("Nothing is waiting for greeter.") == true)
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.child?.order?.number == 2)
    try kept.bot("greeter", "Greeter", "configuration: release\n")
    kept.settle()
    #expect(try kept.status(of: "greeter")?.problems == [])
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    #expect(try kept.watcher?.status().bots == [])
    #expect(kept.child?.isTerminated == true)
  }

  @Test("A bot file that is a link is read again when the file that it leads to changes", arguments: ["../../", ""])
  func linkedFile(way: String) throws {
    let kept = try KeptWatch("linkedFile\(way.count)")
    let repository = try kept.scratch.repository()
    let text = "repository: \(repository)\nschedule: {also-when-toolchain-changes: false}\n"
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/shared", withIntermediateDirectories: true)
    try kept.write("shared/greeter.yml", text)
    try FileManager.default.createSymbolicLink(
      atPath: "\(kept.scratch.path)/config/bots/greeter.yml",
      withDestinationPath: "\(way.isEmpty ? "\(kept.scratch.path)/" : way)shared/greeter.yml")
    let watcher = try kept.start()
    #expect(watcher.registry.bots["greeter"]?.configuration == "debug")
    try kept.write("shared/greeter.yml", "\(text)configuration: release\n")
    kept.settle()
    #expect(watcher.registry.bots["greeter"]?.configuration == "release")
    // While it is away, too.
    try kept.remove("shared/greeter.yml")
    kept.settle()
    #expect(watcher.registry.faults.keys.sorted() == ["greeter"])
    try kept.write("shared/greeter.yml", text)
    kept.settle()
    #expect(watcher.registry.faults.isEmpty)
    #expect(watcher.registry.bots["greeter"]?.configuration == "debug")
  }

  @Test("With wrong settings no watcher starts; one that runs keeps the last good ones, and fails if it is to end")
  func wrongSettings() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.write("config/martlet.yml", "jobs: some\n")
    let words =
      "\(kept.scratch.path)/config/martlet.yml:1:7: 'jobs' should be a whole number from 1 to 1024, not 'some'\n"
      + "  jobs: some\n        ^"
    let error = #expect(throws: BotFileError.self) { try kept.start() }
    #expect(error?.description == words)
    #expect(!FileManager.default.fileExists(atPath: kept.home.path))
    try kept.write("config/martlet.yml", "jobs: 7\n")
    kept.options.isOnce = true
    let watcher = try kept.start()
    try kept.write("config/martlet.yml", "jobs: some\n")
    kept.settle()
    #expect(watcher.jobs == 7)
    #expect(kept.lines.all.contains(words))
    kept.finish()
    try #require(watcher.isOver)
    #expect(watcher.run() == 2)
  }

  @Test("What ran of a bot whose file was away is canceled once, with the reason, and integrated when the file is back")
  func fileAway() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    let commit = try kept.scratch.commit(repository, "Go on")
    kept.settle()
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    #expect(kept.child?.isTerminated == true)
    try kept.bot("greeter")
    kept.settle()
    kept.finish(.canceled, reason: "The integration was canceled.")
    #expect(kept.child?.order?.commit == commit)
    #expect(kept.child?.order?.number == 3)
    let told = kept.lines.all.filter { $0.contains("canceled") }
    #expect(told == ["greeter 2: canceled: The bot was removed."])
    kept.finish()
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("All commits of a bot whose file was away are integrated in order, those in between and meanwhile included")
  func fileAwayWithEvery() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "commits: every\n")
    try kept.start()
    kept.finish()
    var commits = try ["One", "Two"].map { message in
      defer { kept.settle() }
      return try kept.scratch.commit(repository, message)
    }
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    kept.finish(.canceled)
    #expect(kept.launcher.running.isEmpty)
    let why = "The bot was removed; 'martlet cancel greeter' takes what waits out of the queue."
    #expect(try kept.watcher?.status().queue.map(\.why) == [why, why])
    kept.crash()

    commits.append(try kept.scratch.commit(repository, "Three"))
    try kept.start()
    #expect(kept.launcher.running.isEmpty)
    try kept.bot("greeter", "Greeter", "commits: every\n")
    for commit in commits {
      kept.settle()
      #expect(kept.child?.order?.commit == commit)
      kept.finish()
    }
    #expect(kept.launcher.running.isEmpty)
  }

  @Test("What a person canceled stays canceled when the file of the bot was away")
  func canceledAndAway() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    _ = try kept.ask(ControlRequest(.cancel, bot: "greeter", number: 1))
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    kept.finish(.canceled)
    try kept.bot("greeter")
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    #expect(kept.lines.all.filter { $0.contains(": canceled") } == ["greeter 1: canceled: A person canceled it."])
  }

  @Test("A second watcher on the same home refuses and names the first")
  func secondWatcher() throws {
    let kept = try KeptWatch()
    let first = try kept.start()
    let error = #expect(throws: KeepingError.self) {
      let other = try KeptWatch("secondWatcherOther")
      _ = try Watcher(
        home: kept.home, configuration: .init(folder: other.scratch.path, userHome: nil), options: .init(),
        launcher: other.launcher, say: { _ in })
    }
    #expect(
      error?.description
        == "Another watcher uses the home \(kept.home.path): process \(getpid()). Stop it, or use another --home.")
    #expect(error?.kind == .request)
    withExtendedLifetime(first) {}
  }

  @Test("A lock that is held for a watcher that is dead is waited for")
  func lockOfTheDead() throws {
    let kept = try KeptWatch()
    let lock = "\(kept.home.path)/watcher.lock"
    let dead = Process()
    dead.executableURL = URL(filePath: "/bin/true")
    try dead.run()
    dead.waitUntilExit()
    try FileManager.default.createDirectory(atPath: kept.home.path, withIntermediateDirectories: true)
    try Data("\(dead.processIdentifier)\n".utf8).write(to: URL(filePath: lock))
    // Holds it until this process has opened the file.
    let holder = Process()
    let output = Pipe()
    holder.executableURL = URL(filePath: "/usr/bin/flock")
    holder.arguments = [
      lock, "sh", "-c", "echo held; until ls -l /proc/\(getpid())/fd 2>/dev/null | grep -q '\(lock)$'; do :; done",
    ]
    holder.standardOutput = output
    try holder.run()
    #expect(output.fileHandleForReading.readData(ofLength: 5) == Data("held\n".utf8))
    try kept.start()
    #expect(try String(contentsOfFile: lock, encoding: .utf8) == "\(getpid())\n")
    holder.waitUntilExit()
  }

  @Test("A repository that is missing is a problem of the bot, and integrated when it is there")
  func missingRepository() throws {
    let kept = try KeptWatch()
    try kept.bot("greeter")
    try kept.start()
    #expect(try kept.status(of: "greeter")?.seeing == "unreadable")
    #expect(
      try kept.status(of: "greeter")?.problems == [
        "Cannot open the repository at “\(kept.scratch.path)/Greeter”: there is no such file or folder. Check the path."
      ])
    _ = try kept.scratch.repository()
    kept.time.advance(31)
    kept.settle()
    #expect(kept.child != nil)
    #expect(try kept.status(of: "greeter")?.problems == [])
    #expect(try kept.status(of: "greeter")?.seeing == "watched")
  }
}
