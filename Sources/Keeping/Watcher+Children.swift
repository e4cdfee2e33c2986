import Model
import Scheduling
import Storing

extension Watcher {
  /// Processes the children's news.
  func hearChildren() {
    var testsChanged = false
    for (id, child) in children.sorted(by: { $0.key < $1.key }) {
      let end = child.running.takeEnd()
      for news in child.running.takeNews() {
        switch news {
        case .step(let step):
          (child.step, child.tests, child.waits) = (step, nil, nil)
          tasks.change.bots.insert(child.entry.bot)
        case .tests(let tests): (child.tests, testsChanged) = (tests, true)
        case .finished(let summary): child.summary = summary
        case .handed(let end): child.handOutEnd = end
        case .waits(let reason):
          child.waits = reason
          tasks.change.queue = true
        case .released: child.isReleased = true
        case .audited: break
        }
        if let handed = child.handed { machines.hear(handed.machine, at: clock.now()) }
      }
      if let end {
        children[id] = nil
        settle(child, end)
      }
    }
    if testsChanged { writeProgress() }
  }

  /// Turns the end of a child into the end of its integration.
  private func settle(_ child: IntegrationChild, _ end: TaskEnd) {
    let id = child.entry.id
    isQueueDirty = true
    doubtsDisk = doubtsDisk || (child.summary?.outcome ?? .internalError) == .internalError
    if var summary = child.summary {
      closingFailures[id] = nil
      // Its process knows that it was to end, but not why.
      if summary.outcome == .canceled, let reason = openEntry(child.entry.id)?.cancelReason { summary.reason = reason }
      endings[id] = Ending(
        entry: child.entry, summary: summary, sequel: sequel(child, summary), handed: child.handed,
        isReleased: child.isReleased)
    } else if let handed = child.handed {
      // A watcher that is stopping leaves it to the next one, which follows it.
      if !isStopping { settleHanded(child, handed, end) }
    } else if let closing = child.closing {
      closeAgain(child.entry, closing, because: end.failure ?? "it said nothing")
    } else if !isStopping {
      let reason = child.isCanceled ? openEntry(child.entry.id)?.cancelReason : nil
      let failure = end.failure ?? "it ended without a result."
      lose(id, .canceled, because: reason ?? "The process of this integration died: \(failure)")
    }
    // While stopping, this is left to the next watcher, which closes the integration.
  }

  /// Has an integration closed that was cut off.
  func lose(_ id: QueueEntry.ID, _ outcome: Outcome, because reason: String) {
    lost[id] = IntegrationOrder.Closing(outcome: outcome, reason: reason)
  }

  /// The most retries for closing an integration.
  private static let mostClosings = 3

  /// Retries closing an integration that was cut off. If that keeps failing, only the store records how it ended.
  func closeAgain(_ entry: QueueEntry, _ closing: IntegrationOrder.Closing, because reason: String) {
    report("\(name(entry)) cannot be closed properly: \(reason.withStop)")
    // The next watcher closes it.
    guard !isStopping else { return }
    guard closingFailures[entry.id, default: 0] < Self.mostClosings else {
      closingFailures[entry.id] = nil
      endings[entry.id] = Ending(entry: entry, summary: summary(of: closing), sequel: .again)
      return
    }
    closingFailures[entry.id, default: 0] += 1
    lost[entry.id] = closing
    retry.note(now: clock.seconds())
  }

  private func sequel(_ child: IntegrationChild, _ summary: IntegrationSummary) -> Ending.Sequel {
    // Martlet's own trouble says nothing about the commit.
    if summary.outcome == .internalError { return .again }
    // Any other end of what is closed means that the integration was finished but the store did not know.
    if child.closing != nil, summary.wasClosed { return .again }
    let entry = openEntry(child.entry.id) ?? child.entry
    guard summary.outcome == .canceled, !child.isCanceled, entry.cancelReason == nil else { return .nothing }
    // Nobody canceled it, so it has said nothing about its commit. It ended with its watcher, or somebody told its process
    // to end, as happens to all when a machine shuts down.
    return child.closing != nil || child.isInterrupted ? .asBefore : .again
  }

  func storeEndings() {
    guard !endings.isEmpty, retry.isDue(now: clock.seconds()) else { return }
    for (id, ending) in endings.sorted(by: { $0.key < $1.key }) {
      keepingStore("write down the end of \(name(ending.entry))") {
        try finish(ending)
        endings[id] = nil
        tell(ending)
      }
    }
  }

  private func finish(_ ending: Ending) throws(StoringError) {
    let entry = openEntry(ending.entry.id) ?? ending.entry
    do throws(StoringError) {
      try store.finish(
        entry.id, ending.summary, then: changes(entry, ending.sequel),
        isAnnounced: registry.bots[entry.bot]?.status != nil)
    } catch {
      // It is finished already: an earlier attempt succeeded although it appeared to fail.
      guard error.kind == .request else { throw error }
      report("\(error)")
    }
    noteSuccess()
    try refresh(entry.bot)
    try noteEnd(of: ending)
  }

  /// Records what follows for the machines.
  private func noteEnd(of ending: Ending) throws(StoringError) {
    if let handed = ending.handed, ending.isReleased { try store.forgetHanded([handed.id]) }
    try dropFinished()
    if ending.summary.outcome.isConclusive {
      try noteLastPlace(ending.entry, on: ending.handed?.machine, endedAt: ending.summary.endedAt)
      if let machine = ending.handed?.machine { machines.trust(machine) }
    } else if ending.summary.outcome == .internalError, let machine = ending.handed?.machine {
      let reason = ending.summary.reason ?? "An integration failed there."
      machines.mistrust(machine, because: reason, now: clock.seconds())
    }
  }

  private func changes(_ entry: QueueEntry, _ sequel: Ending.Sequel) -> [QueueChange] {
    guard sequel != .nothing else { return [] }
    // For a bot without a good file it is unknown how to combine commits; kept separate, none of them is lost.
    let policy = registry.bots[entry.bot]?.commits ?? .every
    return CommitDecision.afterCrash(
      of: entry, attempt: entry.assignment.attempt + (sequel == .again ? 1 : 0), policy: policy,
      entries: open[entry.bot] ?? [], at: clock.now())
  }

  private func tell(_ ending: Ending) {
    sending.isSuspected = true
    let reason = ending.summary.reason.map { ": \($0)" } ?? ""
    // Nobody canceled what only ended with its watcher, or by somebody's signal.
    let isInterrupted =
      ending.sequel != .nothing && ending.summary.outcome == .canceled && !ending.summary.wasClosed
    say(
      "\(name(ending.entry)): \(isInterrupted ? "interrupted, and queued again" : ending.summary.toldOutcome + reason)")
    // An integration that was cut off was not canceled by a person.
    let outcome = ending.sequel == .again ? .internalError : ending.summary.outcome
    worst = max(worst, outcome.exitCode)
    if ending.handed == nil { noteBuild(ending.entry) }
    if let number = ending.entry.number {
      tasks.change.integrations[ending.entry.bot, default: []].insert(number)
    }
    let name = ending.entry.bot
    if let bot = registry.bots[name] { removeExpired(of: bot) } else if isRemoved(name) { removeWorkspaces(of: name) }
  }

  /// Asks a child to end, once, because its integration was canceled.
  func cancelChild(of entry: QueueEntry) {
    guard let child = children[entry.id], !child.isCanceled, child.closing == nil else { return }
    child.isCanceled = true
    child.running.terminate()
    child.killTime = clock.seconds() + options.patience
  }

  /// Returns a waiting or running entry as it is now in the store; nil once it is over.
  func openEntry(_ id: QueueEntry.ID) -> QueueEntry? { open.values.joined().first { $0.id == id } }

  func name(_ entry: QueueEntry) -> String {
    entry.number.map { "\(entry.bot) \($0)" } ?? "\(entry.bot) at \(entry.commit.short)"
  }

  /// Reads the queue at startup, and finds the integrations that a dead watcher was running.
  func recover() throws(StoringError) {
    let entries = try store.openEntries()
    open = Dictionary(grouping: entries, by: \.bot)
    try recoverHanded()
    for entry in entries {
      guard entry.state == .running else { continue }
      if let handed = adopted[entry.id] {
        say("\(name(entry)): is followed on \(handed.machine).")
        continue
      }
      say("\(name(entry)): was cut off when the watcher ended.")
      lose(entry.id, .canceled, because: entry.cancelReason ?? "The watcher ended while this integration ran.")
    }
  }
}
