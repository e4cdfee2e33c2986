import Git
import Model
import Processes
import Scheduling
import Storing
import Watching

extension Watcher {
  /// The most repositories to read before other work gets a turn.
  private static let mostReadings = 8

  /// Reads the repositories that are due, and makes decisions.
  func lookAtRepositories() {
    guard !isStopping else { return }
    for _ in 0..<Self.mostReadings {
      guard let repository = watch.nextDue(now: clock.seconds()) else { return }
      look(at: repository)
    }
  }

  private func look(at repository: String) {
    let bots = bots(of: repository)
    keepingStore("decide about \(shown(repository))", repository: repository) {
      guard let reading = try read(repository, bots), reading.isNew else { return }
      var failure: GitError?
      for bot in bots {
        // The commits that one bot asks for may be damaged while those of others are intact.
        do { _ = try decide(bot, reading.tips) } catch let error as GitError { failure = failure ?? error }
      }
      if let failure { throw failure }
      watch.settle(repository, reading.tips)
      guard problems.repositories[repository]?.isDamaged == true else { return }
      // Read without mistrust, it is watched again from now on.
      problems.repositories[repository]?.isDamaged = false
      _ = try read(repository, bots)
    }
  }

  /// Reports that a repository is usable again.
  private func welcome(_ repository: String) {
    problems.repositories[repository] = nil
    tasks.change.bots.formUnion(bots(of: repository).map(\.name))
    say("\(shown(repository)) is watched again.")
  }

  /// Schedules a later retry for a repository whose commits cannot be read, without holding up anything else.
  func mistrust(_ repository: String, _ error: GitError) {
    watch.mistrust(repository, because: error.description)
    note(error.description, about: repository)
    problems.repositories[repository]?.isDamaged = true
    worst = max(worst, Outcome.checkoutError.exitCode)
  }

  /// Reads a repository; returns nil if it cannot be read now.
  func read(_ repository: String, _ bots: [Bot]) throws -> RepositoryWatch.Reading? {
    if mirrors.isAwaited(repository) { return nil }
    let reading: RepositoryWatch.Reading
    do throws(GitError) {
      reading = try watch.read(
        repository, withTags: bots.contains { !$0.tags.isEmpty },
        withChangeRequests: bots.contains(where: \.asksForChangeRequests),
        // Every fetch of a mirror is told, and a forge may have more change requests than folders can be watched.
        watchesChangeRequests: mirrors.all[repository] == nil)
    } catch {
      note(words(of: error, about: repository), about: repository)
      worst = max(worst, Outcome.checkoutError.exitCode)
      return nil
    }
    // A damaged repository keeps its problem and is polled until it can be decided, whatever else reads it in the
    // meantime.
    if let problem = problems.repositories[repository], problem.isDamaged {
      watch.mistrust(repository, because: problem.words)
      return reading
    }
    if case .polled(let why) = watch.condition(of: repository) {
      note("It is looked at every 30 s: \(why)", about: repository)
    } else if problems.repositories[repository] != nil {
      welcome(repository)
    }
    return reading
  }

  /// Decides what a repository's commits mean for a bot, and records it; returns the sighting as it is afterward.
  func decide(_ bot: Bot, _ tips: Tips) throws -> Sighting {
    let reader = SightingReader(bot: bot, tips: tips)
    var sighting = try reader.read(&store)
    try apply(CommitDecision(bot).decide(sighting, at: clock.now()))
    if bot.trust == .members, !sighting.strange.isEmpty, problems.strangeBots.insert(bot.name).inserted {
      say(
        "\(bot.name): pull requests of commits that no branch of \(bot.shownRepository) holds are not integrated. With 'trust: all' in the bot's file they are, contained and without secrets."
      )
    }
    if problems.packages[bot.name] != nil { notePackage(of: bot, isTold: !queue[bot.name].isEmpty) }
    sighting.entries = queue[bot.name]
    return sighting
  }

  /// Records a decision and applies its immediate consequences.
  @discardableResult
  func apply(_ decision: Decision) throws(StoringError) -> [QueueEntry.ID] {
    guard !decision.changes.isEmpty else { return [] }
    let queued = try store.apply(decision, isAnnounced: registry.bots[decision.bot]?.status != nil)
    noteSuccess()
    try refresh(decision.bot)
    return queued
  }

  /// Rereads a bot's waiting and running entries.
  func refresh(_ bot: String) throws(StoringError) {
    queue[bot] = try store.openEntries(of: bot)
    tasks.change.queue = true
    tasks.change.bots.insert(bot)
    if registry.bots[bot]?.status != nil { sending.statusTime = clock.seconds() }
    for entry in queue[bot] where entry.state == .running && entry.cancelReason != nil { cancelChild(of: entry) }
  }

  private func words(of error: GitError, about repository: String) -> String {
    // A mirror is Martlet's own, and nobody can bring it back.
    guard watch.isGone(repository), bots(of: repository).allSatisfy({ $0.remote == nil }) else {
      return error.description
    }
    return "There is no \(repository) any more. Bring it back, or let the bot's file name another repository."
  }

  private func note(_ words: String, about repository: String) {
    let address = shown(repository)
    // The location of Martlet's mirror is an internal detail.
    let trouble = address == repository ? words : words.replacing(repository, with: address)
    guard problems.repositories[repository]?.words != trouble else { return }
    say("\(address): \(trouble)")
    problems.repositories[repository, default: Problems.OfRepository(words: trouble)].words = trouble
    tasks.change.bots.formUnion(bots(of: repository).map(\.name))
  }
}
