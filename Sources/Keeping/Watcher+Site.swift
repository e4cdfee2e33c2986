import FoundationEssentials
import Model
import Scheduling
import Storing
import Watching

extension Watcher {
  /// Writes down what runs and what waits, for the process that makes the pages.
  func writeState() throws {
    let data = try JSONEncoder().encode(try siteState())
    do {
      try PrivateFile.write(Array(data), to: home.state)
    } catch {
      throw KeepingError(
        .service, "Cannot write \(home.state): \(error.reason). Check the disk and the permissions of the home.")
    }
  }

  /// How many of the commits that a bot passed over its page lists.
  private static let mostPassedOver = 20

  private func siteState() throws(StoringError) -> WatchState {
    let names = Set(registry.bots.keys).union(registry.faults.keys).sorted()
    let entries = Dictionary(open.values.joined().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let running = entries.values.filter { $0.state == .running }.sorted { $0.id < $1.id }
    let waiting = line.line.compactMap { id in entries[id].flatMap { $0.state == .pending ? $0 : nil } }
    var bots: [WatchState.BotState] = []
    for name in names { bots.append(try siteState(of: name)) }
    return WatchState(
      asOf: clock.now(), bots: bots, running: running.map(siteEntry), waiting: waiting.map(siteEntry),
      jobs: jobs,
      machine: [
        WatchState.Setting(
          "Watching", watch.repositories.count == 1 ? "1 repository" : "\(watch.repositories.count) repositories")
      ] + problems.map { WatchState.Setting("Service", $0) })
  }

  private func siteState(of name: String) throws(StoringError) -> WatchState.BotState {
    let bot = registry.bots[name]
    let passedOver = try store.aside(of: name, limit: Self.mostPassedOver).map(\.entry)
    let repository = bot?.repository ?? ""
    return WatchState.BotState(
      name: name, repository: repository, branches: bot?.branches, file: "\(name).yml",
      settings: bot.map(\.words) ?? [],
      problems: [registry.faults[name], botTroubles[name], repositoryTroubles[repository]].compactMap(\.self),
      passedOver: passedOver.map { entry in
        WatchState.PassedOver(
          branch: entry.ref?.description, commit: entry.commit, reason: entry.reason ?? "",
          date: entry.assignment.queuedAt)
      })
  }

  private func siteEntry(_ entry: QueueEntry) -> WatchState.Entry {
    let isRunning = entry.state == .running
    return WatchState.Entry(
      bot: entry.bot, number: entry.number, branch: entry.ref?.description, commit: entry.commit, cause: entry.cause,
      commitCount: max(1, entry.covered.count), since: entry.startedAt ?? entry.assignment.queuedAt,
      step: isRunning ? children[entry.id]?.step ?? .pending : nil,
      waitsFor: isRunning ? nil : line.waits[entry.id] ?? "It is about to start.")
  }
}
