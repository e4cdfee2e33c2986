import Git
import Model

/// Finds the integration that coverage is compared with: the nearest earlier one with complete coverage.
struct EarlierSearch {
  /// How far a history is walked, in strides, because the nearest integration is nearly always close.
  private static let strides = [100, 10_000, 100_000]

  /// The comparable integrations, oldest first.
  private let entries: [IndexedIntegration]
  private let integrations: MeasuredIntegrations
  private let commit: CommitID
  private let includesWorkingTree: Bool

  /// - Parameters:
  ///   - commit: what is integrated now; it is no earlier one than itself, unless with uncommitted changes.
  ///   - scope: what must be equal for two integrations to be comparable.
  init(
    _ past: [IndexedIntegration], _ integrations: MeasuredIntegrations, before commit: CommitID,
    includesWorkingTree: Bool = false, scope: String
  ) {
    entries = past.filter { $0.isComparable(in: scope) }
    self.integrations = integrations
    self.commit = commit
    self.includesWorkingTree = includesWorkingTree
  }

  /// The last one of a branch, wherever the branch has moved to; else that of the nearest ancestor. So it is for a bot.
  func last(on branch: String?, in repository: borrowing Repository) -> EarlierCoverage {
    var notes = Notes()
    if let branch, let found = lastPresent(on: branch, in: repository, &notes) {
      return EarlierCoverage(nearest: .measured(found), gone: notes.gone)
    }
    return EarlierCoverage(nearest: nearestAncestor(in: repository, notes.doubt), gone: notes.gone)
  }

  /// That of the nearest ancestor; else the last one of a branch that is known and of no later commit.
  func nearest(elseOn branch: String?, in repository: borrowing Repository) -> EarlierCoverage {
    let nearest = nearestAncestor(in: repository, nil)
    guard case .nothing = nearest, let branch else { return EarlierCoverage(nearest: nearest) }
    var notes = Notes()
    let found = lastPresent(on: branch, in: repository, &notes, unless: { repository.reaches(commit, from: $0) })
    return EarlierCoverage(nearest: nearest, aside: found, goneAside: notes.gone)
  }

  /// What came up in a search.
  private struct Notes {
    /// Why one is not known to be the one.
    var doubt: String?
    var gone: MeasuredIntegration?
  }

  /// The last one of a branch whose commit the repository has.
  private func lastPresent(
    on branch: String, in repository: borrowing Repository, _ notes: inout Notes,
    unless isLeftOut: (CommitID) -> Bool = { _ in false }
  ) -> MeasuredIntegration? {
    for entry in past(of: branch) where !isLeftOut(entry.commit) {
      let absence = repository.absence(of: entry.commit)
      // What lies behind one that is gone already is not asked for.
      if absence == .gone, notes.gone != nil { continue }
      guard let found = firstMeasured(CollectionOfOne(entry), &notes.doubt) else { continue }
      switch absence {
      case nil: return found
      case .gone: notes.gone = found
      case .leftOut:
        notes.doubt = notes.doubt ?? absence?.sentence(about: entry.commit, of: "integration \(entry.number)")
      }
    }
    return nil
  }

  /// The integrations of a branch, newest first, as its commits came: a rerun stands where the commit was integrated
  /// first, so that nothing is compared with a newer commit, or with an old one that was only looked at again.
  private func past(of branch: String) -> [IndexedIntegration] {
    var commits: [CommitID] = []
    var integrated: [CommitID: [IndexedIntegration]] = [:]
    for entry in entries where entry.branch == branch {
      if integrated[entry.commit] == nil { commits.append(entry.commit) }
      integrated[entry.commit, default: []].append(entry)
    }
    let past = includesWorkingTree ? commits[...] : commits.prefix { $0 != commit }
    return past.reversed().flatMap { (integrated[$0] ?? []).reversed() }
  }

  private func nearestAncestor(in repository: borrowing Repository, _ doubt: String?) -> EarlierCoverage.Nearest {
    do throws(GitError) {
      return try firstAncestor(in: repository, doubt)
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// - Parameter doubt: why one of the branch is not known to be the one.
  private func firstAncestor(in repository: borrowing Repository, _ doubt: String?) throws(GitError)
    -> EarlierCoverage.Nearest
  {
    var doubt = doubt
    var left = Dictionary(grouping: entries, by: \.commit)
    if !includesWorkingTree { left[commit] = nil }
    var (farthest, mayBeFarther): (IndexedIntegration?, Bool) = (nil, true)
    var end: String?
    for limit in Self.strides where !left.isEmpty {
      let history = try repository.ancestors(of: commit, limit: limit)
      for id in history {
        guard let integrated = left.removeValue(forKey: id) else { continue }
        if let found = firstMeasured(integrated.reversed(), &doubt) { return .measured(found) }
        // A green integration was asked for no coverage, or for no gate.
        mayBeFarther = mayBeFarther && !integrated.contains(where: \.outcome.isGreen)
        if mayBeFarther { farthest = integrated.first }
      }
      end = try self.end(of: history, limit: limit, in: repository)
      if history.count < limit { break }
    }
    if let doubt { return .unknown(reason: doubt) }
    if let end, left.values.joined().contains(where: integrations.mayBeMeasured) { return .unknown(reason: end) }
    return .nothing(farthest: farthest)
  }

  /// Reads the first one with complete coverage; notes why the first one is not known to have it.
  private func firstMeasured(_ entries: some Sequence<IndexedIntegration>, _ doubt: inout String?)
    -> MeasuredIntegration?
  {
    for entry in entries {
      switch integrations.sight(of: entry) {
      case .measured(let integration): return integration
      case .unmeasured: continue
      case .unknown(let reason): doubt = doubt ?? reason
      }
    }
    return nil
  }

  /// Why there is more history than was walked; nil when that was all of it.
  private func end(of history: [CommitID], limit: Int, in repository: borrowing Repository) throws(GitError)
    -> String?
  {
    if history.count >= limit {
      return "None of the last \(limit) commits has complete coverage; older ones were not checked."
    }
    guard let last = history.last, case .leftOut = try repository.firstParent(of: last) else { return nil }
    return "The repository is a shallow clone whose history ends before any commit that was integrated with complete "
      + "coverage, so nobody can tell what to compare with. Fetch more of it, as with `git fetch --unshallow`."
  }
}
