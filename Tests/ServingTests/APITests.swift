import FoundationEssentials
import Glibc
@testable import Integrating
import Model
import Processes
import Synchronization
import Testing

@testable import Serving

@Suite("What programs are answered")
struct APITests {
  private let served: ServedHome

  init() throws { served = try ServedHome(numbers: 1...7) }

  private func numbers(_ answer: JSONTree) -> [JSONTree] { answer["integrations"].elements.map { $0["number"] } }

  @Test("A bot stands as its default branch does")
  func bots() throws {
    let bots = try served.json("/api/v1/bots")
    #expect(bots["bots"].elements.count == 1)
    let bot = bots["bots"][0]
    #expect(bot == (try served.json("/api/v1/bots/Greeter")))
    #expect(bot["name"] == .text("Greeter"))
    #expect(bot["isWatched"] == .flag(false))
    #expect(bot["lastNumber"] == .number(7))
    #expect(bot["main"]["name"] == .text("main"))
    #expect(bot["main"]["integration"] == .number(7))
    #expect(bot["main"]["isRed"] == .flag(false))
    #expect(bot["alsoRed"] == .list([.text("topic")]))
    let branches = try served.json("/api/v1/bots/Greeter/branches")["branches"].elements
    #expect(branches.map { $0["name"] } == [.text("main"), .text("topic")])
    #expect(branches.map { $0["outcome"] } == [.text("succeeded"), .text("test-failures")])
  }

  @Test("What comes later is told at once")
  func later() throws {
    #expect(try served.json("/api/v1/bots/Greeter")["lastNumber"] == .number(7))
    try served.add(ServedHome.document(8))
    #expect(try served.json("/api/v1/bots/Greeter")["lastNumber"] == .number(8))
    #expect(try served.json("/api/v1/bots/Greeter")["main"]["isRed"] == .flag(true))
  }

  @Test("Integrations come page by page, by branch and outcome, and none twice")
  func paging() throws {
    let path = "/api/v1/bots/Greeter/integrations"
    let first = try served.json("\(path)?limit=3")
    #expect(numbers(first) == [.number(7), .number(6), .number(5)])
    #expect(first["next"] == .number(5))
    #expect(numbers(try served.json("\(path)?limit=3&before=5")) == [.number(4), .number(3), .number(2)])
    let last = try served.json("\(path)?limit=3&before=2")
    #expect(numbers(last) == [.number(1)])
    #expect(last["next"] == .nothing)
    #expect(numbers(try served.json("\(path)?branch=topic")) == [.number(6), .number(3)])
    #expect(
      numbers(try served.json("\(path)?branch=topic&outcome=succeeded")) == [.number(3)])
    #expect(numbers(try served.json("\(path)?branch=nope")) == [])
    #expect(first["integrations"][0]["subject"] == .text("Change 7 & <more>"))
    #expect(first["integrations"][0]["tests"]["listed"] == .number(2))
    #expect(first["integrations"][0]["lines"] == .nothing)
    let figures = try served.json("/api/v1/bots/Greeter/trends?limit=1")["figures"][0]
    #expect(figures["red"] == .number(0))
    #expect(figures["duration"] == .number(5))
  }

  @Test("What a failed build never counted is absent, and not zero")
  func uncounted() throws {
    var document = ServedHome.document(8)
    document.outcome = .buildErrors
    (document.tests.listed, document.tests.passed, document.tests.failed, document.tests.cases) = (0, 0, 0, [])
    try served.add(document)
    let path = "/api/v1/bots/Greeter"
    let figures = try served.json("\(path)/trends?limit=1")["figures"][0]
    let line = try served.json("\(path)/integrations?limit=1")["integrations"][0]
    #expect(figures["number"] == .number(8) && line["number"] == .number(8))
    #expect(["listed", "red", "warnings"].allSatisfy { figures[$0] == .nothing })
    #expect(["tests", "warnings"].allSatisfy { line[$0] == .nothing })
    let counted = try served.json("\(path)/integrations?limit=2")["integrations"][1]
    #expect(counted["tests"]["listed"] == .number(2) && counted["warnings"] == .number(0))
  }

  @Test("A test's history is told, and its part in one integration")
  func tests() throws {
    let history = try served.json("/api/v1/bots/Greeter/tests?test=GreeterTests.greets()&limit=2")
    #expect(history["history"].elements.map { $0["state"] } == [.text("passed"), .text("failed")])
    #expect(history["history"][0]["milliseconds"] == .number(250))
    #expect(history["next"] == .number(6))
    #expect(try served.json("/api/v1/bots/Greeter/tests?test=nope") == .object(["history": .list([])]))
    let path = "/api/v1/bots/Greeter/integrations/2/tests"
    let first = try served.json("\(path)?limit=1")
    #expect(first["tests"][0]["id"] == .text("GreeterTests.Tests/testWaves"))
    let next = try served.json("\(path)?limit=1&after=GreeterTests.Tests/testWaves")
    #expect(next["tests"][0]["id"] == .text("GreeterTests.greets()"))
    #expect(next["next"] == .nothing)
    #expect(try served.json("\(path)?state=failed")["tests"].elements.count == 1)
  }

  @Test("The document of an integration has the bytes of the disk")
  func document() throws {
    let answer = try served.get("/api/v1/bots/Greeter/integrations/2")
    #expect(answer.wholeBody == (try ServedHome.document(2).encoded()))
    #expect(answer.header("Content-Type") == "application/json")
  }

  @Test("The files of an integration are listed and handed over, and no others")
  func files() throws {
    try served.write("x", to: "integrations/Greeter/2/results/raw")
    try served.write("png", to: "integrations/Greeter/2/attachments/a/b.png")
    try served.write("<script>", to: "integrations/Greeter/2/attachments/log.html")
    try served.write("x", to: "integrations/Greeter/2/cells/release-0a1b2c3d/results/raw")
    try served.write("{}", to: "integrations/Greeter/2/cells/release-0a1b2c3d/coverage.json")
    try served.write("x", to: "integrations/Greeter/2/cells/release-0a1b2c3d/archive/tool")
    symlink("../../../../secret.html", "\(served.path)/integrations/Greeter/2/log/link")
    let path = "/api/v1/bots/Greeter/integrations/2"
    let files = try served.json("\(path)/files")["files"].elements
    #expect(
      files.map { $0["path"] }
        == [
          "integration.json", "log/testing.log", "attachments/a/b.png", "attachments/log.html",
          "cells/release-0a1b2c3d/coverage.json", "cells/release-0a1b2c3d/archive/tool",
        ].map(JSONTree.text))
    for file in files.dropFirst(3) {
      guard case .text(let name) = file["path"] else { continue }
      let answer = try served.get("\(path)/file?path=\(name)")
      #expect(answer.status == 200, "\(name)")
      #expect(answer.header("Content-Disposition") == (name.hasSuffix(".json") ? nil : "attachment"), "\(name)")
    }
    #expect(try served.text("\(path)/file?path=log/testing.log", [("Range", "bytes=5-7")]) == "one")
    #expect(try served.text("\(path)/file?path=attachments/a/b.png") == "png")
    for name in [
      "results/raw", "log/link", "log/../results/raw", "../2/results/raw", "log", "log/", "/etc/passwd",
      "log//testing.log",
      "log/./testing.log", "log/testing.log%00", "cells", "cells/release-0a1b2c3d",
      "cells/release-0a1b2c3d/results/raw", "cells/../log/testing.log",
    ] {
      let answer = try served.get("\(path)/file?path=\(name)")
      #expect(answer.status == 404, "\(name)")
      #expect(
        try JSONDecoder().decode(JSONTree.self, from: Data(answer.wholeBody))["detail"]
          == .text("The integration has no such file. Its list of files has those that are kept."))
    }
  }

  @Test("A badge, a bot and its integrations are told as they are, also where one is written again under its number")
  func writtenAgain() throws {
    let served = try ServedHome(numbers: 1...1)
    func outcomes() throws -> [Bool] {
      try ["/badge/Greeter.svg", "/api/v1/bots/Greeter", "/api/v1/bots/Greeter/integrations", "/cc.xml"].map {
        try served.text($0).contains(/succeeded|"?Success"?/)
      }
    }
    #expect(try outcomes() == [true, true, true, true])
    var document = ServedHome.document(1)
    document.outcome = .testFailures
    try served.rewrite(document)
    #expect(try outcomes() == [false, false, false, false])
  }

  @Test("A badge tells of one destination where that is asked for")
  func badgeOfDestination() throws {
    func own(_ name: String, leads: Bool, _ outcome: Outcome?) -> DestinationResult {
      var destination = Destination()
      destination.name = name
      return DestinationResult(destination, leads: leads, outcome: outcome)
    }
    var document = ServedHome.document(8)
    document.destination = own("debug", leads: true, .succeeded)
    document.cells = [("release", Outcome.testFailures as Outcome?), ("idle", nil)].map { name, outcome in
      var cell = ServedHome.document(8)
      cell.destination = own(name, leads: false, outcome)
      return cell
    }
    try served.add(document)
    let path = "/badge/Greeter.svg?subject=tests"
    #expect(try served.text(path).contains("<title>tests: 1 failed</title>"))
    #expect(try served.text("\(path)&destination=release").contains("<title>tests release: 1 failed</title>"))
    #expect(try served.text("\(path)&destination=idle").contains("<title>tests: unknown</title>"))
    #expect(try served.text("/badge/Greeter.svg?destination=debug").contains("<title>Greeter debug: succeeded</title>"))
    #expect(try served.text("/badge/Greeter/main.svg?subject=tests") == served.text(path))
  }

  @Test(
    "What is not there is a problem that says what is",
    arguments: [
      ("/api/v1/bots/nope", "There is no such bot. /api/v1/bots lists those that there are."),
      ("/api/v1/bots/..", "There is no such bot. /api/v1/bots lists those that there are."),
      ("/api/v1/bots/..%2FGreeter/branches", "There is no such bot. /api/v1/bots lists those that there are."),
      ("/api/v1/bots/Greeter/integrations/9", "Greeter has no finished integration 9, or it was removed to make room."),
      ("/api/v1/nope", "There is no such address. /api/v1/openapi.json describes those that there are."),
      ("/badge/Greeter/no%2Fpe.svg", "Greeter has no such branch, or it was not integrated."),
      ("/badge/Greeter.svg?branch=nope", "Greeter has no such branch, or it was not integrated."),
      ("/badge/Greeter.svg?destination=nope", "Greeter has no such destination."),
    ])
  func absent(target: String, why: String) throws {
    let answer = try served.get(target)
    #expect(answer.status == 404)
    #expect(answer.header("Content-Type") == "application/problem+json")
    #expect(
      try JSONDecoder().decode(JSONTree.self, from: Data(answer.wholeBody))
        == .object([
          "type": .text("about:blank"), "title": .text("Not Found"), "status": .number(404), "detail": .text(why),
        ]))
  }

  @Test("The queue is the watcher's, and nothing runs where none does")
  func queue() throws {
    #expect(
      try served.json("/api/v1/queue")
        == .object([
          "isWatching": .flag(false), "running": .list([]), "waiting": .list([]), "waitingCount": .number(0),
        ]))
    let entry = WatchState.Entry(
      bot: "Greeter", number: 8, branch: "main", commit: CommitID(rawValue: "c"), cause: .commit,
      since: ServedHome.date,
      step: .testing)
    try served.tell(
      WatchState(asOf: ServedHome.date, running: [entry], waiting: [entry], unlisted: ["Greeter": 39_799], jobs: 2))
    let dead = try served.json("/api/v1/queue")
    #expect(dead["running"] == .list([]))
    #expect(dead["waiting"].elements.count == 1)
    #expect(dead["waitingCount"] == .number(39_800))
    let lock = open("\(served.path)/watcher.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    // Only who wrote its number into it is a watcher.
    #expect(try served.json("/api/v1/queue")["isWatching"] == .flag(false))
    let number = Array("\(getpid())\n".utf8)
    #expect(write(lock, number, number.count) == number.count)
    let living = try served.json("/api/v1/queue")
    #expect(living["isWatching"] == .flag(true))
    #expect(living["running"][0]["step"] == .text("testing"))
    #expect(try served.text("/metrics").contains("\nmartlet_running 1\n"))
    #expect(try served.text("/metrics").contains("\nmartlet_waiting 39800\n"))
    #expect(try served.text("/cc.xml").contains("activity=\"Building\""))
  }

  @Test("A watcher is seen to run whatever locks come and go beside its own")
  func manyLocks() throws {
    let lock = open("\(served.path)/watcher.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    let number = Array("\(getpid())\n".utf8)
    #expect(write(lock, number, number.count) == number.count)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let isOver = Mutex(false)
    let others = try (0..<2).map { worker in
      let folder = "\(served.path)/locks-\(worker)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      return try Worker {
        while !isOver.withLock(\.self) {
          let files = (0..<100).map { open("\(folder)/\($0)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
          for file in files { flock(file, LOCK_EX | LOCK_NB) }
          for file in files { close(file) }
        }
      }
    }
    let seen = (0..<300).count { _ in WatcherLife.isRunning(on: served.path) }
    isOver.withLock { $0 = true }
    for other in others { try other.join() }
    #expect(seen == 300)
    flock(lock, LOCK_UN)
    #expect(!WatcherLife.isRunning(on: served.path))
  }

  @Test("Issues are those of the newest integration that says something")
  func issues() throws {
    let issues = try served.json("/api/v1/bots/Greeter/issues")
    #expect(issues["bot"] == .text("Greeter"))
    #expect(issues["branches"][0]["integration"] == .number(7))
    #expect(try served.json("/api/v1/bots/Greeter/issues?branch=topic")["branches"][0]["integration"] == .number(6))
    #expect(try served.json("/api/v1/bots/Greeter/issues?branch=nope")["branches"] == .list([]))
  }

  @Test("An answer that is made anew has a tag by which it is known again")
  func tags() throws {
    let tag = try #require(try served.get("/api/v1/bots").header("ETag"))
    #expect(try served.get("/api/v1/bots", [("If-None-Match", tag)]).status == 304)
    try served.add(ServedHome.document(9))
    #expect(try served.get("/api/v1/bots", [("If-None-Match", tag)]).status == 200)
  }

  @Test("An index that cannot be read is a problem that may be over soon")
  func unreadable() throws {
    try served.write("no database at all, but a text that is long enough to be looked at", to: "martlet.sqlite.new")
    rename("\(served.path)/martlet.sqlite.new", "\(served.path)/martlet.sqlite")
    let answer = try served.get("/healthz")
    #expect(answer.status == 503)
    #expect(answer.header("Retry-After") == "5")
    let detail = try JSONDecoder().decode(JSONTree.self, from: Data(answer.wholeBody))["detail"]
    #expect(
      detail
        == .text(
          "Cannot read the version of the database in \(served.path)/martlet.sqlite: file is not a database (SQLite 26). Stop the watcher and run 'martlet reindex': it makes the index anew of the documents, and keeps what can still be read of the queue."
        ))
  }
}
