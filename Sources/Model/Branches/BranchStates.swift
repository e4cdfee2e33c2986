/// How a bot stands: each of its branches apart, so that a green one does not hide a red one.
package struct BranchStates<Line: BranchResult>: Sendable {
  /// The branch that decides how the bot stands as a whole.
  package let main: BranchState<Line>
  /// The other branches that are still there, the one that was integrated last first.
  package let others: [BranchState<Line>]

  /// - Parameters:
  ///   - newestFirst: the finished integrations of the bot.
  ///   - isWhole: whether these are all there ever were.
  ///   - known: the branches that are there; nil where nobody knows, so that none is taken to be gone.
  package init(_ newestFirst: [Line], isWhole: Bool = true, of known: KnownBranches?) {
    let groups = Dictionary(grouping: newestFirst, by: \.branch)
    var met: Set<String> = []
    // In the order in which they were integrated last.
    let branches = newestFirst.compactMap(\.branch).filter { branch in
      known?.existing.contains(branch) != false && met.insert(branch).inserted
    }
    let main = known?.preferred ?? KnownBranches.usual.first(where: branches.contains) ?? branches.first
    func state(_ branch: String?) -> BranchState<Line> {
      BranchState(branch: branch, lines: groups[branch] ?? [], isWhole: isWhole)
    }
    self.main = state(main)
    others = branches.filter { $0 != main }.map { state($0) }
  }

  /// Reads as far back as it takes to tell how the bot stands, so that an old red one is not missed behind many green
  /// ones of other branches.
  ///
  /// - Parameters:
  ///   - limit: how many integrations are read at first.
  ///   - enough: how many of the main branch are read though they do not tell since when it is as it is.
  ///   - newest: gives so many integrations, newest first; fewer when there are no more.
  package static func read<Failure>(
    of known: KnownBranches?, atFirst limit: Int, enough: Int = .max, _ newest: (Int) throws(Failure) -> [Line]
  ) throws(Failure) -> (lines: [Line], states: Self) {
    var limit = limit
    while true {
      let lines = try newest(limit)
      let states = Self(lines, isWhole: lines.count < limit, of: known)
      if states.isSettled(known, enough) { return (lines, states) }
      limit *= 10
    }
  }

  /// The other branches that are red.
  package var redBeside: [RedBranch] {
    others.filter(\.isRed).compactMap { state in
      state.branch.map { RedBranch(name: $0, since: state.since?.number) }
    }
  }

  private func isSettled(_ known: KnownBranches?, _ enough: Int) -> Bool {
    if main.isWhole { return true }
    // Who knows no branches finds them in the integrations only.
    guard let known else { return false }
    let missing = Set(known.needed).subtracting(([main] + others).filter { $0.told != nil }.compactMap(\.branch))
    return missing.isEmpty && (main.lines.count >= enough || main.isRowComplete)
  }
}
