package import Model

/// What the move of a ref brought.
package enum MoveHistory: Hashable, Sendable {
  /// The new commit descends from a known one: all commits in between, newest first, children before parents. Each
  /// counts by what it changes.
  case advanced([NewCommit], from: CommitID)
  /// The ref was rewritten, is at commits again that it was at before, or moved over too many to examine each: the new
  /// commit, whose paths are those that differ from the commit that tells how the ref stands, then others that came.
  case rewritten([NewCommit])
  /// The ref is new: only its newest commit.
  case tip(NewCommit)

  /// The listed commits, newest first.
  package var commits: [NewCommit] {
    switch self {
    case .advanced(let commits, _), .rewritten(let commits): commits
    case .tip(let commit): [commit]
    }
  }

  /// The commits that the ref itself was at, newest first: a merged branch is part of its merge.
  var steps: [NewCommit] {
    let commits = commits
    var path: Set<CommitID> = []
    if case .advanced(_, let origin) = self { path = [origin] }
    // After a pull, the branch as it was before is not the first parent of the merge.
    for commit in commits.reversed() where commit.parents.contains(where: path.contains) { path.insert(commit.id) }
    var next = commits.first?.id
    if let newest = next, !path.contains(newest) { path = Set(commits.map(\.id)) }
    var steps: [NewCommit] = []
    for commit in commits where commit.id == next {
      steps.append(commit)
      next = commit.parents.first(where: path.contains)
    }
    return steps
  }
}

/// What tells how a ref stands: the newest integration that has a result, or will have one.
package enum Standing: Hashable, Sendable {
  /// Nothing tells yet.
  case new
  case at(CommitID)
  /// The newest one came to no result, or it is not known to be of the ref's own commit.
  case unknown
}

extension Sighting {
  /// Returns what tells how a ref stands that moved in another way than to new commits on top of it.
  ///
  /// - Parameter newest: The newest finished integration that tells how the ref stands.
  package func standing(of move: RefMove, after newest: HistoryEntry?) -> Standing {
    let lost = Set(lost(for: move.ref).map(\.id))
    let open = entries(for: move.ref).filter { !lost.contains($0.id) }
    if open.contains(where: { $0.state == .pending && $0.commit == move.new }) { return .at(move.new) }
    if let last = open.last {
      // An older commit that a person asks for, or that newer ones overtook, does not tell how the ref stands.
      let mayBeOlder = open.contains {
        ([.person, .rerun].contains($0.cause) || $0.calmTime != nil) && $0.commit != move.old
      }
      return mayBeOlder || last.cancelReason != nil ? .unknown : .at(last.commit)
    }
    guard let newest else { return .new }
    let isTelling = newest.entry.commit == move.new || newest.summary?.outcome.isConclusive == true
    return isTelling ? .at(newest.entry.commit) : .unknown
  }
}
