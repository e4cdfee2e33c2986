package import Model

/// Chooses which of a bot's earlier integrations one is compared with.
///
/// Tests and issues are compared with the integration before, coverage and gates with the nearest one of an earlier commit
/// that has complete coverage. What the repository and the disk have to say is asked for as it is needed, since most of the
/// time the first candidate is the one.
package struct ReferenceSearch {
  /// How far a history is walked. The reference is nearly always close, and histories are long.
  private static let strides = [100, 10_000, 100_000]

  /// The comparable integrations, oldest first.
  private var candidates: [IndexedIntegration]
  private let commit: CommitID
  private let includesWorkingTree: Bool
  private let isBehind: Bool

  /// - Parameters:
  ///   - past: the bot's integrations, oldest first.
  ///   - commit: what is integrated now; it comes before itself only with uncommitted changes.
  ///   - isBehind: whether the commit is an older one of its branch, which is compared with what it was like.
  ///   - scope: what must be equal for two integrations to be comparable; nil to compare whatever they have tested.
  package init(
    _ past: [IndexedIntegration], before commit: CommitID, includesWorkingTree: Bool = false, isBehind: Bool = false,
    scope: String?
  ) {
    candidates = past.filter { $0.isComparable(in: scope ?? $0.scope) }
    self.commit = commit
    self.includesWorkingTree = includesWorkingTree
    self.isBehind = isBehind
  }

  /// The integration before: the last one of the branch, wherever that has moved to; else that of the same commit, whose
  /// news is not told again; else that of the nearest ancestor. The next commit of a branch does not follow an older one
  /// that was looked at again.
  ///
  /// - Parameters:
  ///   - branch: the branch of a bot; nil where only the history counts.
  ///   - countsSameCommit: whether one of the same commit may be found beside the branch.
  package func previous<History: CommitHistory & ~Copyable>(
    on branch: String?, in history: borrowing History, countsSameCommit: Bool = true
  ) -> IndexedIntegration? {
    if let branch,
      let last = candidates.last(where: {
        $0.branch == branch && (isBehind ? $0.commit == commit : !$0.isBehindBranch)
      })
    {
      return last
    }
    if countsSameCommit, let same = candidates.last(where: { $0.commit == commit }) { return same }
    return Reference(nearest: nearestAncestor(in: history) { _ in .complete }).found
  }

  /// The commit since which commits are new: that of the integration before; if the repository has lost it, as after a
  /// forced push, that of the nearest ancestor that was green; nil if there is none.
  package func origin<History: CommitHistory & ~Copyable>(
    after previous: CommitID, in history: borrowing History
  ) -> CommitID? {
    history.absence(of: previous) == .gone ? lastGreen(in: history)?.commit : previous
  }

  /// The nearest ancestor that was green: whatever is red came about since then.
  package func lastGreen<History: CommitHistory & ~Copyable>(in history: borrowing History) -> IndexedIntegration? {
    var green = self
    green.candidates.removeAll { !$0.outcome.isGreen }
    return green.previous(on: nil, in: history, countsSameCommit: false)
  }

  /// The last integration before of which everything was compiled, so that its tests could tell.
  package func lastBuilt<History: CommitHistory & ~Copyable>(
    on branch: String?, in history: borrowing History
  ) -> IndexedIntegration? {
    var built = self
    built.candidates.removeAll { !$0.outcome.isBuilt }
    return built.previous(on: branch, in: history)
  }

  /// Where a branch stands beside the others: the integration of the nearest commit in its history that was integrated on
  /// another branch.
  package func branchPoint<History: CommitHistory & ~Copyable>(
    of branch: String, in history: borrowing History
  ) -> IndexedIntegration? {
    var others = self
    others.candidates.removeAll { $0.branch == branch }
    return others.previous(on: nil, in: history)
  }

  /// What a bot's coverage is compared with: the last one of the branch, wherever that has moved to; else that of the
  /// nearest ancestor. It is unknown if one may come before it of which nobody knows any more what ran: an older one does
  /// not tell what was lost since that.
  package func reference<History: CommitHistory & ~Copyable>(
    on branch: String?, in history: borrowing History, coverage: (IndexedIntegration) -> KnownCoverage
  ) -> Reference {
    var notes = Notes()
    if let branch, let found = lastPresent(on: branch, in: history, &notes, coverage) {
      return Reference(nearest: .found(found), vanished: notes.vanished)
    }
    let nearest = notes.doubt.map(Reference.Nearest.unknown) ?? nearestAncestor(in: history, coverage)
    return Reference(nearest: nearest, vanished: notes.vanished)
  }

  /// What the coverage of a single run is compared with: that of the nearest ancestor; else the last one of the branch that
  /// is of no later commit.
  package func reference<History: CommitHistory & ~Copyable>(
    elseOn branch: String?, in history: borrowing History, coverage: (IndexedIntegration) -> KnownCoverage
  ) -> Reference {
    let nearest = nearestAncestor(in: history, coverage)
    guard case .none = nearest, let branch else { return Reference(nearest: nearest) }
    var notes = Notes()
    let found = lastPresent(on: branch, in: history, &notes, skipsLater: true, coverage)
    if found == nil, let doubt = notes.doubt { return Reference(nearest: .unknown(doubt)) }
    return Reference(nearest: nearest, onBranch: found, vanishedOnBranch: notes.vanished)
  }

  /// What came up in a search.
  private struct Notes {
    /// Why one is not known to be the reference.
    var doubt: ReferenceDoubt?
    var vanished: IndexedIntegration?
  }

  /// The last one of a branch whose commit the repository has; nil if one before it is in doubt.
  private func lastPresent<History: CommitHistory & ~Copyable>(
    on branch: String, in history: borrowing History, _ notes: inout Notes, skipsLater: Bool = false,
    _ coverage: (IndexedIntegration) -> KnownCoverage
  ) -> IndexedIntegration? {
    var last: CommitID?
    for candidate in past(of: branch) {
      // Another one of the same commit may tell.
      if notes.doubt != nil, candidate.commit != last { return nil }
      last = candidate.commit
      if skipsLater, history.reaches(commit, from: candidate.commit) { continue }
      let absence = history.absence(of: candidate.commit)
      // What lies behind one that has vanished already is not asked for.
      if absence == .gone, notes.vanished != nil { continue }
      guard isMeasured(candidate, &notes.doubt, coverage) else { continue }
      switch absence {
      case nil: return candidate
      case .gone: notes.vanished = candidate
      case .leftOut: notes.doubt = notes.doubt ?? .beyondClone(candidate.number, candidate.commit)
      }
    }
    return nil
  }

  /// The integrations of a branch, newest first, as the branch came to their commits: an older commit that was looked at
  /// again stands where the branch was at it, so that nothing is compared with a newer commit, or with that.
  private func past(of branch: String) -> [IndexedIntegration] {
    var commits: [CommitID] = []
    var met: Set<CommitID> = []
    var integrated: [CommitID: [IndexedIntegration]] = [:]
    for candidate in candidates.reversed() where candidate.branch == branch {
      integrated[candidate.commit, default: []].append(candidate)
      if !candidate.isBehindBranch, met.insert(candidate.commit).inserted { commits.append(candidate.commit) }
    }
    if isBehind {
      commits = Array(commits.drop { $0 != commit }.dropFirst())
    } else if !includesWorkingTree {
      commits.removeAll { $0 == commit }
    }
    return commits.flatMap { integrated[$0] ?? [] }
  }

  private func nearestAncestor<History: CommitHistory & ~Copyable>(
    in history: borrowing History, _ coverage: (IndexedIntegration) -> KnownCoverage
  ) -> Reference.Nearest {
    var doubt: ReferenceDoubt?
    var left = Dictionary(grouping: candidates, by: \.commit)
    if !includesWorkingTree { left[commit] = nil }
    var (unjudged, mayGoBack): (IndexedIntegration?, Bool) = (nil, true)
    var end = Ancestry.End.root
    for limit in Self.strides where !left.isEmpty {
      let ancestry = history.ancestry(of: commit, limit: limit)
      for id in ancestry.commits {
        guard let integrated = left.removeValue(forKey: id) else { continue }
        if let found = integrated.last(where: { isMeasured($0, &doubt, coverage) }) { return .found(found) }
        if let doubt { return .unknown(doubt) }
        // A green integration was asked for no coverage, or for no gate.
        mayGoBack = mayGoBack && !integrated.contains(where: \.outcome.isGreen)
        if mayGoBack { unjudged = integrated.first }
      }
      end = ancestry.end
      guard case .limit = end else { break }
    }
    if case .unreadable(let reason) = end { return .unknown(.repository(reason: reason)) }
    if let reason = end.doubt, left.values.joined().contains(where: { coverage($0) != .incomplete }) {
      return .unknown(reason)
    }
    return .none(firstUnjudged: unjudged)
  }

  /// Whether the coverage of one is complete; notes why that of the first one is not known.
  private func isMeasured(
    _ candidate: IndexedIntegration, _ doubt: inout ReferenceDoubt?, _ coverage: (IndexedIntegration) -> KnownCoverage
  ) -> Bool {
    switch coverage(candidate) {
    case .complete: return true
    case .incomplete: return false
    case .unknown(let reason):
      doubt = doubt ?? reason
      return false
    }
  }
}

/// What a repository says about the commits around one.
package protocol CommitHistory: ~Copyable {
  /// The commit and what came before it, newest first, at most `limit`.
  func ancestry(of commit: CommitID, limit: Int) -> Ancestry

  /// Why the repository does not have a commit; nil when it has.
  func absence(of commit: CommitID) -> CommitAbsence?

  /// Whether a commit is another one or comes before it.
  func reaches(_ ancestor: CommitID, from head: CommitID) -> Bool
}

/// A commit and what came before it, as far as somebody has looked.
package struct Ancestry: Hashable, Sendable {
  /// Why there is no more of it.
  package enum End: Hashable, Sendable {
    case root
    /// More of it was not asked for.
    case limit(Int)
    case shallowClone
    /// The repository could not be read, with the reason as a sentence.
    case unreadable(reason: String)

    fileprivate var doubt: ReferenceDoubt? {
      switch self {
      case .root: nil
      case .limit(let limit): .longHistory(limit)
      case .shallowClone: .shallowClone
      case .unreadable(let reason): .repository(reason: reason)
      }
    }
  }

  /// Newest first, and every commit before its parents.
  package var commits: [CommitID]
  package var end: End

  package init(_ commits: [CommitID], end: End = .root) {
    self.commits = commits
    self.end = end
  }
}
