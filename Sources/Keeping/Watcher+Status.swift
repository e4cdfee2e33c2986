import Glibc
import Model
import Scheduling
import Storing
import Watching

extension Watcher {
  func status() throws(StoringError) -> StatusDocument {
    var bots: [StatusDocument.Bot] = []
    for name in registry.names { bots.append(try status(of: name)) }
    let list = queue.list()
    return StatusDocument(
      pid: getpid(), startedAt: startedAt, jobs: jobs, isStopping: isStopping, bots: bots,
      queue: list.entries.map(waiting), unlisted: list.unlisted.nonEmpty, problems: serviceProblems,
      machines: machineStates)
  }

  /// The machines to integrate on, this one first.
  var machineStates: [MachineState] {
    let children = begun.children
    func running(_ machine: String?) -> [MachineState.Running] {
      children.filter { $0.handed?.machine == machine }.compactMap { child in
        child.entry.number.map {
          .init(bot: child.entry.bot, number: $0, step: child.step.rawValue, waits: child.waits)
        }
      }.sorted { ($0.bot, $0.number) < ($1.bot, $1.number) }
    }
    return [MachineState(own: jobs, running: running(nil))]
      + machines.names.compactMap { machines[$0] }.map { machine in
        MachineState(
          machine.settings, machine.report, running: running(machine.settings.name), trouble: machine.reason,
          heardAt: machine.heardAt)
      }
  }

  /// Problems with the service as a whole, as sentences.
  var serviceProblems: [String] { problems.ofService + registry.troubles }

  /// Problems with a bot's file, its repository or what it sends, as sentences.
  func problems(of name: String) -> [String] {
    let repository = registry.bots[name]?.repository ?? ""
    return problems.all(of: name, in: repository) + mirrors.troubles(of: repository)
  }

  /// How the commits of a bot are seen.
  func commitSource(of name: String) -> CommitSource {
    guard let bot = registry.bots[name], !watch.isLost(bot.repository) else { return .unreadable }
    if bot.remote != nil { return .fetched }
    return watch.condition(of: bot.repository) == .watched ? .watched : .polled
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
      seeing: commitSource(of: name).rawValue,
      running: running.map { entry in
        var one = StatusDocument.Integration(entry, nil)
        one.step = begun.child(entry.id)?.step.rawValue
        one.waits = begun.child(entry.id)?.waits
        one.machine = begun[entry.id]?.machine
        return one
      }, last: last.map { StatusDocument.Integration($0.entry, $0.summary) }, branches: told.branches,
      redTag: told.redTag, waiting: mine.count { $0.state == .pending }, next: periods.next(of: name),
      problems: problems(of: name), fetch: bot.flatMap(fetch))
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

  private func branches(of name: String, _ bot: Bot?) throws(StoringError)
    -> (branches: [StatusDocument.Branch], redTag: RedBranch?)
  {
    let known = bot.flatMap { bot in tips(for: bot).map { KnownBranches($0, asked: bot.branches) } }
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
