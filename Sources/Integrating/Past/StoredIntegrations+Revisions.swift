import Git
import Model

extension StoredIntegrations {
  /// The newest finished integration of each of two revisions of a repository.
  ///
  /// Integrations that say something about the code come before others, and those of one bot that has both before those
  /// of two. Uncommitted changes are of no commit, so an integration with some is never taken.
  /// - Throws: when a revision is unknown, or no integration of it is kept; it then says how to make one.
  package func integrations(of revisions: (String, String), inRepositoryAt path: String) throws(IntegratingError)
    -> (StoredIntegration, StoredIntegration)
  {
    let commits: [(revision: String, id: CommitID)]
    let owner: String
    do throws(GitError) {
      let repository = try Repository(at: path)
      owner = repository.commonPath
      commits = [
        (revisions.0, try repository.resolve(revisions.0)), (revisions.1, try repository.resolve(revisions.1)),
      ]
    } catch {
      throw IntegratingError(error)
    }
    let found = bots(forRepositoryAt: owner).map { bot in
      commits.map { newest(of: $0.id, by: bot).map { (bot: bot, entry: $0) } }
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
    bots.filter { bot in
      home.integrations(of: bot).read("repository").map { String(decoding: $0, as: UTF8.self) } == "\(commonPath)\n"
    }
  }

  private func newest(of commit: CommitID, by bot: String) -> Ledger.Entry? {
    let kept = Set(numbers(of: bot))
    let entries = Ledger(in: home.integrations(of: bot)).entries().filter { entry in
      entry.commit == commit && !entry.isDirty && kept.contains(entry.number)
    }
    return entries.last { $0.outcome.isConclusive } ?? entries.last
  }

  private func missing(_ revision: String, _ commit: CommitID, _ path: String) -> IntegratingError {
    IntegratingError(
      .request,
      "no integration of \(revision) (commit \(commit.short)) is kept in \(self.path). Make one with: martlet run '\(path)' --commit \(commit.short)"
    )
  }
}
