/// The state of a bot, with each branch kept apart so that a green one does not hide a red one.
package struct BranchStates<Line: BranchResult>: Sendable {
  /// The branch that decides the state of the bot as a whole.
  package let main: BranchState<Line>
  /// The other branches that still exist, the most recently integrated first.
  package let others: [BranchState<Line>]
  /// The newest integrated tag, if it is red. A tag stays as it is, so an older one is of the past.
  package let redTag: RedBranch?

  /// - Parameters:
  ///   - newestFirst: the finished integrations of the bot; those of another package than now decide nothing.
  ///   - isWhole: whether these are all there ever were.
  ///   - known: the existing branches; nil if unknown, in which case no branch is considered gone.
  package init(_ newestFirst: [Line], isWhole: Bool = true, of known: KnownBranches?) {
    let newestFirst = newestFirst.filter { !$0.isOfOtherPackage }
    let groups = Dictionary(grouping: newestFirst, by: \.branch)
    var met: Set<String> = []
    // In the order of their latest integrations.
    let branches = newestFirst.compactMap(\.branch).filter { branch in
      known?.has(branch) != false && met.insert(branch).inserted
    }
    let main = KnownBranches.main(of: known, among: branches) ?? branches.first
    func state(_ branch: String?) -> BranchState<Line> {
      BranchState(branch: branch, lines: (groups[branch] ?? []).telling, isWhole: isWhole)
    }
    self.main = state(main)
    others = branches.filter { $0 != main }.map { state($0) }
    let tagged = newestFirst.first { $0.tag != nil && $0.outcome.isConclusive }
    redTag = tagged.flatMap { line in
      line.outcome.isGreen ? nil : line.tag.map { RedBranch(name: $0, since: line.number, isTag: true) }
    }
  }

  /// Reads as many integrations as it takes to determine the state of the bot, so that an old red one is not missed
  /// behind many green ones of other branches.
  ///
  /// - Parameters:
  ///   - limit: how many integrations to read at first.
  ///   - enough: how many integrations of the main branch suffice even if they do not show since when its state holds.
  ///   - newest: returns the given number of integrations, newest first; fewer if there are no more.
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
  package var redBranches: [RedBranch] {
    others.filter(\.isRed).compactMap { state in
      state.branch.map { RedBranch(name: $0, since: state.since?.number) }
    }
  }

  /// The other branches that are red, and the newest tag.
  package var redBeside: [RedBranch] { redBranches + [redTag].compactMap(\.self) }

  private func isSettled(_ known: KnownBranches?, _ enough: Int) -> Bool {
    if main.isWhole { return true }
    // Without known branches, the integrations are the only source of branches.
    guard let known else { return false }
    let missing = Set(known.needed).subtracting(([main] + others).filter { $0.told != nil }.compactMap(\.branch))
    return missing.isEmpty && (main.lines.count >= enough || main.isRowComplete)
  }
}
