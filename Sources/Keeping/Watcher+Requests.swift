import Git
import Model
import Processes
import Scheduling
import Storing
import Watching

/// A client that waits for integrations to end.
struct Waiter {
  var connection: ControlSocket.Connection
  var entries: [QueueEntry.ID]
  /// Whether the client wants progress reports.
  var isTold = false
  /// The last report about each entry.
  var told: [QueueEntry.ID: ControlAnswer] = [:]
}

extension Watcher {
  /// - Parameter isFetched: Whether the request waited until the repository was fetched.
  func serve(
    _ request: Result<ControlRequest, KeepingError>, on connection: ControlSocket.Connection, isFetched: Bool = false
  ) {
    do {
      let request = try request.get()
      if let answer = try answer(request, connection, isFetched: isFetched) { control.answer(connection, answer) }
    } catch let error as KeepingError {
      control.answer(connection, ControlAnswer(refusal: error))
    } catch let error as GitError {
      control.answer(connection, ControlAnswer(refusal: KeepingError(.request, error.description)))
    } catch {
      control.answer(connection, ControlAnswer(refusal: KeepingError(.service, "\(error)")))
    }
  }

  /// - Returns: Nil if the answer follows later.
  private func answer(
    _ request: ControlRequest, _ connection: ControlSocket.Connection, isFetched: Bool
  ) throws -> ControlAnswer? {
    switch request.verb {
    case .notify: return try notify(request)
    case .status: return ControlAnswer(status: try status())
    case .pin, .unpin:
      let (bot, number) = try integration(request)
      guard try store.pin(number, of: bot, request.verb == .pin) else { throw unknown(bot, number) }
      try home.writePins(try store.pinned(of: bot), of: bot)
      return ControlAnswer(
        message: "\(bot) \(number) is \(request.verb == .pin ? "kept for good" : "kept as others are").")
    case .cancel: return try cancel(request)
    case .integrate, .rerun:
      if isStopping { throw KeepingError(.service, "The watcher is stopping. Ask the next one.") }
      // A person who has just saved a bot's file expects the new version to be used.
      reload()
      if request.verb == .integrate, !isFetched {
        let bot = try known(request.bot ?? "")
        if needsFetch(bot, for: request.commit) {
          mirrors.add(Mirrors.Waiter(connection: connection, request: request), to: bot.repository)
          return nil
        }
      }
      let entries = request.verb == .rerun ? try rerun(request) : try integrate(request)
      if request.waits == true {
        waiters.append(Waiter(connection: connection, entries: entries, isTold: request.isTold == true))
        return nil
      }
      return ControlAnswer(items: try items(entries))
    }
  }

  private func notify(_ request: ControlRequest) throws(KeepingError) -> ControlAnswer {
    let path = request.repository ?? ""
    guard fetchSoon(path, of: request.bot) || watch.takeWord(of: path, now: clock.seconds()) else {
      throw KeepingError(.request, "No bot integrates \(path). 'martlet bots' lists what they integrate.")
    }
    return ControlAnswer(message: "Noted.")
  }

  private func cancel(_ request: ControlRequest) throws -> ControlAnswer {
    if let bot = request.bot, request.number == nil { return try cancelWaiting(bot) }
    let (bot, number) = try integration(request)
    guard let line = try store.integration(number, of: bot) else {
      guard number <= home.highestNumber(of: bot) else { throw unknown(bot, number) }
      throw KeepingError(.request, "Integration \(number) of \(bot) is over, or runs without the watcher.")
    }
    guard line.entry.state == .running, try store.cancel(line.entry.id, reason: "A person canceled it.") else {
      throw KeepingError(
        .request, "Integration \(number) of \(bot) is over: \(line.summary?.toldOutcome ?? "finished").")
    }
    try refresh(bot)
    return ControlAnswer(message: "\(bot) \(number) is being canceled.")
  }

  /// Removes a bot's waiting entries from the queue; running ones continue.
  private func cancelWaiting(_ bot: String) throws -> ControlAnswer {
    let waiting = queue[bot].filter { $0.state == .pending }
    guard !waiting.isEmpty else {
      // A bot without a file may still have waiting entries, but having none means that it is unknown.
      if !registry.names.contains(bot) { throw unknown(bot) }
      throw KeepingError(
        .request, "Nothing is waiting for \(bot). Cancel a running integration by its number, BOT/NUMBER.")
    }
    for entry in waiting { _ = try store.cancel(entry.id, reason: "A person canceled it.") }
    try refresh(bot)
    let what = CountText.counted(waiting.count, "waiting integration")
    return ControlAnswer(message: "\(what) of \(bot) canceled.")
  }

  private func rerun(_ request: ControlRequest) throws -> [QueueEntry.ID] {
    let (bot, number) = try integration(request)
    guard let line = try store.integration(number, of: bot) else { throw unknown(bot, number) }
    let known = try known(bot)
    var assignment = Assignment.again(line.entry, because: .rerun, at: clock.now())
    // What a lost database knew of change requests is in no document.
    if assignment.ref == nil { assignment.ref = try changeRequest(with: assignment.commit, known, tips(of: known)) }
    return try apply(Decision(bot: bot, changes: [.queue(assignment)]))
  }

  private func tips(of bot: Bot) throws -> Tips {
    if let reading = try read(bot.repository, bots(of: bot.repository)) { return reading.tips }
    throw KeepingError(
      .request, problems.repositories[bot.repository]?.words ?? "\(bot.shownRepository) cannot be read.")
  }

  private func integrate(_ request: ControlRequest) throws -> [QueueEntry.ID] {
    let bot = try known(request.bot ?? "")
    let tips = try tips(of: bot)
    let sighting = try decide(bot, tips)
    guard let revision = request.commit else {
      var decision = CommitDecision(bot).integrateTips(sighting, because: .person, at: clock.now())
      let running = decision.takeRunning(among: queue[bot.name], since: registry.times[bot.name])
      let queued = running + (try apply(decision))
      guard !queued.isEmpty else {
        throw KeepingError(
          .request,
          "There is no branch to integrate for \(bot.name): none in \(bot.shownRepository) is one that it asks for.")
      }
      return queued
    }
    let commit = try Repository(at: bot.repository).resolve(revision)
    let named = [RefName(branch: revision), RefName(rawValue: revision)].first { tips.refs[$0] == commit }
    var ref = named ?? tips.refs.filter { $0.value == commit && $0.key.branch != nil }.keys.min()
    if ref == nil { ref = try changeRequest(with: commit, bot, tips) }
    let assignment = Assignment(bot: bot.name, ref: ref, commit: commit, cause: .person, queuedAt: clock.now())
    var decision = Decision(bot: bot.name, changes: [.queue(assignment)])
    return decision.takeRunning(among: queue[bot.name], since: registry.times[bot.name]) + (try apply(decision))
  }

  /// Returns the change request that contains a commit, if no branch or tag does: naming the commit itself does not
  /// vouch for it.
  private func changeRequest(with commit: CommitID, _ bot: Bot, _ tips: Tips) throws -> RefName? {
    let requests = tips.refs.filter(\.key.isChangeRequest)
    guard bot.asksForChangeRequests || !requests.isEmpty, !bot.owns(commit) else { return nil }
    let repository = try Repository(at: bot.repository)
    if let found = requests.keys.sorted().first(where: { name in
      requests[name].map { repository.reaches(commit, from: $0) } ?? false
    }) {
      return found
    }
    throw KeepingError(
      .request,
      "No branch, tag or pull request of \(bot.shownRepository) holds \(commit.short), so that anybody may have written it. Push it to a branch first."
    )
  }

  /// Returns a bot that a person wants to integrate. What the person wrote last counts: an earlier version of the file is
  /// good for commits that come by themselves only.
  private func known(_ name: String) throws(KeepingError) -> Bot {
    if let fault = registry.faults[name] { throw KeepingError(.request, fault) }
    if let bot = registry.bots[name] { return bot }
    throw unknown(name)
  }

  private func unknown(_ name: String) -> KeepingError {
    let names = registry.bots.keys.sorted()
    let list = names.isEmpty ? "There are no bots." : "There are: \(names.prefix(20).joined(separator: ", "))."
    return KeepingError(.unknownBot, "There is no bot '\(name)'. \(list)")
  }

  private func integration(_ request: ControlRequest) throws(KeepingError) -> (bot: String, number: Int) {
    guard let bot = request.bot, let number = request.number else {
      throw KeepingError(.request, "The request names no integration. Say BOT/NUMBER.")
    }
    return (bot, number)
  }

  private func unknown(_ bot: String, _ number: Int) -> KeepingError {
    let isKept = number > 0 && number <= home.highestNumber(of: bot)
    return KeepingError(
      .request,
      isKept
        ? "The watcher does not know \(bot) \(number): it was removed, or made by 'martlet run'."
        : "There is no integration \(number) of '\(bot)'. See 'martlet status'.")
  }

  /// Answers the clients that waited for integrations that are now over.
  func answerWaiters() {
    waiters.removeAll { !control.isOpen($0.connection) }
    guard !waiters.isEmpty else { return }
    for index in waiters.indices where waiters[index].isTold { tellNews(to: index) }
    waiters.removeAll { waiter in
      guard waiter.entries.allSatisfy({ queue[$0] == nil }) else { return false }
      do {
        control.answer(waiter.connection, ControlAnswer(items: try items(waiter.entries)))
      } catch {
        control.answer(waiter.connection, ControlAnswer(refusal: KeepingError(.service, "\(error)")))
      }
      return true
    }
  }

  /// Reports changes to a waiting client.
  private func tellNews(to index: Int) {
    for id in waiters[index].entries {
      guard let entry = queue[id] else { continue }
      let news =
        entry.state == .running
        ? ControlAnswer(news: entry.name, of: begun.child(id)?.step ?? .pending)
        : ControlAnswer(news: queue.namedWait(of: entry))
      guard waiters[index].told[id] != news else { continue }
      waiters[index].told[id] = news
      control.tell(waiters[index].connection, news)
    }
  }

  private func items(_ ids: [QueueEntry.ID]) throws(StoringError) -> [ControlAnswer.Item] {
    try ids.map { id throws(StoringError) in try store.entry(id).map(ControlAnswer.Item.init) }.compactMap(\.self)
  }
}

extension ControlAnswer.Item {
  fileprivate init(_ line: HistoryEntry) {
    self.init(
      entry: line.entry.id, bot: line.entry.bot, number: line.entry.number, ref: line.entry.ref?.description,
      commit: line.entry.commit.rawValue, state: line.entry.state.rawValue, outcome: line.summary?.outcome.rawValue,
      reason: line.summary?.reason ?? line.entry.reason, redTests: line.summary?.tests.red,
      toldOutcome: line.summary?.toldOutcome)
  }
}
