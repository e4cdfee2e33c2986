import Git
import Model

/// The integration that coverage is compared with.
enum EarlierCoverage {
  case measured(MeasuredIntegration)
  /// None has complete coverage; of those in the history that nothing green followed, the one that lies farthest back.
  case nothing(farthest: Ledger.Entry?)
  /// There may be one, but a sentence says why nobody can tell.
  case unknown(reason: String)

  var integration: MeasuredIntegration? {
    if case .measured(let integration) = self { integration } else { nil }
  }
}

/// Finds the integration that coverage is compared with: the nearest earlier one with complete coverage.
struct EarlierSearch {
  /// How far a history is walked, in strides, because the nearest integration is nearly always close.
  private static let strides = [100, 10_000, 100_000]

  /// The comparable integrations, in the order in which they ended.
  private let entries: [Ledger.Entry]
  private let integrations: MeasuredIntegrations
  private let commit: CommitID
  private let includesWorkingTree: Bool

  /// - Parameters:
  ///   - commit: what is integrated now; it is no earlier one than itself, unless with uncommitted changes.
  ///   - scope: what must be equal for two integrations to be comparable.
  init(
    _ ledger: [Ledger.Entry], _ integrations: MeasuredIntegrations, before commit: CommitID,
    includesWorkingTree: Bool = false, scope: String
  ) {
    entries = ledger.filter { $0.isComparable(in: scope) }
    self.integrations = integrations
    self.commit = commit
    self.includesWorkingTree = includesWorkingTree
  }

  /// For a bot's branch the last one of that branch, wherever the branch has moved to; else that of the nearest ancestor.
  /// - Parameter branch: nil where only the history counts.
  func nearest(on branch: String?, in repository: borrowing Repository) -> EarlierCoverage {
    var doubt: String?
    if let branch, let found = firstMeasured(past(of: FileSystemName.encode(branch)), &doubt) {
      return .measured(found)
    }
    do throws(GitError) {
      return try nearestAncestor(in: repository, doubt)
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// The integrations of a branch, newest first, as its commits came: a rerun stands where the commit was integrated
  /// first, so that nothing is compared with a newer commit, or with an old one that was only looked at again.
  private func past(of lane: String) -> [Ledger.Entry] {
    var commits: [CommitID] = []
    var integrated: [CommitID: [Ledger.Entry]] = [:]
    for entry in entries where entry.lane == lane {
      if integrated[entry.commit] == nil { commits.append(entry.commit) }
      integrated[entry.commit, default: []].append(entry)
    }
    let past = includesWorkingTree ? commits[...] : commits.prefix { $0 != commit }
    return past.reversed().flatMap { (integrated[$0] ?? []).reversed() }
  }

  /// - Parameter doubt: why one of the branch is not known to be the one.
  private func nearestAncestor(in repository: borrowing Repository, _ doubt: String?) throws(GitError)
    -> EarlierCoverage
  {
    var doubt = doubt
    var left = Dictionary(grouping: entries, by: \.commit)
    if !includesWorkingTree { left[commit] = nil }
    var (farthest, mayBeFarther): (Ledger.Entry?, Bool) = (nil, true)
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
    if let end, left.values.joined().contains(where: mayBeMeasured) { return .unknown(reason: end) }
    return .nothing(farthest: farthest)
  }

  /// Reads the first one with complete coverage; notes why the first one is not known to have it.
  private func firstMeasured(_ entries: some Sequence<Ledger.Entry>, _ doubt: inout String?) -> MeasuredIntegration? {
    for entry in entries {
      switch integrations.sight(of: entry) {
      case .measured(let integration): return integration
      case .unmeasured: continue
      case .unknown(let reason): doubt = doubt ?? reason
      }
    }
    return nil
  }

  private func mayBeMeasured(_ entry: Ledger.Entry) -> Bool {
    if case .unmeasured = integrations.sight(of: entry) { false } else { true }
  }

  /// Why there is more history than was walked; nil when that was all of it.
  private func end(of history: [CommitID], limit: Int, in repository: borrowing Repository) throws(GitError)
    -> String?
  {
    if history.count >= limit {
      return "None of the last \(limit) commits was integrated with complete coverage, and nobody looked at older ones."
    }
    guard let last = history.last, case .leftOut = try repository.firstParent(of: last) else { return nil }
    return "The repository is a shallow clone whose history ends before any commit that was integrated with complete "
      + "coverage, so nobody can tell what to compare with. Fetch more of it, as with `git fetch --unshallow`."
  }
}
