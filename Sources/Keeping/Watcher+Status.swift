import Glibc
import Model
import Scheduling
import Storing
import Watching

extension Watcher {
  /// Returns the state of the watcher.
  func status() throws(StoringError) -> StatusDocument {
    var bots: [StatusDocument.Bot] = []
    for name in Set(registry.bots.keys).union(registry.faults.keys).sorted() { bots.append(try status(of: name)) }
    let entries = Dictionary(open.values.joined().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let queue = line.line.compactMap { id in
      entries[id].flatMap { $0.state == .pending ? waiting($0) : nil }
    }
    return StatusDocument(
      pid: getpid(), startedAt: startedAt, jobs: jobs, isStopping: isStopping, bots: bots, queue: queue,
      problems: problems, machines: machineStates)
  }

  /// The machines to integrate on, this one first.
  private var machineStates: [StatusDocument.Machine] {
    func running(_ machine: String?) -> [StatusDocument.Machine.Running] {
      children.values.filter { $0.handed?.machine == machine }.compactMap { child in
        child.entry.number.map {
          .init(bot: child.entry.bot, number: $0, step: child.step.rawValue, waits: child.waits)
        }
      }.sorted { ($0.bot, $0.number) < ($1.bot, $1.number) }
    }
    let own = StatusDocument.Machine(
      name: MachineSettings.ownName, slots: jobs, labels: [], running: running(nil))
    return [own]
      + machines.names.compactMap { machines[$0] }.map { machine in
        let (settings, report) = (machine.settings, machine.report)
        return StatusDocument.Machine(
          name: settings.name, host: settings.host, slurm: settings.slurm, slots: settings.slots,
          labels: settings.labels, running: running(settings.name), trouble: machine.reason,
          toolchain: report?.toolchain,
          architecture: report?.architecture, cores: report?.cores, free: report?.free, heardAt: machine.heardAt)
      }
  }

  /// Problems with the service as a whole, as sentences.
  var problems: [String] {
    let removals = removalTroubles.sorted { $0.key < $1.key }.map(\.value)
    return [storeTrouble, siteTrouble, roomTrouble, sending.trouble].compactMap(\.self) + removals + registry.troubles
  }

  /// Returns a report that a repository is gone, which causes no notification by itself; nil if it exists.
  private func missing(_ repository: String) -> String? {
    guard watch.condition(of: repository) != nil, access(repository, F_OK) != 0, errno == ENOENT else { return nil }
    // Have it read soon, so that the problem is reported everywhere.
    _ = watch.takeWord(of: repository, now: clock.seconds())
    return "There is no \(repository) any more. Bring it back, or let the bot's file name another repository."
  }

  private func waiting(_ entry: QueueEntry) -> StatusDocument.Waiting {
    StatusDocument.Waiting(
      entry: entry.id, bot: entry.bot, ref: entry.ref?.description, commit: entry.commit.rawValue,
      covered: entry.covered.count, cause: entry.cause.rawValue, queuedAt: entry.assignment.queuedAt,
      why: line.waits[entry.id] ?? "It is about to start.")
  }

  private func status(of name: String) throws(StoringError) -> StatusDocument.Bot {
    let bot = registry.bots[name]
    let repository = bot?.repository ?? ""
    let isWatched = watch.condition(of: repository) == .watched
    let mine = open[name] ?? []
    let running = mine.first { $0.state == .running }
    let last = try store.history(of: name, limit: 5).first { $0.summary != nil }
    return StatusDocument.Bot(
      name: name, repository: bot?.shownRepository ?? "",
      seeing: bot?.remote != nil ? "fetched" : isWatched ? "watched" : "polled",
      running: running.map { entry in
        var one = StatusDocument.Integration(entry, nil)
        one.step = children[entry.id]?.step.rawValue
        one.waits = children[entry.id]?.waits
        one.machine = children[entry.id]?.handed?.machine ?? adopted[entry.id]?.machine
        return one
      }, last: last.map { StatusDocument.Integration($0.entry, $0.summary) }, branches: try branches(of: name, bot),
      waiting: mine.count { $0.state == .pending }, next: periods.next(of: name),
      problems: [botTroubles[name], repositoryTroubles[repository] ?? missing(repository), sending.troubles[name]]
        .compactMap(\.self)
        + mirrorTroubles(repository), fetch: bot.flatMap(fetch))
  }
}

extension Watcher {
  private func fetch(of bot: Bot) -> StatusDocument.Fetch? {
    guard let mirror = mirrors.all[bot.repository], let name = bot.mirrorName else { return nil }
    return StatusDocument.Fetch(
      endedAt: mirror.fetchedAt, isRunning: mirror.running != nil, failure: mirror.trouble, mirror: name)
  }

  /// The number of a bot's integrations to read at first, and of its default branch's that suffice even if they do not
  /// show since when the branch has its state.
  private static let (firstEnds, enoughEnds) = (1000, 10_000)

  private func branches(of name: String, _ bot: Bot?) throws(StoringError) -> [StatusDocument.Branch] {
    let known = bot.flatMap { bot in tips(for: bot).map { KnownBranches($0, asked: bot.branches) } }
    let (_, states) = try BranchStates.read(of: known, atFirst: Self.firstEnds, enough: Self.enoughEnds) {
      limit throws(StoringError) in try store.ends(of: name, limit: limit)
    }
    // A bot that has never integrated has no branches to report.
    guard !states.main.lines.isEmpty || !states.others.isEmpty else { return [] }
    var branches: [StatusDocument.Branch] = []
    for state in [states.main] + states.others {
      let told = try state.told.flatMap { end throws(StoringError) in try store.integration(end.number, of: name) }
      branches.append(StatusDocument.Branch(state, told, isDefault: branches.isEmpty))
    }
    return branches
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
