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
    for move in moves where decision.follows(move, from: memory.tips) {
      if move.ref.isChangeRequest, !repository.reaches(move.new, fromAny: branches) {
        sighting.strange.insert(move.ref)
        // Nothing is read for a commit that will not be integrated.
        if decision.refusal(of: move.ref, isOnBranch: false) != nil { continue }
      }
      let history = try history(of: move, in: repository, sighting.entries(for: move.ref))
      sighting.histories[move.ref] = history
      sighting.covered[move.ref] = try store.covered(history.commits.map(\.id), of: bot.name, on: move.ref)
    }
    return sighting
  }

  private func history(
    of move: RefMove, in repository: borrowing Repository, _ open: [QueueEntry]
  ) throws(GitError) -> MoveHistory {
    guard let old = move.old, repository.holds(old) else { return .tip(try commit(move.new, repository)) }
    let names = try repository.commitNames(from: old, to: move.new, limit: Self.mostCommits)
    guard names.count < Self.mostCommits else { return .tip(try commit(move.new, repository)) }
    var commits: [NewCommit] = []
    for name in names { commits.append(try commit(name, repository)) }
    // The path from the new commit to the old one, if there is one, ends with a child of the old one.
    if commits.contains(where: { $0.parents.contains(old) }) { return .advanced(commits) }
    // Includes running entries: one that is canceled for a newer commit leaves its own commits to that one.
    var reached: Set<CommitID> = []
    for id in Set(open.flatMap(\.covered)) where repository.reaches(id, from: move.new) { reached.insert(id) }
    return .rewritten(commits, stillReached: reached)
  }

  private func commit(_ id: CommitID, _ repository: borrowing Repository) throws(GitError) -> NewCommit {
    let contents = try repository.contents(of: id, withPaths: !bot.ignore.paths.isEmpty || !bot.paths.isEmpty)
    return NewCommit(id: id, parents: contents.parents, message: contents.message, paths: contents.paths)
  }
}
