package import FoundationEssentials
package import Model

extension CommitDecision {
  /// What follows when a bot is to integrate whatever its branches hold now: at a periodic time, for a person, or because
  /// the toolchain changed.
  ///
  /// To be made after `decide` on the same sighting was written down, with the entries as they are then.
  package func integrateTips(_ sighting: Sighting, because cause: Cause, at now: Date) -> Decision {
    let refs = sighting.tips.refs.keys.filter { $0.tag == nil && selects($0, head: sighting.tips.head) }
    return Decision(
      bot: bot.name,
      changes: refs.sorted().flatMap { ref in
        sighting.tips.refs[ref].map { integrate(ref, at: $0, because: cause, sighting, now) } ?? []
      })
  }

  /// What follows from the toolchain that a bot would be integrated with now; the first that is known of is only
  /// remembered.
  /// - Parameter known: the identity that is remembered.
  package func followToolchain(
    _ identity: String, known: String?, _ sighting: Sighting, at now: Date
  ) -> Decision {
    guard identity != known else { return Decision(bot: bot.name) }
    var decision = Decision(bot: bot.name)
    if known != nil, bot.schedule.alsoWhenToolchainChanges {
      decision = integrateTips(sighting, because: .toolchain, at: now)
    }
    decision.changes.append(.rememberToolchain(identity))
    return decision
  }

  private func integrate(
    _ ref: RefName, at tip: CommitID, because cause: Cause, _ sighting: Sighting, _ now: Date
  ) -> [QueueChange] {
    let known = sighting.covered[ref] ?? []
    let fresh = (sighting.histories[ref]?.commits ?? []).map(\.id).filter { !known.contains($0) }
    let covered = unique([tip] + fresh)
    // A bot that integrates on commit must still find the commits between when it looks for them.
    let memory: [QueueChange] = bot.schedule.on == .commit ? [] : [.remember(ref, tip)]
    switch cause {
    case .commit, .schedule:
      let waiting = sighting.waiting(for: ref, causes: [.commit, .schedule])
      if waiting.contains(where: { $0.commit == tip }) { return memory }
      if let first = waiting.first(where: { $0.cause == cause }) {
        return [.extend(first.id, commit: tip, covered: unique(covered + first.covered))] + memory
      }
      return [.queue(assignment(ref, covered, now, cause: cause))] + memory
    case .toolchain:
      if let first = sighting.waiting(for: ref, causes: [.toolchain]).first {
        return first.commit == tip ? [] : [.extend(first.id, commit: tip, covered: [tip])]
      }
      return [.queue(assignment(ref, [tip], now, cause: cause))]
    case .person, .rerun:
      let replaced =
        bot.commits == .latest
        ? sighting.waiting(for: ref, causes: [.commit, .schedule])
        : sighting.waiting(for: ref, causes: [.commit, .schedule]).filter { $0.commit == tip }
      let all = unique(covered + replaced.flatMap(\.covered))
      return replaced.map { .supersede($0.id, reason: "A person asked to have “\(ref)” integrated now.") }
        + [.queue(assignment(ref, all, now, cause: cause))] + memory
    }
  }

  /// What becomes of the queue when the bot itself is removed.
  package static func removing(_ bot: String, entries: [QueueEntry]) -> Decision {
    Decision(
      bot: bot,
      changes: entries.filter { $0.bot == bot }.compactMap { entry in
        switch entry.state {
        case .pending: .supersede(entry.id, reason: "The bot was removed.")
        case .running where entry.cancelReason == nil: .cancel(entry.id, reason: "The bot was removed.")
        default: nil
        }
      })
  }

  /// What follows when a running integration was cut off because Martlet or the machine died: its commits are queued
  /// again.
  ///
  /// Something that waits for commits of the same ref takes them over where the bot integrates only the latest.
  /// - Parameter attempt: which one the next is; the same again for one that ended because its watcher was told to stop.
  package static func afterCrash(
    of entry: QueueEntry, attempt: Int, policy: Bot.CommitPolicy, entries: [QueueEntry], at now: Date
  ) -> [QueueChange] {
    guard entry.cancelReason == nil else { return [] }
    let heir = entries.first {
      $0.state == .pending && $0.bot == entry.bot && $0.ref == entry.ref && $0.cause == .commit && $0.id != entry.id
    }
    if policy == .latest, entry.cause == .commit, let heir {
      return [.extend(heir.id, commit: heir.commit, covered: unique(heir.covered + entry.covered))]
    }
    var again = entry
    again.assignment.attempt = attempt
    // A pause begins now; what is served in its turn keeps its place.
    if attempt > entry.assignment.attempt, again.calmTime != nil { again.assignment.queuedAt = now }
    return [.queue(again.assignment)]
  }

  /// What follows when a bot's file was changed: what the old one kept from being integrated is tried again.
  ///
  /// - Parameters:
  ///   - date: when the file was changed.
  ///   - history: the bot's newest integrations, newest first.
  ///   - tips: where the bot's refs point.
  ///   - entries: what waits and runs.
  package static func afterMending(
    at date: Date, history: [HistoryEntry], tips: [RefName: CommitID], entries: [QueueEntry], now: Date
  ) -> [QueueChange] {
    var met: Set<RefName> = []
    return history.flatMap { line -> [QueueChange] in
      guard let ref = line.entry.ref, met.insert(ref).inserted, tips[ref] == line.entry.commit,
        let outcome = line.summary?.outcome, [.checkoutError, .internalError].contains(outcome),
        let started = line.entry.startedAt, started < date
      else { return [] }
      let open = entries.filter { $0.ref == ref }
      guard open.allSatisfy({ $0.state == .pending && $0.calmTime != nil }) else { return [] }
      var again = line.entry.assignment
      (again.attempt, again.queuedAt) = (1, now)
      return open.map { .supersede($0.id, reason: "The bot's file was changed, and the commit is tried at once.") }
        + [.queue(again)]
    }
  }
}

extension Assignment {
  /// The same commit of a finished integration once more, because a person asked for it.
  package static func rerun(of entry: QueueEntry, at now: Date) -> Assignment {
    Assignment(
      bot: entry.bot, ref: entry.ref, commit: entry.commit, covered: entry.covered, cause: .rerun, queuedAt: now)
  }
}

extension MoveHistory {
  /// The commits it lists, newest first.
  package var commits: [NewCommit] {
    switch self {
    case .advanced(let commits), .rewritten(let commits, _): commits
    case .tip(let commit): [commit]
    }
  }
}
