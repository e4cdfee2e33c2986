import Git
import Model
import Scheduling
import Storing

/// A reader of the input for a bot's decisions: the commits between the old and the new positions of its refs.
struct SightingReader {
  /// The most new commits to read for a ref; with more, only its newest commit counts.
  static let mostCommits = 20_000

  let bot: Bot
  let tips: Tips

  /// Reads a sighting. The repository is opened only if a ref has moved.
  func read(_ store: inout Store) throws -> Sighting {
    let decision = CommitDecision(bot)
    let memory = try store.memory(of: bot.name)
    var sighting = Sighting(seen: memory.tips, tips: tips, entries: try store.openEntries(of: bot.name))
    let moves = decision.moves(from: memory.tips, to: tips)
    guard !moves.isEmpty else { return sighting }
    let repository = try Repository(at: bot.repository)
    let branches = tips.refs.filter { $0.key.branch != nil }.map(\.value)
    for move in moves where !move.isOld {
      if move.ref.isChangeRequest, !repository.reaches(move.new, fromAny: branches) {
        sighting.strange.insert(move.ref)
        // Nothing is read for a commit that will not be integrated.
        if decision.refusal(of: move.ref, isOnBranch: false) != nil { continue }
      }
      let history = try history(of: move, in: repository, &sighting, &store)
      sighting.histories[move.ref] = history
      sighting.covered[move.ref] = try store.covered(history.commits.map(\.id), of: bot.name, on: move.ref)
    }
    return sighting
  }

  private func history(
    of move: RefMove, in repository: borrowing Repository, _ sighting: inout Sighting, _ store: inout Store
  ) throws -> MoveHistory {
    if let old = move.old, let history = try advance(from: old, move, in: repository, &store) { return history }
    // Includes running entries: one that is canceled for a newer commit leaves its own commits to that one.
    let open = Set(sighting.entries(for: move.ref).flatMap(\.covered))
    sighting.reached[move.ref] = open.filter { repository.reaches($0, from: move.new) }
    switch sighting.standing(of: move, after: try store.lastTelling(of: bot.name, on: move.ref)) {
    case .new:
      let commits = try commits(since: move.old, to: move.new, in: repository)
      guard let old = move.old, !commits.isEmpty else { return .tip(try commit(move.new, repository)) }
      return .advanced(commits, from: old)
    case .at(let base):
      // Of a ref that is seen again after a while, only its newest commit counts.
      if move.old != nil || base == move.new, let history = try advance(from: base, move, in: repository, &store) {
        return history
      }
      let tip = try commit(move.new, repository, withPaths: repository.holds(base), since: base)
      return .rewritten([tip] + (try commits(since: move.old, to: move.new, in: repository).dropFirst()))
    case .unknown:
      let tip = try commit(move.new, repository, withPaths: false)
      return .rewritten([tip] + (try commits(since: move.old, to: move.new, in: repository).dropFirst()))
    }
  }

  /// Returns the way from a commit to the new one; nil if the latter does not descend from it, if there are too many
  /// commits, or if the ref was at one of them before.
  private func advance(
    from old: CommitID, _ move: RefMove, in repository: borrowing Repository, _ store: inout Store
  ) throws -> MoveHistory? {
    if old == move.new { return .advanced([], from: old) }
    let commits = try commits(since: old, to: move.new, in: repository)
    // The path from the new commit to the old one, if there is one, ends with a child of the old one.
    guard commits.contains(where: { $0.parents.contains(old) }),
      try store.covered(commits.map(\.id), of: bot.name, on: move.ref).isEmpty
    else { return nil }
    return .advanced(commits, from: old)
  }

  /// Returns the commits that only the new one reaches; none if there are too many or the old one is not known.
  private func commits(
    since old: CommitID?, to new: CommitID, in repository: borrowing Repository
  ) throws(GitError) -> [NewCommit] {
    guard let old, repository.holds(old) else { return [] }
    let names = try repository.commitNames(from: old, to: new, limit: Self.mostCommits)
    guard names.count < Self.mostCommits else { return [] }
    var commits: [NewCommit] = []
    for name in names { commits.append(try commit(name, repository)) }
    return commits
  }

  /// - Parameter base: What the paths differ from; the first parent if nil.
  private func commit(
    _ id: CommitID, _ repository: borrowing Repository, withPaths: Bool = true, since base: CommitID? = nil
  ) throws(GitError) -> NewCommit {
    let asksForPaths = !bot.ignore.paths.isEmpty || !bot.paths.isEmpty
    let contents = try repository.contents(of: id, withPaths: withPaths && asksForPaths, since: base)
    return NewCommit(id: id, parents: contents.parents, message: contents.message, paths: contents.paths)
  }
}
