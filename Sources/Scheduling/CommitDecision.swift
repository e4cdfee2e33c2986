package import FoundationEssentials
package import Model

/// A bot's decisions about the commits of its repository.
///
/// Decisions are pure and idempotent: repeated with their results applied, they change nothing. So it does not matter
/// how often, or in which way, a change of the repository is reported.
package struct CommitDecision: Sendable {
  let bot: Bot
  private let branches: [Glob]
  private let changeRequests: [Glob]
  private let tags: [Glob]
  private let filter: CommitFilter

  package init(_ bot: Bot) {
    self.bot = bot
    branches = bot.branches.filter { !RefName.isForChangeRequests($0) }.map { Glob($0) }
    changeRequests = bot.trust == .none ? [] : bot.branches.filter(RefName.isForChangeRequests).map { Glob($0) }
    tags = bot.tags.map { Glob($0) }
    filter = CommitFilter(bot)
  }

  /// Returns whether the bot watches a ref. Without branch globs, it watches the branch that HEAD points to.
  package func selects(_ ref: RefName, head: RefName?) -> Bool {
    if let tag = ref.tag { return tags.contains { $0.matches(tag) } }
    guard let branch = ref.branch else {
      return ref.isChangeRequest && changeRequests.contains { $0.matches(ref.rawValue) }
    }
    return bot.branches.isEmpty ? ref == head : branches.contains { $0.matches(branch) }
  }

  /// Returns the selected refs that have moved, sorted by name; a decision needs their histories.
  package func moves(from seen: [RefName: CommitID]?, to tips: Tips) -> [RefMove] {
    let asked = tagsAsked(seen, tips)
    return tips.refs.filter { seen?[$0.key] != $0.value && selects($0.key, head: tips.head) }
      .map { ref, new -> RefMove in
        var move = RefMove(ref: ref, old: seen?[ref], new: new)
        if ref.isChangeRequest {
          move.isOld = seen?[.changeRequestsSeen] == nil
        } else if let tag = ref.tag, move.old == nil {
          move.isOld = !asked.contains { $0.matches(tag) }
        }
        return move
      }.sorted { $0.ref < $1.ref }
  }

  /// Returns the tags that the bot asked for when it was last decided about.
  private func tagsAsked(_ seen: [RefName: CommitID]?, _ tips: Tips) -> [Glob] {
    guard let asked = seen?[.tagsAsked] else { return [] }
    guard asked == .tagsNotKnown else { return asked.rawValue.split(separator: "\n").map { Glob(String($0)) } }
    // A single tag is the first one. Several are rather those that were there before the bot asked for them.
    return tips.refs.keys.count { $0.tag != nil && selects($0, head: nil) } == 1 ? tags : []
  }

  /// The tags that are asked for now, as they are remembered; none if they are not integrated when they come.
  private var rememberedTags: CommitID {
    CommitID(rawValue: bot.schedule.on == .commit ? bot.tags.joined(separator: "\n") : "")
  }

  /// Returns the changes that follow from a sighting of the repository.
  ///
  /// On the first sighting, a bot integrates the newest commit of each branch, without any history or tags, and follows
  /// only those change requests that move later. What it asks for later is treated likewise. A bot that does not
  /// integrate on commit queues nothing here, but entries of deleted refs are still dropped.
  package func decide(_ sighting: Sighting, at now: Date) -> Decision {
    var changes: [QueueChange] = sighting.seen == nil ? [.sighted] : []
    for ref in (sighting.seen ?? [:]).keys.sorted() where !isWatched(ref, sighting.tips) {
      changes += forgetting(ref, sighting)
    }
    for move in moves(from: sighting.seen, to: sighting.tips) where bot.schedule.on == .commit {
      if !move.isOld { changes += following(move, sighting, now) }
      changes.append(.remember(move.ref, move.new))
    }
    if bot.asksForChangeRequests, sighting.seen?[.changeRequestsSeen] == nil {
      changes.append(.remember(.changeRequestsSeen, CommitID(rawValue: "")))
    }
    if !bot.tags.isEmpty, sighting.seen?[.tagsAsked] != rememberedTags {
      changes.append(.remember(.tagsAsked, rememberedTags))
    }
    return Decision(bot: bot.name, changes: changes)
  }

  /// Returns the reason a change request is skipped or removed from the queue; nil if it is integrated.
  ///
  /// - Parameter isOnBranch: whether a branch or tag of the repository holds its commit.
  package func refusal(of ref: RefName, isOnBranch: Bool) -> String? {
    switch bot.trust {
    case .none: "“\(ref)” is a pull request; the bot's file says 'trust: none'."
    case .members where !isOnBranch:
      "No branch of the repository holds this commit of “\(ref)”, so that anybody may have written it. With 'trust: all' it is integrated, contained."
    case .members, .all: nil
    }
  }

  private func isWatched(_ ref: RefName, _ tips: Tips) -> Bool {
    if ref == .changeRequestsSeen { return bot.asksForChangeRequests }
    if ref == .tagsAsked { return !bot.tags.isEmpty }
    return tips.refs[ref] != nil && selects(ref, head: tips.head)
  }

  /// Drops the entries waiting for a deleted ref, except those requested by a person.
  private func forgetting(_ ref: RefName, _ sighting: Sighting) -> [QueueChange] {
    let reason =
      sighting.tips.refs[ref] == nil
      ? "The \(kind(of: ref)) “\(ref)” was deleted before its turn came."
      : "The bot no longer asks for the \(kind(of: ref)) “\(ref)”."
    return sighting.waiting(for: ref, causes: [.commit, .schedule, .toolchain]).map {
      .supersede($0.id, reason: reason)
    } + [.forget(ref)]
  }

  private func following(_ move: RefMove, _ sighting: Sighting, _ now: Date) -> [QueueChange] {
    if sighting.strange.contains(move.ref), let reason = refusal(of: move.ref, isOnBranch: false) {
      return [.skip(assignment(move.ref, [move.new], now), reason: reason)]
    }
    let lost = sighting.lost(for: move.ref)
    let isHeld: (CommitID) -> Bool = { sighting.reached[move.ref]?.contains($0) ?? true }
    let waiting = sighting.waiting(for: move.ref, causes: [.commit]).filter { isHeld($0.commit) }
    let kept = lost.flatMap(\.covered).filter(isHeld)
    let reason = "The \(kind(of: move.ref)) “\(move.ref)” was rewritten and no longer holds this commit."
    var changes: [QueueChange] = lost.map { .supersede($0.id, reason: reason) }
    let history = sighting.histories[move.ref] ?? .tip(NewCommit(id: move.new))
    // A tag stands for one commit, not for those on the way to it.
    let policy = move.ref.tag == nil ? bot.commits : .latest
    let fresh = policy == .every ? history.steps : history.commits
    var known = sighting.covered[move.ref] ?? []
    // The ref stood at another commit in between, even if it was at this one before.
    if sighting.reached[move.ref] != nil { known.remove(move.new) }
    var counting: [NewCommit] = []
    for commit in fresh where !known.contains(commit.id) {
      guard let reason = self.reason(toPassOver: commit, in: history) else {
        counting.append(commit)
        continue
      }
      changes.append(.skip(assignment(move.ref, [commit.id], now), reason: reason))
      // What led to a commit that needs no integration needs none.
      if case .rewritten = history, commit.id == move.new { return changes }
    }
    let commits = unique(counting.map(\.id) + kept)
    guard !commits.isEmpty else { return changes }
    switch policy {
    case .every: return changes + commits.reversed().map { .queue(assignment(move.ref, [$0], now)) }
    case .latest:
      let newest = head(of: counting, in: fresh, or: kept.first ?? move.new)
      return changes + merging(unique([newest] + commits), into: waiting, move.ref, sighting, now, isHeld)
    }
  }

  private func reason(toPassOver commit: NewCommit, in history: MoveHistory) -> String? {
    switch history {
    // Its message does not speak of what the ref has lost.
    case .rewritten(let commits) where commit.id == commits.first?.id: filter.reason(toPassOver: commit.paths)
    case .advanced, .rewritten: filter.reason(toPassOver: commit, isFirst: false)
    case .tip: filter.reason(toPassOver: commit, isFirst: true)
    }
  }

  private func kind(of ref: RefName) -> String {
    ref.isChangeRequest ? "pull request" : ref.tag == nil ? "branch" : "tag"
  }

  /// Merges commits so that at most one entry waits for those of a ref.
  private func merging(
    _ commits: [CommitID], into waiting: [QueueEntry], _ ref: RefName, _ sighting: Sighting, _ now: Date,
    _ isHeld: (CommitID) -> Bool
  ) -> [QueueChange] {
    var changes: [QueueChange] = []
    var covered = commits + waiting.reversed().flatMap(\.covered)
    if bot.cancelSuperseded {
      let running = sighting.entries(for: ref).filter { $0.state == .running && $0.cause == .commit }
      covered += running.flatMap(\.covered).filter(isHeld)
      changes += running.filter { $0.cancelReason == nil }.map {
        .cancel($0.id, reason: "A newer commit of “\(ref)”, \(commits[0].short), takes its place.")
      }
    }
    changes += waiting.dropFirst().map {
      .supersede($0.id, reason: "The integration of \(commits[0].short) on “\(ref)” covers this commit.")
    }
    if let first = waiting.first {
      changes.append(.extend(first.id, commit: commits[0], covered: unique(covered)))
    } else {
      changes.append(.queue(assignment(ref, unique(covered), now)))
    }
    return changes
  }

  /// Returns the newest counting commit if it contains the others, otherwise the newest of all commits, which joins
  /// them.
  private func head(of counting: [NewCommit], in fresh: [NewCommit], or fallback: CommitID) -> CommitID {
    guard let first = counting.first, let newest = fresh.first else { return fallback }
    var reached: Set<CommitID> = [first.id]
    for commit in fresh where reached.contains(commit.id) { reached.formUnion(commit.parents) }
    return counting.allSatisfy { reached.contains($0.id) } ? first.id : newest.id
  }

  func assignment(_ ref: RefName, _ commits: [CommitID], _ now: Date, cause: Cause = .commit) -> Assignment {
    Assignment(
      bot: bot.name, ref: ref, commit: commits[0], covered: commits, cause: cause, queuedAt: now)
  }
}

/// Returns the commits without duplicates, in order.
func unique(_ commits: [CommitID]) -> [CommitID] {
  var met: Set<CommitID> = []
  return commits.filter { met.insert($0).inserted }
}

extension CommitDecision {
  /// Returns the changes for integrating the current tips of a bot's branches: at a periodic time, for a person, or
  /// because the toolchain changed.
  ///
  /// Call this after the result of `decide` for the same sighting has been recorded, with the entries as they are then.
  package func integrateTips(_ sighting: Sighting, because cause: Cause, at now: Date) -> Decision {
    let refs = sighting.tips.refs.keys.filter { $0.branch != nil && selects($0, head: sighting.tips.head) }
    return Decision(
      bot: bot.name,
      changes: refs.sorted().flatMap { ref in
        sighting.tips.refs[ref].map { integrate(ref, at: $0, because: cause, sighting, now) } ?? []
      })
  }

  /// Returns the changes that follow from the current toolchain. The first known toolchain is only remembered.
  /// - Parameter known: The remembered identity.
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
    // A bot that integrates on commit must still find the commits in between when it looks for them.
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
    case .person, .rerun, .idle:
      let replaced =
        bot.commits == .latest
        ? sighting.waiting(for: ref, causes: [.commit, .schedule])
        : sighting.waiting(for: ref, causes: [.commit, .schedule]).filter { $0.commit == tip }
      let all = unique(covered + replaced.flatMap(\.covered))
      return replaced.map { .supersede($0.id, reason: "A person asked to have “\(ref)” integrated now.") }
        + [.queue(assignment(ref, all, now, cause: cause))] + memory
    }
  }

  /// Returns the changes to the queue when a bot's file is gone: what runs is ended, and waits again.
  ///
  /// Waiting entries stay: the file may come back, and their commits count as seen.
  package static func removing(_ bot: String, entries: [QueueEntry]) -> Decision {
    let running = entries.filter { $0.bot == bot && $0.state == .running && $0.cancelReason == nil }
    return Decision(
      bot: bot,
      changes: running.flatMap { entry -> [QueueChange] in
        [.cancel(entry.id, reason: "The bot was removed."), .queue(entry.assignment)]
      })
  }

  /// Returns the changes after a running integration was cut off because Martlet or the machine died: its commits are
  /// queued again.
  ///
  /// If the bot integrates only the latest commit, an entry waiting for commits of the same ref takes them over.
  /// - Parameter attempt: The number of the next attempt; unchanged if the integration ended because its watcher was
  ///   told to stop.
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
    // A pause begins now; an entry that is served in turn keeps its place.
    if attempt > entry.assignment.attempt, again.calmTime != nil { again.assignment.queuedAt = now }
    return [.queue(again.assignment)]
  }

  /// Returns the changes after a bot's file was changed: commits that the old file kept from being integrated are tried
  /// again.
  ///
  /// - Parameters:
  ///   - date: The time at which the file was changed.
  ///   - history: The bot's newest integrations, newest first.
  ///   - tips: The current commits of the bot's refs.
  ///   - entries: The waiting and running entries.
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
  /// Returns an assignment for the commit of a finished integration again: because a person asked for it, or with what
  /// waited for idle time.
  package static func again(_ entry: QueueEntry, because cause: Cause, at now: Date) -> Assignment {
    Assignment(
      bot: entry.bot, ref: entry.ref, commit: entry.commit, covered: entry.covered, cause: cause, queuedAt: now)
  }
}
