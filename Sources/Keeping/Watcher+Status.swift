import FoundationEssentials
import Glibc
import Model
import Processes
import Scheduling
import Storing
import Watching

/// What is known at a moment, for the pages and for `martlet status`.
extension Watcher {
  /// Problems with the service as a whole, as sentences.
  private var allProblems: [String] { problems.ofService + registry.troubles }

  /// Problems with a bot's file, its repository or what it sends, as sentences.
  private func problems(of name: String) -> [String] {
    let repository = registry.bots[name]?.repository ?? ""
    return problems.all(of: name, in: repository) + mirrors.troubles(of: repository)
  }

  /// That no machine can integrate a bot; nil if one can.
  private func lackingMachine(of name: String) -> WatchState.Hindrance? {
    guard let bot = registry.bots[name], !bot.labels.isEmpty else { return nil }
    let candidates = machines.candidates([], jobs: jobs, at: clock.now())
    let isMet = candidates.contains { $0.labels.isSuperset(of: bot.labels) }
    return isMet ? nil : PlaceDecision.unknown(bot.labels, among: candidates)
  }

  /// How the commits of a bot are seen.
  ///
  /// - Parameter bot: Nil if it has no good file.
  private func source(of bot: Bot?) -> CommitSource {
    guard let bot, !watch.isLost(bot.repository) else { return .unreadable }
    if bot.remote != nil { return .fetched }
    return watch.condition(of: bot.repository) == .watched ? .watched : .polled
  }

  /// The machines to integrate on, this one first.
  private var machineStates: [MachineState] {
    let children = begun.children
    func running(_ machine: String?) -> [MachineState.Running] {
      children.filter { $0.handed?.machine == machine }.compactMap { child in
        child.entry.number.map {
          .init(bot: child.entry.bot, number: $0, step: child.step.rawValue, waits: child.waits)
        }
      }.sorted { ($0.bot, $0.number) < ($1.bot, $1.number) }
    }
    return [MachineState(own: jobs, running: running(nil))]
      + machines.listed.map { machine in
        MachineState(
          machine.settings, machine.report, running: running(machine.settings.name), trouble: machine.reason,
          heardAt: machine.heardAt)
      }
  }
}

extension Watcher {
  /// How many of the commits that a bot passed over its page lists.
  private static let mostPassedOver = 20

  /// Returns what pages are made from.
  private func state() throws(StoringError) -> WatchState {
    let running = queue.running.sorted { $0.id < $1.id }
    let list = queue.list()
    var bots: [WatchState.BotState] = []
    for name in registry.names { bots.append(try state(of: name)) }
    return WatchState(
      asOf: clock.now(), bots: bots, running: running.map(entry), waiting: list.entries.map(entry),
      unlisted: list.unlisted.nonEmpty, jobs: jobs,
      problems: allProblems.nonEmpty, machines: machines.isEmpty ? nil : machineStates)
  }

  private func state(of name: String) throws(StoringError) -> WatchState.BotState {
    let bot = registry.bots[name]
    let passedOver = try store.aside(of: name, limit: Self.mostPassedOver).map(\.entry)
    return WatchState.BotState(
      name: name, repository: bot?.shownRepository ?? "", branches: bot?.branches,
      file: WatchState.BotState.file(of: name),
      schedule: bot.flatMap { $0.schedule.on == .commit ? nil : $0.schedule.words },
      settings: bot.map(\.words) ?? [],
      problems: problems(of: name), hindrance: lackingMachine(of: name), source: source(of: bot),
      passedOver: passedOver.map { entry in
        WatchState.PassedOver(
          branch: entry.ref?.description, commit: entry.commit, reason: entry.reason ?? "",
          date: entry.assignment.queuedAt)
      }, visibility: bot?.visibility, hookSecret: bot?.hookSecret, keep: bot?.keep)
  }

  private func entry(_ entry: QueueEntry) -> WatchState.Entry {
    let isRunning = entry.state == .running
    return WatchState.Entry(
      bot: entry.bot, number: entry.number, branch: entry.ref?.description, commit: entry.commit, cause: entry.cause,
      commitCount: max(1, entry.covered.count), since: entry.startedAt ?? entry.assignment.queuedAt,
      step: isRunning ? begun.child(entry.id)?.step ?? .pending : nil,
      waitsFor: isRunning ? nil : queue.wait(of: entry))
  }
}

extension Watcher {
  /// Returns what `martlet status` tells.
  func status() throws(StoringError) -> StatusDocument {
    var bots: [StatusDocument.Bot] = []
    for name in registry.names { bots.append(try status(of: name)) }
    let list = queue.list()
    return StatusDocument(
      pid: getpid(), startedAt: startedAt, jobs: jobs, isStopping: isStopping, bots: bots,
      queue: list.entries.map(waiting), unlisted: list.unlisted.nonEmpty, problems: allProblems,
      machines: machineStates)
  }

  private func waiting(_ entry: QueueEntry) -> StatusDocument.Waiting {
    StatusDocument.Waiting(
      entry: entry.id, bot: entry.bot, ref: entry.ref?.description, commit: entry.commit.rawValue,
      covered: entry.covered.count, cause: entry.cause.rawValue, queuedAt: entry.assignment.queuedAt,
      why: queue.wait(of: entry))
  }

  private func status(of name: String) throws(StoringError) -> StatusDocument.Bot {
    let bot = registry.bots[name]
    let mine = queue[name]
    let running = mine.first { $0.state == .running }
    let last = try store.history(of: name, limit: 5).first { $0.summary != nil }
    let told = try branches(of: name, bot)
    return StatusDocument.Bot(
      name: name, repository: bot?.shownRepository ?? "",
      seeing: source(of: bot).rawValue,
      running: running.map { entry in
        var one = StatusDocument.Integration(entry, nil)
        one.step = begun.child(entry.id)?.step.rawValue
        one.waits = begun.child(entry.id)?.waits
        one.machine = begun[entry.id]?.machine
        return one
      }, last: last.map { StatusDocument.Integration($0.entry, $0.summary) }, branches: told.branches,
      redTag: told.redTag, waiting: mine.count { $0.state == .pending }, next: periods.next(of: name),
      problems: problems(of: name) + [lackingMachine(of: name)?.words].compactMap(\.self),
      fetch: bot.flatMap(fetch(of:)), hasFaultyFile: registry.faults[name] != nil)
  }

  private func fetch(of bot: Bot) -> StatusDocument.Fetch? {
    guard let mirror = mirrors.all[bot.repository], let name = bot.mirrorName else { return nil }
    return StatusDocument.Fetch(
      endedAt: mirror.fetchedAt, isRunning: mirror.running != nil, failure: mirror.trouble,
      failures: mirror.state.failures, mirror: name)
  }

  /// The number of a bot's integrations to read at first, and of its default branch's that suffice even if they do not
  /// show since when the branch has its state.
  private static let (firstEnds, enoughEnds) = (1000, 10_000)

  private func branches(of name: String, _ bot: Bot?) throws(StoringError)
    -> (branches: [StatusDocument.Branch], redTag: RedBranch?)
  {
    let known = bot.flatMap { bot in bot.readTips().map { KnownBranches($0, asked: bot.branches) } }
    let (_, states) = try BranchStates.read(of: known, atFirst: Self.firstEnds, enough: Self.enoughEnds) {
      limit throws(StoringError) in try store.ends(of: name, limit: limit)
    }
    // A bot that has never integrated has no branches to report.
    guard !states.main.lines.isEmpty || !states.others.isEmpty else { return ([], states.redTag) }
    var branches: [StatusDocument.Branch] = []
    for state in [states.main] + states.others {
      let told = try state.told.flatMap { end throws(StoringError) in try store.integration(end.number, of: name) }
      branches.append(StatusDocument.Branch(state, told, isDefault: branches.isEmpty))
    }
    return (branches, states.redTag)
  }
}

extension StatusDocument.Branch {
  fileprivate init(_ state: BranchState<IntegrationEnd>, _ told: HistoryEntry?, isDefault: Bool) {
    let since = state.since
    self.init(
      branch: state.branch, isDefault: isDefault, integration: told?.entry.number, commit: told?.entry.commit.rawValue,
      outcome: told?.summary?.outcome.rawValue, reason: told?.summary?.reason, endedAt: told?.summary?.endedAt,
      since: since?.endedAt, sinceIntegration: since?.number, toldOutcome: told?.summary?.toldOutcome)
  }
}

extension StatusDocument.Integration {
  fileprivate init(_ entry: QueueEntry, _ summary: IntegrationSummary?) {
    self.init(
      number: entry.number ?? 0, ref: entry.ref?.description, commit: entry.commit.rawValue,
      cause: entry.cause.rawValue, startedAt: entry.startedAt, endedAt: summary?.endedAt,
      outcome: summary?.outcome.rawValue, reason: summary?.reason, redTests: summary?.tests.red,
      toldOutcome: summary?.toldOutcome)
  }
}

extension Watcher {
  /// Writes the running and waiting entries for the process that creates the pages.
  func writeState() throws {
    let data = try JSONEncoder().encode(try state())
    do {
      try PrivateFile.write(Array(data), to: home.state)
    } catch {
      throw KeepingError(
        .service,
        "Cannot write \(home.state): \(SystemReason.words(of: error.number)). Check the disk and the permissions of the home."
      )
    }
  }

  /// Writes down how far the tests are of what runs.
  func writeProgress() {
    // Without it pages tell less; that the disk takes nothing is told where it matters.
    guard let data = try? JSONEncoder().encode(begun.progress) else { return }
    try? PrivateFile.write(Array(data), to: home.progress)
  }
}
