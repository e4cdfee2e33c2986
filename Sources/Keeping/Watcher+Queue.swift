import BotFiles
import FoundationEssentials
import Model
import Processes
import Scheduling
import Storing

extension Watcher {
  /// Starts the entries that may start.
  func startWork() {
    // Waiting entries take precedence.
    if hasEntries { giveUpAudit() }
    if !isStopping { followHanded() }
    // What a person has just written into a bot's file counts for what starts now.
    guard !isStopping, queue.isDirty, wakes.reload == nil, failed.retry.isDue(now: clock.seconds()) else { return }
    guard !failed.doubtsDisk || isDiskSound() else { return }
    queue.isDirty = false
    closeLost()
    placeAgain()
    let entries = queue.all.sorted { $0.id < $1.id }
    let slots = machines.listed.map(\.settings.slots).reduce(jobs, +)
    giveWay(StartDecision.givingWay(entries.filter { !isHeld($0) }, jobs: slots))
    guard let places = keepingStore("look where integrations can run", { try places(for: entries) }) else { return }
    queue.decision = StartDecision(entries: entries, jobs: jobs, holds: holds, places: places, at: clock.now())
    if !queue.decision.start.isEmpty { makeRoom() }
    for entry in queue.decision.start {
      keepingStore("start an integration of \(entry.bot)") { try start(entry) }
    }
  }

  /// Ends integrations that were started because nothing was waiting.
  private func giveWay(_ entries: [QueueEntry]) {
    for entry in entries {
      keepingStore("cancel an integration of \(entry.bot)") {
        let reason = "Something else is to be done; what waits for idle time is done later."
        try apply(Decision(bot: entry.bot, changes: [.cancel(entry.id, reason: reason)]))
      }
    }
  }

  /// The reasons why bots cannot run now.
  private var holds: [String: String] {
    var holds: [String: String] = [:]
    for name in queue.bots where registry.bots[name] == nil {
      holds[name] =
        isRemoved(name)
        ? "The bot was removed; 'martlet cancel \(name)' takes what waits out of the queue."
        : "The bot's file is broken; see 'martlet check'."
    }
    return holds
  }

  /// Whether an entry waits for the file of its bot.
  private func isHeld(_ entry: QueueEntry) -> Bool { entry.state == .pending && registry.bots[entry.bot] == nil }

  /// Whether anything runs, or waits for more than the file of its bot.
  var hasEntries: Bool { !queue.all.allSatisfy(isHeld) }

  private func start(_ entry: QueueEntry) throws(StoringError) {
    guard let bot = registry.bots[entry.bot] else { return }
    if let ref = entry.ref, ref.isChangeRequest,
      let reason = CommitDecision(bot).refusal(of: ref, isOnBranch: bot.owns(entry.commit))
    {
      // The bot's file had a different setting when it was queued, or a person asked for it.
      say("\(entry.name): not integrated: \(reason)")
      try apply(Decision(bot: bot.name, changes: [.supersede(entry.id, reason: reason)]))
      return
    }
    let handed = queue.decision.machines[entry.id].map { HandedIntegration(id: options.makeID(), machine: $0) }
    let number = try store.start(
      entry.id, above: home.highestNumber(of: bot.name), at: clock.now(), handedTo: handed,
      isAnnounced: bot.status != nil)
    try refresh(bot.name)
    guard let running = queue[bot.name].first(where: { $0.id == entry.id }) else { return }
    let place = entry.ref.map { " on \($0)" } ?? ""
    say("\(bot.name) \(number): integrating \(entry.commit.short)\(place) (\(entry.cause.rawValue)).")
    begin(running, bot, number, on: handed)
  }

  /// Starts the process for a running entry: one that carries it out, or one that hands it out.
  func begin(_ entry: QueueEntry, _ bot: Bot, _ number: Int, on handed: HandedIntegration?) {
    do {
      let order = try order(bot, entry, number, on: handed?.machine)
      guard let handed, let machine = machines[handed.machine]?.settings else {
        return try launch(entry, .carries, order)
      }
      say("\(entry.name): handed out to \(handed.machine).")
      let dropped = (machines.dropped[handed.machine] ?? []).sorted()
      try handOut(HandOutOrder(order, id: handed.id, machine: machine, dropped: dropped), entry)
    } catch {
      begun[entry.id] = .lost(.internalError, because: "\(error)")
    }
  }

  private func order(_ whole: Bot, _ entry: QueueEntry, _ number: Int, on machine: String?) throws(BotFileError)
    -> IntegrationOrder
  {
    let isOfStranger = entry.ref?.isChangeRequest == true
    let bot = isOfStranger ? whole.contained : whole
    var order = IntegrationOrder(of: entry, bot, number)
    order.cleans = takesCleaning(bot, entry, on: machine)
    order.secrets = try registry.secrets(bot.webhookSecrets.union(bot.secrets), of: bot)
    // Only a bot that sends mail gets the login of the mail server.
    if bot.triggers.contains(where: { if case .mail = $0 { true } else { false } }) {
      order.mailAccount = registry.mailAccount().account
    }
    order.address = registry.settings.address
    order.isOfStranger = isOfStranger ? true : nil
    order.includesIdle = entry.cause == .idle
    return order
  }

  private func takesCleaning(_ bot: Bot, _ entry: QueueEntry, on machine: String?) -> Bool {
    var marks = WorkspaceMarks<Date>(at: home.cleanMarks(of: bot.name))
    // Each machine has a workspace of its own; no branch has a space in its name.
    let workspace = (entry.ref?.rawValue ?? "") + (machine.map { " on \($0)" } ?? "")
    let now = clock.now()
    guard CleanDecision.isDue(bot.clean, last: marks.marks[workspace], at: now, in: periods.zone(of: bot)) else {
      return false
    }
    marks.marks[workspace] = now
    marks.write()
    return true
  }

  /// The seconds allowed for a child that closes an integration, which takes only moments.
  private static let closingPatience = 120.0

  private func launch(_ entry: QueueEntry, _ task: IntegrationChild.Task, _ order: IntegrationOrder) throws {
    let child = IntegrationChild(entry, task, running: try launcher.launch(order, entry: entry.id))
    // Otherwise a hung child would keep its bot from integrating forever.
    if child.isClosing { child.killTime = clock.seconds() + Self.closingPatience }
    begun[entry.id] = .child(child)
  }

  /// Returns the bot of an entry, by its name alone if it has no good file.
  func bot(of entry: QueueEntry) -> Bot { registry.bots[entry.bot] ?? Bot(name: entry.bot, repository: "/") }

  /// Starts closing integrations that were cut off.
  private func closeLost() {
    for (id, closing, failures) in begun.lost {
      guard let entry = queue[id], let number = entry.number else {
        begun[id] = nil
        continue
      }
      var order = IntegrationOrder(of: entry, bot(of: entry), number)
      order.closing = closing
      do {
        try launch(entry, .closes(closing, failures: failures), order)
      } catch {
        failed.doubtsDisk = true
        begun[id] = stage(closing: entry, closing, failures: failures, because: "\(error)")
      }
    }
  }
}
