import FoundationEssentials
import Git
import Model
import Processes
import Scheduling
import Storing
import Watching

extension Watcher {
  /// The pause in seconds before a connection that ended is made again.
  private static let connectionPause = 30.0

  /// Looks at the other machines when it is time, and keeps the connections to them.
  func keepMachines() {
    let now = clock.seconds()
    for name in machines.names {
      hearLook(at: name, now: now)
      guard !isStopping, let machine = machines[name] else { continue }
      keepConnection(to: machine, now: now)
      guard machine.look == nil, machine.nextLook <= now else { continue }
      let dropped = (machines.dropped[name] ?? []).sorted()
      do {
        let look = try launcher.look(at: MachineLook(machine.settings, dropped: dropped))
        machines.begin(look, at: name, dropping: dropped, now: now)
      } catch {
        settle(name, MachineReport(date: clock.now(), trouble: "\(error)"), now: now)
      }
    }
  }

  private func hearLook(at name: String, now: Double) {
    guard let machine = machines[name], let look = machine.look else { return }
    if let time = machine.killTime, time <= now { look.kill() }
    guard let end = look.takeEnd() else { return }
    let failure = "It could not be looked at: \(end.failure ?? "the process said nothing.")"
    settle(name, look.takeAnswer() ?? MachineReport(date: clock.now(), trouble: failure), now: now)
  }

  private func settle(_ name: String, _ report: MachineReport, now: Double) {
    let before = machines[name]?.reason
    let gone = Set(report.dropped).intersection(machines[name]?.dropping ?? [])
    machines.end(name, report, now: now)
    let reason = machines[name]?.reason
    if before != reason {
      say(reason.map { "\(name) is unavailable: \($0)" } ?? "\(name) can be used.")
      queue.isDirty = true
      tasks.change.queue = true
    }
    guard !gone.isEmpty else { return }
    keepingStore("forget what \(name) no longer has") {
      // What was fetched of a result that nobody wants goes, too.
      for id in gone { try Removal.remove("\(home.handed)/\(id)") }
      try store.forgetHanded(gone.sorted())
      machines.dropped[name]?.subtract(gone)
    }
  }

  private func keepConnection(to machine: Machines.Machine, now: Double) {
    let name = machine.settings.name
    if let connection = machine.connection {
      // Why it ended is told by the commands that fail without it.
      guard connection.takeEnd() != nil else { return }
      machines.connect(name, nil, again: now + Self.connectionPause)
      return
    }
    guard machine.nextConnection <= now else { return }
    // Without one, each command makes a connection of its own.
    let connection = try? launcher.connect(to: machine.settings)
    machines.connect(name, connection, again: connection == nil ? .infinity : now)
  }
}

extension Watcher {
  /// Whether there are other machines, or a bot asks for one.
  var choosesPlaces: Bool { !machines.isEmpty || registry.bots.values.contains { !$0.labels.isEmpty } }

  /// Returns the machines for the decision what may start; nil if there is nothing to choose.
  func places(for entries: [QueueEntry]) throws(StoringError) -> Places? {
    guard choosesPlaces else { return nil }
    var places = Places(PlaceDecision(candidates(), whenDown: registry.settings.whenDown), wishes: [:])
    for entry in entries where entry.state == .pending { places.wishes[entry.id] = try wish(of: entry) }
    return places
  }

  /// - Parameter left: Running entries that have no place at the moment.
  private func candidates(besides left: [QueueEntry.ID] = []) -> [PlaceDecision.Candidate] {
    let running = queue.running.filter { !left.contains($0.id) }.map { ($0, begun[$0.id]?.machine) }
    return machines.candidates(running, jobs: jobs, at: clock.now())
  }

  private func wish(of entry: QueueEntry) throws(StoringError) -> PlaceDecision.Wish {
    let bot = registry.bots[entry.bot]
    if machines.lastPlaces[entry.bot] == nil { machines.lastPlaces[entry.bot] = try store.lastPlaces(of: entry.bot) }
    return PlaceDecision.Wish(
      labels: bot?.labels ?? [], last: machines[lastOf: entry],
      staysHere: bot.flatMap(reasonToStay))
  }

  /// Why only this machine can integrate for a bot, as a sentence; nil if others can.
  private func reasonToStay(_ bot: Bot) -> String? {
    if let reason = bot.needsOwnMachine { return reason }
    return watch.isShallow(bot.repository) ? "The repository is a shallow clone, which cannot be copied whole." : nil
  }

  /// Records where and how long an entry was integrated.
  func noteLastPlace(_ entry: QueueEntry, on machine: String?, endedAt: Date) throws(StoringError) {
    guard !machines.isEmpty, let start = entry.startedAt else { return }
    let place = LastPlace(machine: machine, seconds: max(1, endedAt.timeIntervalSince(start)))
    try store.noteLastPlace(place, of: entry.bot, on: entry.ref)
    machines[lastOf: entry] = place
  }
}

extension Watcher {
  /// Finds what a dead watcher handed out: its integrations go on, and are followed.
  func recoverHanded() throws(StoringError) {
    let running = Set(queue.running.map(\.id))
    for row in try store.handed() {
      if !row.isDropped, running.contains(row.entry) {
        begun[row.entry] = .elsewhere(row.handed, until: nil)
      } else {
        machines.dropped[row.handed.machine, default: []].insert(row.handed.id)
      }
    }
  }

  /// Follows the integrations that a dead watcher, or a dead process of this one, handed out.
  func followHanded() {
    for (id, handed, time) in begun.elsewhere {
      guard let entry = queue[id], let number = entry.number else {
        begun[id] = nil
        continue
      }
      if let time, time > clock.seconds() { continue }
      guard let machine = machines[handed.machine]?.settings else {
        let reason = "\(handed.machine), which carries it out, is no longer in martlet.yml."
        begun[id] = .lost(.canceled, because: entry.cancelReason ?? reason)
        queue.isDirty = true
        continue
      }
      do {
        let order = IntegrationOrder(of: entry, bot(of: entry), number)
        try handOut(HandOutOrder(order, id: handed.id, machine: machine, isFollowing: true), entry)
        if entry.cancelReason != nil { cancelChild(of: entry) }
      } catch {
        report("\(entry.name): it cannot be followed on \(handed.machine): \(error)")
        begun[id] = .elsewhere(handed, until: clock.seconds() + Self.followPause)
      }
    }
  }

  /// The pause in seconds before an integration is followed again whose following failed.
  private static let followPause = 5.0

  func handOut(_ order: HandOutOrder, _ entry: QueueEntry) throws {
    let handed = HandedIntegration(id: order.id, machine: order.machine.name)
    let running = try launcher.handOut(order, entry: entry.id)
    begun[entry.id] = .child(IntegrationChild(entry, .follows(handed), running: running))
  }

  /// Returns what is to be done for an integration if the process that followed its machine took no result in.
  func stage(after child: IntegrationChild, on handed: HandedIntegration, _ end: TaskEnd) -> BegunEntries.Stage {
    let (entry, now) = (child.entry, clock.seconds())
    if child.isCanceled {
      return .lost(.canceled, because: queue[entry.id]?.cancelReason ?? "It was canceled.")
    }
    switch child.handOutEnd {
    case .unplaced(let reason):
      machines.mistrust(handed.machine, because: reason, now: now)
      say("\(entry.name): \(handed.machine) does not take it: \(reason)")
      giveBack(entry)
      return .unplaced
    case .failed(let reason):
      return .lost(.internalError, because: reason)
    case .lost(let reason):
      machines.mistrust(handed.machine, because: reason, now: now)
      return .lost(.canceled, because: reason)
    case .refused(let reason):
      let whole = "The result from \(handed.machine) was refused. \(reason)"
      machines.mistrust(handed.machine, because: whole, bars: true, now: now)
      return .lost(.internalError, because: whole)
    case nil:
      // It was this machine's own trouble; the integration goes on over there.
      report("\(entry.name): it is followed again on \(handed.machine): \(end.failure ?? "the process said nothing.")")
      return .elsewhere(handed, until: now + Self.followPause)
    }
  }

  private func giveBack(_ entry: QueueEntry) {
    keepingStore("take \(entry.name) back") {
      try store.hand(entry.id, to: nil)
      try dropFinished()
    }
  }

  /// Has machines remove what nobody wants any more.
  func dropFinished() throws(StoringError) {
    guard !machines.isEmpty else { return }
    for row in try store.handed() where row.isDropped {
      if machines.dropped[row.handed.machine]?.contains(row.handed.id) == true { continue }
      machines.drop(row.handed.id, on: row.handed.machine, now: clock.seconds())
    }
  }

  /// Finds another place for integrations that a machine did not take.
  func placeAgain() {
    for id in begun.unplaced {
      guard let entry = queue[id], let number = entry.number else { continue }
      // That of a removed bot, too.
      if let reason = entry.cancelReason {
        begun[id] = .lost(.canceled, because: reason)
        queue.isDirty = true
        continue
      }
      guard let bot = registry.bots[entry.bot] else { continue }
      keepingStore("find a machine for \(entry.name)") {
        var decision = PlaceDecision(candidates(besides: begun.unplaced), whenDown: registry.settings.whenDown)
        guard case .start(let machine) = decision.choose(try wish(of: entry), at: clock.now()) else { return }
        let handed = machine.map { HandedIntegration(id: options.makeID(), machine: $0) }
        try store.hand(id, to: handed)
        begin(entry, bot, number, on: handed)
      }
    }
  }
}

extension Bot {
  /// What in the bot's file only the machine with the repository can do, as a sentence; nil if others can.
  var needsOwnMachine: String? {
    if notes { return "The bot writes git notes, and its repository is on this machine." }
    if dependencyCredentials != nil { return "The bot's login for dependencies is on this machine." }
    if !submodules.allow.isEmpty { return "The bot takes submodules from this machine." }
    let writes = triggers.contains { trigger in
      if case .script(let script) = trigger { !script.write.isEmpty } else { false }
    }
    return writes ? "A trigger of the bot writes into folders of this machine." : nil
  }
}
