import Glibc
import Model
import Processes
import Scheduling
import Storing
import Watching

extension Watcher {
  /// Reads all bot files again and applies the changes.
  func reload() {
    wakes.reload = nil
    let (troubles, faults, before) = (registry.troubles, registry.faults, problems.bots)
    let changes = registry.read()
    for name in changes.removed.sorted() { say("\(name): the bot was removed.") }
    // Of a folder that cannot be read, no fault is known.
    for name in faults.keys.sorted() where registry.faults[name] == nil && registry.troubles.isEmpty {
      if registry.bots[name] != nil { say("\(name): the file is right again.") }
    }
    for name in changes.changed.sorted() { say("\(name): watching \(registry.bots[name]?.shownRepository ?? "").") }
    for (name, fault) in registry.faults.sorted(by: { $0.key < $1.key }) where before[name] != fault { say(fault) }
    problems.bots = registry.faults
    for trouble in registry.troubles where !troubles.contains(trouble) { say(trouble) }
    for name in changes.removed.union(orphans) { drop(name) }
    planMirrors()
    planMachines()
    watchRepositories()
    for name in changes.changed {
      guard let bot = registry.bots[name] else { continue }
      watch.refresh(bot.repository)
      tryAgain(bot)
    }
    let repositories = watch.repositories
    problems.packages = problems.packages.filter { registry.bots[$0.key] != nil }
    problems.repositories = problems.repositories.filter { repositories.contains($0.key) }
    periods.plan(Array(registry.bots.values), &problems.bots)
    sending.plan(Array(registry.bots.values), &periods, seconds: clock.seconds())
    toolchains.plan(Array(registry.bots.values), environment: options.environment)
    folders.watch(registry.folders.union(toolchains.folders))
    tasks.change.bots.formUnion(changes.changed.union(changes.removed))
    tasks.change.bots.formUnion(
      Set(before.keys).union(problems.bots.keys).filter { before[$0] != problems.bots[$0] })
    if registry.troubles != troubles { tasks.change.queue = true }
    queue.isDirty = true
  }

  private func planMachines() {
    guard
      machines.names != registry.settings.machines.map(\.name)
        || registry.settings.machines.contains(where: { machines[$0.name]?.settings != $0 })
    else { return }
    machines.plan(registry.settings.machines)
    keepingStore("look what machines are to remove") { try forgetRemovedMachines() }
  }

  /// Forgets what machines have that nobody knows the way to any more.
  private func forgetRemovedMachines() throws(StoringError) {
    for (name, ids) in machines.dropped where machines[name] == nil {
      try store.forgetHanded(ids.sorted())
      machines.dropped[name] = nil
    }
  }

  /// The number of a bot's integrations to search for those that its file may have prevented.
  private static let mostTriedAgain = 50

  /// Requeues commits that could not be integrated before the bot's file was changed.
  private func tryAgain(_ bot: Bot) {
    guard let date = registry.times[bot.name] else { return }
    keepingStore("look what of \(bot.name) is to be tried again") {
      let history = try store.history(of: bot.name, limit: Self.mostTriedAgain)
      let changes = CommitDecision.afterMending(
        at: date, history: history, tips: try store.memory(of: bot.name).tips ?? [:], entries: queue[bot.name],
        now: clock.now())
      try apply(Decision(bot: bot.name, changes: changes))
      // What waits, or ran since, tells it itself.
      let isTold = !queue[bot.name].isEmpty || history.first?.entry.startedAt.map { $0 >= date } ?? true
      notePackage(of: bot, isTold: isTold)
    }
  }

  /// Notes whether the package is where a bot's file says, which nothing else tells before the next commit.
  func notePackage(of bot: Bot, isTold: Bool) {
    // Why a repository cannot be read is told of the repository.
    let absence = isTold ? nil : try? PackageAbsence.of(bot)
    let file = WatchState.BotState.file(of: bot.name)
    let words = absence.map { "\($0.message.capitalizedFirst). Correct 'package' in \(file)." }
    if note(words, as: \.packages[bot.name]) { tasks.change.bots.insert(bot.name) }
  }

  /// Bots that have open entries although their files are gone.
  private var orphans: Set<String> { queue.bots.filter(isRemoved) }

  /// Returns whether the file of a bot is gone. A file that is broken, or in an unreadable folder, is not.
  func isRemoved(_ bot: String) -> Bool {
    registry.troubles.isEmpty && registry.bots[bot] == nil && registry.faults[bot] == nil
  }

  /// Ends what runs of a bot, and removes its workspaces from the disk.
  private func drop(_ name: String) {
    keepingStore("drop the bot \(name)") {
      try apply(CommitDecision.removing(name, entries: queue[name]))
      if isRemoved(name) { removeWorkspaces(of: name) }
    }
  }

  /// Returns the bots of a repository, sorted by name.
  func bots(of repository: String) -> [Bot] {
    registry.bots.values.filter { $0.repository == repository }.sorted { $0.name < $1.name }
  }

  /// The number of integrations that run at once.
  var jobs: Int { options.jobs ?? registry.settings.jobs ?? Self.usualJobs }

  private static let usualJobs = DefaultJobs.count(
    cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    memoryBytes: max(1, sysconf(Int32(_SC_PHYS_PAGES))) * max(1, sysconf(Int32(_SC_PAGESIZE))))
}
