import Model

/// The branches of a bot on one line, each with its state, above the page of each of them.
struct BranchSwitch {
  /// The maximum number of branches; the table on the page of the bot has more.
  private static let most = 12

  private let states: BranchStates<HistoryLine>
  private let current: String

  /// Nil for a bot as a whole.
  init?(of bot: BotHistory) {
    guard let states = bot.allStates, let current = bot.onlyBranch else { return nil }
    (self.states, self.current) = (states, current)
  }

  var record: TemplateValue {
    let all = BranchTable.withPages(of: states)
    let shown = Array(all.prefix(Self.most)) + all.dropFirst(Self.most).filter { $0.branch == current }
    let left = states.others.count - shown.count { $0.branch != states.main.branch }
    return .record([
      "branches": .list(shown.map(tab)),
      "more": left > 0 ? .text(CountText.counted(left, "more branch", "more branches")) : .missing,
    ])
  }

  private func tab(of state: BranchState<HistoryLine>) -> TemplateValue {
    let word = state.isRed && state.trouble == nil ? state.redKind.rawValue.capitalizedFirst : state.told?.outcomeWord
    return .record([
      "glyph": .text(state.told?.glyph ?? "not-run"), "state": .text(word ?? "No result yet"),
      "name": .shown(state.branch ?? "no branch"), "link": .optional(state.branch.map { BotPage.path(of: $0) }),
      "isCurrent": .flag(state.branch == current),
    ])
  }
}
