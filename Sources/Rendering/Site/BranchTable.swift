import Model

/// The branches of a bot on its page: first the main one, then red ones, then the others in the order of integration.
struct BranchTable {
  /// The maximum number of branches.
  private static let most = 50

  private let states: BranchStates<HistoryLine>
  private let bot: BotHistory
  private let time: LocalTime

  init(_ states: BranchStates<HistoryLine>, of bot: BotHistory, time: LocalTime) {
    self.states = states
    self.bot = bot
    self.time = time
  }

  /// Missing for a bot with one branch.
  var record: TemplateValue {
    guard !states.others.isEmpty else { return .missing }
    let left = states.others.count - Self.most
    return .record([
      "rows": .list([row(states.main, isMain: true)] + Self.shown(of: states).map { row($0, isMain: false) }),
      "left": left > 0 ? .text(CountText.counted(left, "more branch", "more branches")) : .missing,
    ])
  }

  /// Returns the branches that have pages of their own: those that are listed, if there are several.
  static func withPages(of states: BranchStates<HistoryLine>) -> [BranchState<HistoryLine>] {
    guard !states.others.isEmpty else { return [] }
    return (states.main.branch == nil || states.main.lines.isEmpty ? [] : [states.main]) + shown(of: states)
  }

  /// Returns the branches other than the main one that are listed.
  private static func shown(of states: BranchStates<HistoryLine>) -> [BranchState<HistoryLine>] {
    Array((states.others.filter(\.isRed) + states.others.filter { !$0.isRed }).prefix(most))
  }

  private func row(_ state: BranchState<HistoryLine>, isMain: Bool) -> TemplateValue {
    let told = state.told
    let result = state.result
    let colour = state.trouble != nil ? "no result" : state.isRed ? "red" : "green"
    let since = state.since.flatMap { $0.number == told?.number ? nil : ", \(colour) since \($0.number)" } ?? ""
    let ran = result.flatMap { $0.tests.listed > 0 ? $0.tests : nil }
    return .record([
      "glyph": .text(told?.outcome.glyph ?? "not-run"), "name": .shown(state.branch ?? "no branch"),
      "alone": state.lines.isEmpty ? .missing : .optional(state.branch.map { BotPage.path(of: $0) }),
      "isMain": .flag(isMain),
      "word": .text(told?.outcomeWord ?? "No result yet"), "since": .text(since),
      "red": ran.flatMap { $0.red > 0 ? .text(CountText.plain($0.red)) : nil } ?? .missing,
      "listed": .optional(ran.map { CountText.plain($0.listed) }),
      "uncovered": .optional(result?.lines.map { CountText.plain($0.uncovered) }),
      "number": told.map { .number($0.number) } ?? .missing, "link": .optional(told.flatMap { bot.link($0.number) }),
      "date": .optional(told.map { time.minute(of: $0.endedAt) }),
      "machineDate": .optional(told.map { time.machine(of: $0.endedAt) }),
    ])
  }
}
