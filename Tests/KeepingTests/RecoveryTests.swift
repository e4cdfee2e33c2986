import Foundation
import Model
import Processes
import TestGround
import Testing

@testable import Keeping

@Suite("What survives the watcher")
struct RecoveryTests {
  @Test(
    "An integration that was cut off is closed as canceled and queued again, the second time for when things are calm")
  func cutOff() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let commit = try #require(kept.child?.order?.commit)
    kept.crash()

    try kept.start()
    let closing = try #require(kept.child)
    #expect(closing.order?.number == 1)
    #expect(
      closing.order?.closing == .init(outcome: .canceled, reason: "The watcher ended while this integration ran."))
    closing.close(at: kept.time.now)
    kept.settle()
    #expect(kept.child?.order?.number == 2)
    #expect(kept.child?.order?.commit == commit)
    kept.crash()

    try kept.start()
    #expect(kept.child?.order?.number == 2)
    kept.child?.close(at: kept.time.now)
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    #expect(try kept.status(of: "greeter")?.last?.outcome == "canceled")
    let watcher = try #require(kept.watcher)
    #expect(
      try watcher.status().queue.map(\.why) == [
        "It was cut off 2 times, which says nothing about the commit; it is tried again when nothing else runs, 5 min after the last time at the earliest."
      ])
    let now = kept.time.clock.seconds()
    #expect(watcher.nextTime(now) > now && watcher.nextTime(now) <= now + 60, "it sleeps, and wakes by itself")
    kept.time.advance(300)
    kept.settle()
    #expect(kept.child?.order?.number == 3)
    #expect(kept.child?.order?.commit == commit)
    kept.finish()
    #expect(try kept.status(of: "greeter")?.waiting == 0)
  }

  @Test("With --once, what was cut off twice is left to the next watcher, which is told with the words of the status")
  func restingOnce() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.options.isOnce = true
    try kept.start()
    for _ in 0..<2 {
      kept.child?.kill()
      kept.settle()
      kept.child?.close(at: kept.time.now)
      kept.settle()
    }
    #expect(kept.launcher.running.isEmpty)
    #expect(kept.watcher?.isOver == true)
    #expect(kept.watcher?.run() == 3)
    #expect(try kept.status(of: "greeter")?.waiting == 1)
    kept.crash()

    let told = kept.lines.all.count
    let next = try kept.start()
    #expect(next.isOver)
    #expect(next.run() == 3, "it integrated nothing")
    let waiting = try #require(try next.status().queue.first)
    #expect(waiting.why.hasPrefix("It was cut off 2 times"))
    #expect(kept.lines.all.dropFirst(told).last == "greeter at \(waiting.commit.prefix(7)) waits: \(waiting.why)")
  }

  @Test(
    "With --once, what was cut off and is done again counts by what becomes of it",
    arguments: [Outcome.succeeded, .testFailures], [true, false])
  func againOnce(outcome: Outcome, closesItself: Bool) throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.crash()
    kept.options.isOnce = true
    try kept.start()
    if closesItself {
      kept.finish(.canceled, reason: "The watcher is gone.")
    } else {
      kept.child?.close(at: kept.time.now)
      kept.settle()
    }
    kept.finish(outcome)
    #expect(kept.watcher?.isOver == true)
    #expect(kept.watcher?.run() == outcome.exitCode)
  }

  @Test("A commit that came to nothing twice waits no longer once the branch has moved on")
  func restingAndMoved() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    for _ in 0..<2 { kept.finish(.internalError, reason: "Cannot write the log: no space left on device.") }
    #expect(kept.launcher.running.isEmpty)
    let commit = try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.child?.order?.commit == commit)
  }

  @Test("What was cut off is queued again though the bot's file is broken by then")
  func cutOffAndBroken() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    let commit = try #require(kept.child?.order?.commit)
    kept.crash()

    try kept.bot("greeter", "Greeter", "shedule: {}\n")
    kept.options.isOnce = true
    try kept.start()
    kept.child?.close(at: kept.time.now)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.waiting == 1)
    #expect(kept.watcher?.isOver == true, "with --once it does not wait for a person")
    kept.crash()

    try kept.bot("greeter")
    try kept.start()
    #expect(kept.child?.order?.number == 2)
    #expect(kept.child?.order?.commit == commit)
  }

  @Test("An integration that was finished, and only not noted, is not integrated again")
  func finished() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.crash()
    try kept.start()
    kept.finish(.warnings, reason: "1 warning.")
    #expect(kept.launcher.running.isEmpty)
    #expect(try kept.status(of: "greeter")?.last?.outcome == "warnings")
  }

  @Test("An integration that ended only because its watcher was killed is integrated under a new number")
  func canceledByDeath() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.crash()
    try kept.start()
    kept.finish(.canceled, reason: "The watcher is gone.")
    #expect(kept.child?.order?.number == 2)
  }

  @Test("What is ended by a signal, though nobody canceled it, is integrated again, later in the end")
  func endedByOthers() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    for number in 1...2 {
      #expect(kept.child?.order?.number == number)
      kept.finish(.canceled, reason: "The integration was canceled.")
    }
    #expect(kept.lines.all.contains("greeter 1: interrupted, and queued again"))
    #expect(kept.launcher.running.isEmpty)
    kept.time.advance(3600)
    kept.settle()
    #expect(kept.child?.order?.number == 3)
  }

  @Test("Commits that land while no watcher runs are integrated by the next one, each once")
  func meanwhile() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "commits: every\n")
    try kept.start()
    kept.finish()
    kept.crash()
    let commits = try ["One", "Two"].map { try kept.scratch.commit(repository, $0) }
    try kept.start()
    kept.finish()
    kept.crash()
    try kept.start()
    kept.finish()
    let carried = kept.launcher.started.compactMap(\.order).filter { $0.closing == nil }
    #expect(carried.dropFirst().map(\.commit) == commits)
  }

  @Test("A process that dies without a result is closed with the reason, and its commit queued again")
  func deadProcess() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.child?.kill()
    kept.settle()
    #expect(
      kept.child?.order?.closing
        == .init(
          outcome: .canceled, reason: "The process of this integration died: it was ended by signal 9."))
    kept.child?.close(at: kept.time.now)
    kept.settle()
    #expect(kept.child?.order?.number == 2)
  }

  @Test("A watcher that is told to stop cancels what runs, and the next one integrates it under a new number")
  func stopping() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    for _ in 0..<3 {
      let watcher = try kept.start()
      watcher.stop()
      #expect(kept.child?.isDetached == true)
      #expect(!watcher.isOver)
      kept.finish(.canceled, reason: "Martlet was told to stop.")
      #expect(watcher.isOver)
    }
    try kept.scratch.commit(repository, "Go on")
    try kept.start()
    #expect(kept.launcher.started.compactMap(\.order?.number) == [1, 2, 3, 4])
  }

  @Test("An integration that does not end when the watcher stops is killed after the stated time")
  func stubborn() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start().stop()
    kept.time.advance(19)
    kept.watcher?.turn(atMost: 0)
    #expect(kept.child?.isKilled == false)
    kept.time.advance(1)
    kept.watcher?.turn(atMost: 0)
    kept.watcher?.turn(atMost: 0)
    #expect(kept.watcher?.isOver == true)
    #expect(kept.launcher.started.first?.isKilled == true)
    try kept.start()
    #expect(kept.child?.order?.closing != nil)
  }

  @Test("A process that hangs while it closes what was cut off is killed, and its commit is queued again")
  func closingHangs() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.crash()
    try kept.start()
    let closing = try #require(kept.child)
    kept.time.advance(119)
    kept.settle()
    #expect(!closing.isKilled)
    kept.time.advance(1)
    kept.settle()
    #expect(closing.isKilled)
    for _ in 0..<3 {
      kept.time.advance(10)
      kept.settle()
      #expect(kept.child?.order?.closing != nil)
      kept.time.advance(120)
      kept.settle()
    }
    kept.time.advance(10)
    kept.settle()
    #expect(kept.child?.order?.number == 2)
    #expect(kept.child?.order?.closing == nil)
  }

  @Test("An end that is Martlet's own trouble says nothing about the commit: it is integrated again, ever more rarely")
  func internalError() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    kept.finish(.internalError, reason: "Cannot write the log: no space left on device.")
    #expect(kept.child?.order?.number == 2)
    kept.finish(.internalError, reason: "Cannot write the log: no space left on device.")
    #expect(kept.launcher.started.compactMap(\.order?.number) == [1, 2])
    kept.time.advance(300)
    kept.settle()
    kept.finish(.internalError, reason: "Cannot write the log: no space left on device.")
    kept.time.advance(890)
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    kept.time.advance(10)
    kept.settle()
    #expect(kept.launcher.started.compactMap(\.order?.number) == [1, 2, 3, 4])
  }

  @Test("A disk that takes nothing holds everything back, is told, and nothing is lost when it works again")
  func badDisk() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    try kept.start()
    // A folder in the place of the file that is written to try the disk.
    try FileManager.default.createDirectory(atPath: "\(kept.home.path)/disk.try", withIntermediateDirectories: false)
    kept.finish(.internalError, reason: "Cannot write the log: no space left on device.")
    kept.time.advance(100)
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    let problem =
      "Nothing is started until it works again: Cannot write \(kept.home.path)/disk.try: Is a directory. "
      + "Check the disk and the permissions of the home."
    #expect(try kept.watcher?.status().problems.contains(problem) == true)
    // It sleeps meanwhile: the time that memory would be given back has passed, and the next try is to come.
    let watcher = try #require(kept.watcher)
    let now = kept.time.clock.seconds()
    watcher.wakes.rest = now - 1
    watcher.turn(atMost: 0)
    #expect(watcher.nextTime(now) > now)
    try FileManager.default.removeItem(atPath: "\(kept.home.path)/disk.try")
    kept.time.advance(100)
    kept.settle()
    #expect(kept.child?.order?.number == 2)
    kept.finish()
    #expect(try kept.watcher?.status().problems.contains(problem) == false)
  }

  @Test("With --once a disk that takes nothing is tried for a minute, and the rest is left to the next watcher")
  func badDiskOnce() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.options.isOnce = true
    try kept.start()
    try FileManager.default.createDirectory(atPath: "\(kept.home.path)/disk.try", withIntermediateDirectories: false)
    kept.finish(.internalError, reason: "Cannot write the log: no space left on device.")
    kept.time.advance(59)
    kept.settle()
    #expect(kept.watcher?.isOver == false)
    #expect(kept.watcher?.givesUp == false)
    kept.time.advance(1)
    kept.settle()
    #expect(kept.watcher?.run() == 3)
    #expect(kept.lines.all.last == "It has failed for a minute. What waits is left to the next watcher.")
    kept.options.isOnce = false
    try FileManager.default.removeItem(atPath: "\(kept.home.path)/disk.try")
    try kept.start()
    #expect(kept.child?.order?.number == 2)
  }

  @Test("An integration whose process cannot be started is closed by the store alone")
  func noProcess() throws {
    let kept = try KeptWatch()
    _ = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.launcher.failure = KeepingError(.service, "No process can be started. Wait.")
    try kept.start()
    for _ in 0..<3 {
      #expect(try kept.status(of: "greeter")?.last == nil)
      kept.time.advance(10)
      kept.settle()
    }
    #expect(try kept.status(of: "greeter")?.last?.outcome == "internal-error")
    #expect(try kept.status(of: "greeter")?.last?.reason == "No process can be started. Wait.")
  }
}
