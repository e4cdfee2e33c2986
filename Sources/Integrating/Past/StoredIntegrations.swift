import FoundationEssentials
import Git
import Glibc
package import Model
import Rendering

/// The finished integrations that a home keeps.
package struct StoredIntegrations: Sendable {
  let home: Home
  private let index: PastIndex

  package init(in home: Home) {
    self.home = home
    index = PastIndex(of: home)
  }

  /// Throws for a home that only somebody else can read, which would look like an empty one.
  package func requireReadable() throws(IntegratingError) {
    let folder = home.integrations.path
    guard access(folder, R_OK | X_OK) != 0, errno == EACCES else { return }
    throw IntegratingError(
      .request, "cannot read \(folder): \(SystemReason.words(of: EACCES)). Ask as the user to whom it belongs.")
  }

  /// The path of the home.
  package var path: String { home.folder.path }

  /// The bots that have at least one finished integration, sorted by name.
  package var bots: [String] {
    home.integrations.names().filter { !numbers(of: $0).isEmpty }
  }

  /// The same bots, and those whose first integration is not finished.
  package var knownBots: [String] { home.integrations.names() }

  /// Returns the numbers of a bot's finished integrations, ascending; empty if there is no such bot.
  ///
  /// An integration that is running or was interrupted has no summary document yet.
  package func numbers(of bot: String) -> [Int] {
    guard !bot.isEmpty, !bot.contains("/"), bot != ".", bot != ".." else { return [] }
    return home.integrations(of: bot).numbers
      .filter { home.integration($0, of: bot).holds(StoredIntegration.fileName) }.sorted()
  }

  /// Returns the bot that last integrated the package around a folder, one-shot runs included; nil if none has. Where
  /// there is no package around it, that of any package of the repository.
  /// - Throws: if the folder is not in a repository.
  package func bot(forPackageAround path: String) throws(IntegratingError) -> String? {
    let package = try PackageSearch.folder(around: path)
    let owner = try answering { try Repository(at: path).commonPath }
    let all = bots(forRepositoryAt: owner)
    let known = try all.map { bot throws(IntegratingError) in
      (bot, isMine: try index.integrations(of: bot).last?.isOf(package: package) ?? true)
    }
    let mine = known.filter(\.isMine).map(\.0)
    let candidates = mine.isEmpty && package == "." ? all : mine
    guard candidates.count > 1 else { return candidates.first }
    let ends = try candidates.map { bot throws(IntegratingError) in
      (bot, try index.newest(of: bot, 1).first?.endedAt ?? .distantPast)
    }
    return ends.max { $0.1 < $1.1 }?.0
  }

  /// Whether a watcher has a bot of this name.
  package func isWatched(_ bot: String) -> Bool { home.watchState?.bots.contains { $0.name == bot } ?? false }

  /// How long a watched bot's integrations are kept; nil if that is not known.
  package func keep(of bot: String) -> Bot.Keep? { home.watchState?.bots.first { $0.name == bot }?.keep }

  /// Returns what is left of an integration that was removed; nil if it is kept, or never was.
  package func removed(_ number: Int, of bot: String) throws(IntegratingError) -> HistoryLine? {
    guard !numbers(of: bot).contains(number) else { return nil }
    return try index.newest(of: bot).first { $0.number == number }
  }

  /// Reads one finished integration.
  package func integration(_ number: Int, of bot: String) throws(IntegratingError) -> StoredIntegration {
    try StoredIntegration(in: home.integration(number, of: bot))
  }
}

extension StoredIntegrations {
  /// Returns the newest finished integration of a branch; nil if none is kept.
  package func newest(of bot: String, on branch: String) throws(IntegratingError) -> StoredIntegration? {
    let lines = try index.integrations(of: bot).keyed(by: \.number, \.branch)
    for number in numbers(of: bot).reversed() {
      if let known = lines[number], known != branch { continue }
      let stored = try integration(number, of: bot)
      if stored.document.branch == branch { return stored }
    }
    return nil
  }

  /// Returns the newest finished integration that has a map of its tests; nil if none is kept.
  package func mapped(of bot: String) throws(IntegratingError) -> StoredIntegration? {
    try numbers(of: bot).last { home.integration($0, of: bot).holds(TestMapDocument.fileName) }
      .map { number throws(IntegratingError) in try integration(number, of: bot) }
  }

  /// Returns the integration that decides the state of a bot: the newest of its default branch. Nil without a history.
  package func decisive(of bot: String) throws(IntegratingError) -> StoredIntegration? {
    let state = home.watchState?.bots.first { $0.name == bot }
    let known = home.branches(of: bot, in: state?.repository, asked: state?.branches)
    let (lines, states) = try BranchStates.read(of: known, atFirst: 100) { limit throws(IntegratingError) in
      try index.newest(of: bot, limit)
    }
    guard !lines.isEmpty else { return nil }
    let place = states.main.branch.map { " on \($0)" } ?? ""
    guard let told = states.main.told else {
      throw IntegratingError(
        .request, "\(bot) has no result\(place) yet. Name another branch with --branch, or an integration as BOT/N.")
    }
    guard numbers(of: bot).contains(told.number) else {
      throw IntegratingError(
        .request,
        "\(bot)/\(told.number), the newest result\(place), is no longer kept. Integrate the branch again, or name another with --branch."
      )
    }
    return try integration(told.number, of: bot)
  }
}

extension StoredIntegrations {
  /// Does what was left to do for an integration whose process was killed after it wrote the summary document: adds the
  /// row of the index, renames the report, which was left aside, into the site, and has the messages sent.
  ///
  /// Call this only if that process is gone. A report that could not be made stays missing.
  package func complete(_ stored: StoredIntegration) throws(IntegratingError) {
    try index.add(stored.document)
    try putReport(of: stored.document)
    try HeldMessages(of: stored.document.bot, stored.document.number, in: home).release(into: home)
  }

  private func putReport(of document: IntegrationRecord) throws(IntegratingError) {
    let site = home.site(of: document.bot)
    let place = home.report(document.number, of: document.bot)
    guard !place.exists else { return }
    for name in site.names() where name.hasPrefix(".\(document.number).") && name.hasSuffix(".new") {
      guard site.folder(name).holds(StoredIntegration.fileName) else { continue }
      do throws(IntegratingError) {
        return try site.folder(name).rename(to: place)
      } catch {
        // Another process put it there first.
        guard place.exists else { throw error }
        return
      }
    }
  }
}

extension StoredIntegrations {
  /// Returns the newest finished integration of each of two revisions of a repository.
  ///
  /// Conclusive integrations come before others, then those of the branch that a revision names, and those of one bot that
  /// has both before those of two. An integration with uncommitted changes does not belong to a commit, and is never
  /// returned.
  /// - Throws: if a revision is unknown, or if no integration of it is kept; the error then says how to make one.
  package func integrations(of revisions: (String, String), inRepositoryAt path: String) throws(IntegratingError)
    -> (StoredIntegration, StoredIntegration)
  {
    let (owner, commits): (String, [(revision: String, id: CommitID)]) = try answering {
      let repository = try Repository(at: path)
      let first = (revisions.0, try repository.resolve(revisions.0))
      return (repository.commonPath, [first, (revisions.1, try repository.resolve(revisions.1))])
    }
    let found = try bots(forRepositoryAt: owner).map { bot throws(IntegratingError) in
      try commits.map { commit throws(IntegratingError) in
        try newest(of: commit.id, named: commit.revision, by: bot).map { (bot: bot, entry: $0) }
      }
    }
    let best =
      found.first { $0[0] != nil && $0[1] != nil } ?? [
        found.lazy.compactMap { $0[0] }.first, found.lazy.compactMap { $0[1] }.first,
      ]
    var stored: [StoredIntegration] = []
    for (commit, place) in zip(commits, best) {
      guard let place else { throw missing(commit.revision, commit.id, path) }
      stored.append(try integration(place.entry.number, of: place.bot))
    }
    return (stored[0], stored[1])
  }

  private func bots(forRepositoryAt commonPath: String) -> [String] {
    bots.filter { home.repositoryPath(of: $0) == commonPath }
  }

  private func newest(
    of commit: CommitID, named revision: String, by bot: String
  ) throws(IntegratingError) -> IndexedIntegration? {
    let kept = Set(numbers(of: bot))
    let entries = try index.integrations(of: bot).filter { entry in
      entry.commit == commit && !entry.isDirty && kept.contains(entry.number)
    }
    let conclusive = entries.filter(\.outcome.isConclusive)
    let candidates = conclusive.isEmpty ? entries : conclusive
    // Two branches may be at the same commit.
    return candidates.last { $0.branch == revision } ?? candidates.last
  }

  private func missing(_ revision: String, _ commit: CommitID, _ path: String) -> IntegratingError {
    IntegratingError(
      .request,
      "no integration of \(revision) (commit \(commit.short)) is kept in \(self.path). Make one with: martlet run '\(path)' --commit \(commit.short)"
    )
  }
}
