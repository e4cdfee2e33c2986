import Glibc
import Model
import Scheduling
import Storing
import Watching

extension Watcher {
  /// How things stand.
  func status() throws(StoringError) -> StatusDocument {
    var bots: [StatusDocument.Bot] = []
    for name in Set(shelf.bots.keys).union(shelf.faults.keys).sorted() { bots.append(try status(of: name)) }
    let entries = Dictionary(open.values.joined().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let queue = line.line.compactMap { id in
      entries[id].flatMap { $0.state == .pending ? waiting($0) : nil }
    }
    return StatusDocument(
      pid: getpid(), startedAt: startedAt, jobs: jobs, isStopping: isStopping, bots: bots, queue: queue,
      problems: problems)
  }

  /// What is wrong with the service as a whole, as sentences.
  var problems: [String] {
    let removals = removalTroubles.sorted { $0.key < $1.key }.map(\.value)
    return [storeTrouble, siteTrouble, roomTrouble, post.trouble].compactMap(\.self) + removals + shelf.troubles
  }

  private func waiting(_ entry: QueueEntry) -> StatusDocument.Waiting {
    StatusDocument.Waiting(
      entry: entry.id, bot: entry.bot, ref: entry.ref?.description, commit: entry.commit.rawValue,
      covered: entry.covered.count, cause: entry.cause.rawValue, queuedAt: entry.assignment.queuedAt,
      why: line.waits[entry.id] ?? "It is about to start.")
  }

  private func status(of name: String) throws(StoringError) -> StatusDocument.Bot {
    let bot = shelf.bots[name]
    let repository = bot?.repository ?? ""
    let isWatched = watch.condition(of: repository) == .watched
    let mine = open[name] ?? []
    let running = mine.first { $0.state == .running }
    let last = try store.history(of: name, limit: 5).first { $0.summary != nil }
    return StatusDocument.Bot(
      name: name, repository: repository, seeing: isWatched ? "watched" : "polled",
      running: running.map { entry in
        var one = StatusDocument.Integration(entry, nil)
        one.step = children[entry.id]?.step.rawValue
        return one
      }, last: last.map { StatusDocument.Integration($0.entry, $0.summary) },
      waiting: mine.count { $0.state == .pending }, next: periods.next(of: name),
      problems: [botTroubles[name], repositoryTroubles[repository]].compactMap(\.self))
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
