import Model
import Processes
import Scheduling
import Storing

extension Watcher {
  /// Processes the children's news.
  func hearChildren() {
    var testsChanged = false
    for child in begun.children {
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
      guard let end else { continue }
      queue.isDirty = true
      let next = stage(after: child, end)
      begun[child.entry.id] = next
    }
    if testsChanged { writeProgress() }
  }

  /// Returns what is to be done for an integration whose process ended; nil if that is left to the next watcher.
  private func stage(after child: IntegrationChild, _ end: TaskEnd) -> BegunEntries.Stage? {
    let entry = queue[child.entry.id]
    if (child.summary?.outcome ?? .internalError) == .internalError { failed.doubtsDisk = true }
    if var summary = child.summary {
      // Its process knows that it was to end, but not why.
      if summary.outcome == .canceled, let reason = entry?.cancelReason { summary.reason = reason }
      let sequel = child.sequel(of: summary, entry ?? child.entry)
      return .ended(
        Ending(
          entry: child.entry, summary: summary, sequel: sequel, handed: child.handed, isReleased: child.isReleased))
    }
    switch child.task {
    case .closes(let closing, let failures):
      return stage(closing: child.entry, closing, failures: failures, because: end.failure ?? "it said nothing")
    // The next watcher follows or closes it.
    case _ where isStopping: return nil
    case .follows(let handed): return stage(after: child, on: handed, end)
    case .carries:
      let reason = child.isCanceled ? entry?.cancelReason : nil
      let failure = end.failure ?? "it ended without a result."
      return .lost(.canceled, because: reason ?? "The process of this integration died: \(failure)")
    }
  }

  /// The most retries for closing an integration.
  private static let mostClosings = 3

  /// Returns what is to be done for an integration that was cut off and could not be closed: it is retried. If that
  /// keeps failing, only the store records how it ended.
  func stage(
    closing entry: QueueEntry, _ closing: IntegrationOrder.Closing, failures: Int, because reason: String
  ) -> BegunEntries.Stage? {
    report("\(entry.name) cannot be closed properly: \(reason.withStop)")
    // The next watcher closes it.
    guard !isStopping else { return nil }
    guard failures < Self.mostClosings else {
      let summary = IntegrationSummary(
        outcome: closing.outcome, reason: closing.reason, endedAt: clock.now(), isCoverageComplete: false)
      return .ended(Ending(entry: entry, summary: summary, sequel: .again))
    }
    failed.retry.note(now: clock.seconds())
    return .lost(closing, failures: failures + 1)
  }

  func storeEndings() {
    guard failed.retry.isDue(now: clock.seconds()) else { return }
    for ending in begun.endings {
      keepingStore("write down the end of \(ending.entry.name)") {
        try finish(ending)
        begun[ending.entry.id] = nil
        tell(ending)
      }
    }
  }

  private func finish(_ ending: Ending) throws(StoringError) {
    let entry = queue[ending.entry.id] ?? ending.entry
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
      entries: queue[entry.bot], at: clock.now())
  }

  private func tell(_ ending: Ending) {
    sending.isSuspected = true
    let reason = ending.summary.reason.map { ": \($0)" } ?? ""
    // Nobody canceled what only ended with its watcher, or by somebody's signal.
    let isInterrupted =
      ending.sequel != .nothing && ending.summary.outcome == .canceled && !ending.summary.wasClosed
    say(
      "\(ending.entry.name): \(isInterrupted ? "interrupted, and queued again" : ending.summary.toldOutcome + reason)")
    // What is done again counts by what becomes of it then, unless that is left to the next watcher.
    if ending.sequel == .nothing || isStopping {
      // An integration that was cut off was not canceled by a person.
      let outcome = ending.sequel == .again ? .internalError : ending.summary.outcome
      worst = max(worst, outcome.exitCode)
    }
    if ending.handed == nil { noteBuild(ending.entry) }
    if let number = ending.entry.number {
      tasks.change.integrations[ending.entry.bot, default: []].insert(number)
    }
    let name = ending.entry.bot
    if let bot = registry.bots[name] { removeExpired(of: bot) } else if isRemoved(name) { removeWorkspaces(of: name) }
  }

  /// Asks a child to end, once, because its integration was canceled.
  func cancelChild(of entry: QueueEntry) {
    guard let child = begun.child(entry.id), !child.isCanceled, !child.isClosing else { return }
    child.isCanceled = true
    child.running.terminate()
    child.killTime = clock.seconds() + options.patience
  }

  /// Reads the queue at startup, and finds the integrations that a dead watcher was running.
  func recover() throws(StoringError) {
    let entries = try store.openEntries()
    queue.read(entries)
    try recoverHanded()
    for entry in entries {
      guard entry.state == .running else { continue }
      if let machine = begun[entry.id]?.machine {
        say("\(entry.name): is followed on \(machine).")
        continue
      }
      say("\(entry.name): was cut off when the watcher ended.")
      begun[entry.id] = .lost(
        .canceled, because: entry.cancelReason ?? "The watcher ended while this integration ran.")
    }
  }
}
