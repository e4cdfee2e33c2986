import Foundation
import Model
import Storing
import TestGround
import Testing

@testable import Keeping

@Suite("Integrations on other machines")
struct MachineTests {
  /// A watch with a bot and settings that name machines, of which each can be used unless a test says otherwise.
  private func watch(
    _ settings: String = "jobs: 0\nmachines: {big: {ssh: ci@big}}\n", bot: String = "", _ name: String = #function
  ) throws -> KeptWatch {
    let kept = try KeptWatch(name)
    _ = try kept.scratch.repository()
    try kept.write("config/martlet.yml", settings)
    try kept.bot("greeter", "Greeter", bot)
    let time = kept.time
    kept.launcher.machineReport = { look in
      var report = MachineReport(date: time.now)
      report.dropped = look.dropped
      report.toolchain = "Swift version 6.3.1"
      return report
    }
    return kept
  }

  /// The order that was handed out last.
  private func last(_ kept: KeptWatch) throws -> HandOutOrder {
    try #require(kept.launcher.handedOut.last?.handOut)
  }

  private func machine(_ kept: KeptWatch, _ name: String) throws -> MachineState {
    try #require(try kept.watcher?.status().machines?.first { $0.name == name })
  }

  @Test("An integration is handed out once its machine was looked at, and its result is counted once")
  func handOut() throws {
    let kept = try watch()
    try kept.start()
    let order = try last(kept)
    #expect(order.machine.host == "ci@big")
    #expect(order.order.number == 1)
    #expect(!order.isFollowing)
    #expect(try kept.watcher?.store.handed().map(\.handed) == [HandedIntegration(id: order.id, machine: "big")])
    #expect(try kept.status(of: "greeter")?.running?.machine == "big")
    #expect(try machine(kept, "big").running.map(\.number) == [1])
    let child = try #require(kept.launcher.handedOut.last)
    child.news.append(.released)
    child.finish(at: kept.time.now)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.last?.outcome == "succeeded")
    #expect(try kept.watcher?.store.handed() == [])
    #expect(kept.launcher.started.isEmpty && kept.launcher.handedOut.count == 1)
  }

  @Test("What waits in Slurm's queue says why, until it begins")
  func queued() throws {
    let kept = try watch("jobs: 0\nmachines: {cluster: {slurm: [--partition=ci], home: /shared}}\n")
    try kept.start()
    let child = try #require(kept.launcher.handedOut.last)
    #expect(child.handOut?.machine.slurm == ["--partition=ci"])
    child.news.append(.waits("Resources"))
    kept.settle()
    #expect(try machine(kept, "cluster").running.map(\.waits) == ["Resources"])
    #expect(try machine(kept, "cluster").slurm == ["--partition=ci"])
    #expect(try kept.status(of: "greeter")?.running?.waits == "Resources")
    child.news.append(.step(.building))
    kept.settle()
    #expect(try machine(kept, "cluster").running.map(\.waits) == [nil])
  }

  @Test(
    "What a watcher handed out is followed by the next one, whether it was killed or stopped", arguments: [true, false])
  func following(isKilled: Bool) throws {
    let kept = try watch()
    try kept.start()
    let order = try last(kept)
    if isKilled {
      kept.crash()
    } else {
      kept.watcher?.stop()
      kept.settle()
      #expect(kept.launcher.handedOut.last?.isDetached == true)
      #expect(kept.watcher?.isOver == true)
      #expect(kept.lines.all.contains("1 integration goes on elsewhere; the next watcher takes the results in."))
    }
    try kept.start()
    let next = try last(kept)
    #expect(kept.launcher.handedOut.count == 2)
    #expect(next.isFollowing && next.id == order.id && next.order.number == 1)
    #expect(kept.launcher.started.isEmpty, "nothing is closed")
    kept.launcher.handedOut.last?.finish(at: kept.time.now)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.last?.number == 1)
    #expect(try kept.status(of: "greeter")?.waiting == 0)
  }

  /// Two machines, of which the first has more room.
  private static let two = "jobs: 0\nmachines: {big: {ssh: big, slots: 2}, small: {ssh: small}}\n"

  @Test("What a machine did not take goes to another place with the same number, and the first may not come late")
  func unplaced() throws {
    let kept = try watch(Self.two)
    try kept.start()
    let first = try last(kept)
    #expect(first.machine.name == "big")
    let sound = try #require(kept.launcher.machineReport)
    kept.launcher.machineReport = { [time = kept.time] look in
      guard look.machine.name == "big" else { return sound(look) }
      return MachineReport(date: time.now, trouble: "It cannot be reached.")
    }
    kept.launcher.handedOut.last?.give(.unplaced("It cannot be reached."))
    kept.settle()
    let second = try last(kept)
    #expect(second.machine.name == "small" && second.order.number == 1 && second.id != first.id)
    #expect(try kept.watcher?.store.handed().first { $0.handed.id == first.id }?.isDropped == true)
    #expect(try machine(kept, "big").trouble == "It cannot be reached.")
    kept.launcher.handedOut.last?.news.append(.released)
    kept.launcher.handedOut.last?.finish(at: kept.time.now)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.last?.number == 1)
    // Once it answers again, it is told to remove whatever it may have.
    kept.launcher.machineReport = sound
    kept.time.advance(700)
    kept.settle()
    #expect(kept.launcher.looks.contains { $0.look.machine.name == "big" && $0.look.dropped == [first.id] })
    #expect(try kept.watcher?.store.handed() == [])
  }

  @Test("What no machine took is closed when its bot is removed")
  func unplacedOfRemovedBot() throws {
    let kept = try watch()
    try kept.start()
    kept.launcher.machineReport = { [time = kept.time] _ in
      MachineReport(date: time.now, trouble: "It cannot be reached.")
    }
    kept.launcher.handedOut.last?.give(.unplaced("It cannot be reached."))
    kept.settle()
    #expect(kept.launcher.started.isEmpty)
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    #expect(kept.child?.order?.closing != nil)
  }

  @Test("What died on its machine is closed and queued again, and the machine removes the rest")
  func lost() throws {
    let kept = try watch()
    try kept.start()
    let first = try last(kept)
    kept.launcher.handedOut.last?.give(
      .lost("The process of this integration died on the machine that carried it out."))
    kept.settle()
    let closing = try #require(kept.launcher.started.last)
    #expect(
      closing.order?.closing
        == .init(
          outcome: .canceled, reason: "The process of this integration died on the machine that carried it out."))
    closing.close(at: kept.time.now)
    kept.settle()
    #expect(try last(kept).order.number == 2)
    #expect(try last(kept).id != first.id)
    #expect(kept.launcher.looks.contains { $0.look.dropped == [first.id] })
  }

  @Test("A machine on which things go wrong is told at once to remove them, and used again later each time")
  func failingAgainAndAgain() throws {
    let kept = try watch(Self.two, bot: "where: [small]\n")
    try kept.start()
    for _ in 0..<2 {
      let order = try last(kept)
      // It ended, and the machine could not be told that its result was taken in.
      kept.launcher.handedOut.last?.finish(.internalError, reason: "Its disk is full.", at: kept.time.now)
      kept.settle()
      #expect(kept.launcher.looks.contains { $0.look.dropped == [order.id] })
      #expect(try kept.watcher?.store.handed().contains { $0.handed.id == order.id } == false)
      kept.time.advance(25)
      kept.settle()
      guard order.order.number > 1 else { continue }
      #expect(try machine(kept, "small").trouble == "Its disk is full.")
      kept.time.advance(32)
      kept.settle()
      #expect(try machine(kept, "small").trouble == nil)
    }
  }

  @Test("A machine whose result does not fit its order is not used again, and the commit goes elsewhere")
  func refused() throws {
    let kept = try watch(Self.two)
    try kept.start()
    kept.launcher.handedOut.last?.give(.refused("The result has no integration.json."))
    kept.settle()
    kept.launcher.started.last?.close(at: kept.time.now)
    kept.settle()
    #expect(try last(kept).order.number == 2 && last(kept).machine.name == "small")
    kept.time.advance(3600)
    kept.settle()
    #expect(
      try machine(kept, "big").trouble
        == "The result from big was refused. The result has no integration.json.")
  }

  @Test("Without a word from the process that follows, the integration is followed again and not lost")
  func followedAgain() throws {
    let kept = try watch()
    try kept.start()
    let first = try last(kept)
    kept.launcher.handedOut.last?.kill()
    kept.settle()
    kept.time.advance(6)
    kept.settle()
    let second = try last(kept)
    #expect(kept.launcher.handedOut.count == 2)
    #expect(second.isFollowing && second.id == first.id)
    #expect(kept.launcher.started.isEmpty)
  }

  @Test("A canceled integration is closed even if its machine does not answer, which is told later")
  func canceled() throws {
    let kept = try watch()
    try kept.start()
    let first = try last(kept)
    let watcher = try #require(kept.watcher)
    _ = try watcher.store.cancel(1, reason: "A person canceled it.")
    try watcher.refresh("greeter")
    #expect(kept.launcher.handedOut.last?.isTerminated == true)
    kept.time.advance(21)
    kept.settle()
    #expect(kept.launcher.handedOut.last?.isKilled == true)
    kept.launcher.started.last?.close(at: kept.time.now)
    kept.settle()
    #expect(try kept.status(of: "greeter")?.last?.outcome == "canceled")
    #expect(kept.launcher.looks.contains { $0.look.dropped == [first.id] })
  }

  @Test("Where there are no other machines, what asks for a label of one waits and says why")
  func labelOfNobody() throws {
    let kept = try watch("jobs: 2\n", bot: "where: [arm64]\n")
    try kept.start()
    kept.settle()
    #expect(kept.launcher.started.isEmpty)
    let why =
      "No machine has the label arm64. The only label is local. Give a machine the label arm64, or add one that has it, under 'machines' in martlet.yml."
    #expect(try kept.watcher?.status().queue.map(\.why) == [why])
    #expect(try kept.status(of: "greeter")?.problems == [why])
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    #expect(state.bots.first?.problems == [])
    #expect(state.bots.first?.hindrance?.words == why)
    try kept.bot("greeter", "Greeter", "where: [local]\n")
    kept.watcher?.reload()
    kept.settle()
    #expect(kept.launcher.started.count == 1)
  }

  @Test("With --once, what asks for a label of no machine is left, and said to wait")
  func leftForLabel() throws {
    let kept = try watch("jobs: 1\n", bot: "where: [arm64]\n")
    kept.options.isOnce = true
    let watcher = try kept.start()
    kept.settle()
    try #require(watcher.isOver)
    #expect(watcher.run() == 3)
    #expect(kept.launcher.started.isEmpty)
    let waits =
      "waits: No machine has the label arm64. The only label is local. Give a machine the label arm64, or add one that has it, under 'machines' in martlet.yml."
    let commit = try #require(try watcher.status().queue.first?.commit)
    #expect(kept.lines.all.last == "greeter at \(commit.prefix(7)) \(waits)")
  }

  @Test("While the only machine is down its bots wait and say why, and start when it can be used")
  func down() throws {
    let kept = try watch()
    kept.launcher.machineReport = { [time = kept.time] _ in
      MachineReport(date: time.now, trouble: "It cannot be reached.")
    }
    try kept.start()
    #expect(kept.launcher.handedOut.isEmpty && kept.launcher.started.isEmpty)
    #expect(
      try kept.watcher?.status().queue.map(\.why) == [
        "No machine that will do can be used. local is unavailable: It only hands out, as 'jobs: 0' in martlet.yml says. big is unavailable: It cannot be reached."
      ])
    kept.launcher.machineReport = { [time = kept.time] _ in MachineReport(date: time.now) }
    kept.time.advance(60)
    kept.settle()
    #expect(kept.launcher.handedOut.count == 1)
  }

  @Test("With when-down: local they run here instead")
  func downAndLocal() throws {
    let kept = try watch("jobs: 0\nwhen-down: local\nmachines: {big: {ssh: big}}\n")
    kept.launcher.machineReport = { [time = kept.time] _ in
      MachineReport(date: time.now, trouble: "It cannot be reached.")
    }
    try kept.start()
    #expect(kept.child?.order?.number == 1)
  }

  @Test("A branch goes back to the machine that integrated it")
  func warm() throws {
    let kept = try watch("jobs: 1\nmachines: {big: {ssh: big}, huge: {ssh: huge, slots: 9}}\n", bot: "where: [big]\n")
    try kept.start()
    #expect(try last(kept).machine.name == "big")
    kept.time.advance(60)
    kept.launcher.handedOut.last?.finish(at: kept.time.now)
    kept.settle()
    try kept.bot("greeter")
    kept.time.advance(1)
    kept.settle()
    try kept.scratch.commit("\(kept.scratch.path)/Greeter", "Go on")
    kept.settle()
    #expect(try last(kept).order.number == 2)
    #expect(try last(kept).machine.name == "big")
  }

  @Test("A branch goes back to its machine, too, if one of another branch ended first after a new start")
  func warmAfterStart() throws {
    let kept = try watch(
      "jobs: 0\nmachines: {big: {ssh: big}, huge: {ssh: huge, slots: 9}}\n", bot: "branches: [main, feature]\n")
    try kept.start()
    #expect(try last(kept).machine.name == "huge")
    let place = LastPlace(machine: "big", seconds: 60)
    try kept.watcher?.store.noteLastPlace(place, of: "greeter", on: RefName(branch: "feature"))
    kept.crash()
    try kept.start()
    kept.launcher.handedOut.last?.finish(at: kept.time.now)
    kept.settle()
    try kept.scratch.git("\(kept.scratch.path)/Greeter", "branch", "feature", "main")
    kept.settle()
    #expect(try last(kept).order.branch == "feature")
    #expect(try last(kept).machine.name == "big")
  }

  @Test("A machine that left the settings is not waited for")
  func removedMachine() throws {
    let kept = try watch()
    try kept.start()
    kept.crash()
    try kept.write("config/martlet.yml", "jobs: 1\n")
    try kept.start()
    #expect(
      kept.child?.order?.closing?.reason == "big, which carries it out, is no longer in martlet.yml.")
  }

  @Test(
    "A bot whose integrations need this machine is not handed out",
    arguments: [
      "notes: true\n", "submodules: {allow: [/srv/git]}\n",
      "dependency-credentials: {ssh-agent: true, known-hosts: /etc/ssh/hosts}\n",
    ])
  func staysHere(bot: String) throws {
    let kept = try watch(bot: bot)
    try kept.start()
    #expect(kept.launcher.handedOut.isEmpty)
    #expect(kept.child?.order?.number == 1)
  }

  @Test("A bot of a shallow clone is not handed out, since no other machine could get its history")
  func shallow() throws {
    let kept = try watch()
    let (origin, clone) = ("\(kept.scratch.path)/Greeter", "\(kept.scratch.path)/Shallow")
    try kept.scratch.commit(origin, "Go on")
    try kept.scratch.git(kept.scratch.path, "clone", "--quiet", "--depth=1", "file://\(origin)", clone)
    try kept.bot("greeter", "Shallow")
    try kept.start()
    #expect(kept.launcher.handedOut.isEmpty)
    #expect(kept.child?.order?.number == 1)
  }
}
