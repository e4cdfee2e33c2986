import Foundation
import Model
import Scheduling
import TestGround
import Testing

@testable import Keeping

@Suite("Other reasons to integrate than a commit")
struct OccasionTests {
  @Test("A periodic bot integrates at its times only, and a missed time is made up once")
  func periodic() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("nightly", "Greeter", "")
    try kept.write(
      "config/bots/nightly.yml",
      """
      repository: \(repository)
      schedule: {on: periodic, every: {day: daily, at: "03:00"}, time-zone: UTC, also-when-toolchain-changes: false}
      """)
    try kept.start()
    #expect(kept.launcher.started.isEmpty)
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.launcher.started.isEmpty)
    kept.time.advance(86_400)
    kept.settle()
    #expect(kept.child?.order?.cause == .schedule)
    kept.finish()
    kept.crash()
    kept.time.advance(5 * 86_400)
    try kept.start()
    kept.finish()
    kept.settle()
    #expect(kept.launcher.started.count { $0.order?.audits == false } == 2)
  }

  @Test("The machine's time zone is that of TZ, where it names one")
  func zone() throws {
    var bot = Bot(name: "nightly", repository: "/srv/greeter")
    func zone(_ variable: String?) throws -> ZoneRules { try BotZone.rules(of: bot, variable: variable) }
    let (own, berlin) = (try zone(nil), try zone("Europe/Berlin"))
    #expect(try zone(":Europe/Berlin") == berlin)
    #expect(try zone("/usr/share/zoneinfo/Europe/Berlin") == berlin)
    for name in ["", "Nowhere/Land"] { #expect(try zone(name) == own) }
    bot.schedule.timeZone = "Europe/Berlin"
    #expect(try zone("Asia/Tokyo") == berlin)
    bot.schedule.timeZone = "Asia/Tokyo"
    #expect(try zone(nil) != berlin)
  }

  @Test("A periodic bot keeps to its times when a clock that was ahead is set right")
  func setBack() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.write(
      "config/bots/nightly.yml",
      """
      repository: \(repository)
      schedule: {on: periodic, every: {day: daily, at: "03:00"}, time-zone: UTC, also-when-toolchain-changes: false}
      """)
    kept.time.set(ahead: 300 * 86_400)
    try kept.start()
    #expect(kept.launcher.started.isEmpty)
    kept.time.set(ahead: 0)
    kept.time.advance(61)
    kept.settle()
    #expect(kept.launcher.started.isEmpty)
    kept.time.advance(86_400)
    kept.settle()
    #expect(kept.child?.order?.cause == .schedule)
  }

  @Test("Another toolchain makes a bot integrate, when it has stayed the same for ten seconds")
  func toolchain() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    let toolchain = "\(kept.scratch.path)/toolchain"
    try FileManager.default.createDirectory(atPath: "\(toolchain)/usr/bin", withIntermediateDirectories: true)
    try kept.write("toolchain/usr/bin/swift", "6.1")
    chmod("\(toolchain)/usr/bin/swift", 0o755)
    try kept.write(
      "config/bots/greeter.yml", "repository: \(kept.scratch.path)/Greeter\ntoolchain: \(toolchain)\n")
    try kept.start()
    kept.finish()
    kept.time.advance(11)
    kept.settle()
    #expect(kept.launcher.started.count == 1)
    // What a compiler of one's own is rebuilt to is not what its driver is.
    try kept.write("toolchain/usr/bin/swift-frontend", "6.1.1")
    kept.settle()
    #expect(kept.launcher.started.count == 1)
    kept.time.advance(11)
    kept.settle()
    #expect(kept.child?.order?.cause == .toolchain)
  }

  @Test("With --once the watcher ends when nothing is due, with the status of the worst integration")
  func once() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository("One")
    _ = try kept.scratch.repository("Other")
    try kept.bot("one", "One")
    try kept.bot("other", "Other")
    kept.options.isOnce = true
    kept.options.jobs = 1
    let watcher = try kept.start()
    #expect(!watcher.isOver)
    kept.finish(.buildErrors)
    #expect(!watcher.isOver)
    kept.finish(.succeeded)
    #expect(watcher.isOver)
    #expect(watcher.run() == 1)
  }

  @Test("A daily clean happens once a day and branch")
  func clean() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "clean: daily\n")
    try kept.start()
    var cleans = [kept.child?.order?.cleans]
    kept.finish()
    for day in [0.0, 1.0] {
      kept.time.advance(day * 86_400)
      try kept.scratch.commit(repository, "Go on")
      kept.settle()
      cleans.append(kept.child?.order?.cleans)
      kept.finish()
    }
    #expect(cleans == [true, false, true])
    // No branch's workspace has a name that begins with a dot.
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(kept.home.path)/workspaces/greeter")
    #expect(names.sorted() == [".audited", ".cleaned"])
  }

  @Test("What the bot does not keep goes: results and pages at once, the disk later")
  func keep() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "keep: {integrations: 1}\n")
    try kept.start()
    for number in 1...15 {
      let results = "\(kept.home.path)/integrations/greeter/\(number)"
      try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
      kept.finish(.testFailures)
      try kept.scratch.commit(repository, "Go on")
      kept.settle()
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(kept.home.path)/integrations/greeter")
    #expect(left.compactMap(Int.init).sorted() == [1] + Array(4...15))
    #expect(Set(kept.launcher.removed) == ["\(kept.home.path)/trash.gone"])
    #expect(!FileManager.default.fileExists(atPath: "\(kept.home.path)/trash"))
  }

  @Test("What could not be published is published later, and the trouble is told until then")
  func publishingFails() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.launcher.publishFailure = KeepingError(.service, "No process can be started. Wait.")
    try kept.start()
    kept.finish()
    let problem = "The site cannot be written: No process can be started. Wait."
    #expect(kept.launcher.published == [])
    #expect(try kept.watcher?.status().problems.contains(problem) == true)
    kept.launcher.publishFailure = nil
    kept.time.advance(60)
    kept.settle()
    #expect(kept.launcher.published.first?.integrations == ["greeter": [1]])
    #expect(try kept.watcher?.status().problems.contains(problem) == false)
  }

  @Test("With --once, pages that cannot be written are told by the status, as there is no later")
  func publishingFailsOnce() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.options.isOnce = true
    kept.launcher.publishFailure = KeepingError(.service, "No process can be started. Wait.")
    let watcher = try kept.start()
    kept.finish(.succeeded)
    #expect(watcher.isOver)
    #expect(watcher.run() == 3)
  }

  @Test("Every change is published, those that come together as one")
  func publishing() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    let published = kept.launcher.published
    #expect(published.contains { $0.integrations == ["greeter": [1]] })
    #expect(published.allSatisfy { !$0.isEmpty })
    let count = published.count
    kept.settle()
    #expect(kept.launcher.published.count == count)
  }

  @Test("Without news the index alone is written every ten minutes, so that its age tells whether the watcher runs")
  func keptUp() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish()
    let count = kept.launcher.published.count
    for round in 1...2 {
      kept.time.advance(590)
      kept.settle()
      #expect(kept.launcher.published.count == count + round - 1)
      kept.time.advance(10)
      kept.settle()
      #expect(kept.launcher.published.count == count + round)
    }
    var index = SiteChange()
    index.queue = true
    #expect(kept.launcher.published.last == index)
  }
}
