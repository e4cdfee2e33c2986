import Model

/// The branches of a bot on its page, each with what changed since its branch point: first the main one, then red ones, then
/// the others in the order of integration.
struct BranchTable {
  /// The maximum number of branches.
  private static let most = 50
  /// How many of them are not folded away.
  private static let mostOpen = 3

  private let main: BranchState<HistoryLine>
  private let others: [Other]
  /// How many more branches there are.
  private let left: Int
  private let bot: BotHistory
  private let time: LocalTime
  /// The branches of which the heading tells what made them red.
  private let told: Set<String>

  /// A branch and the integration that it is compared with; nil if that is not known.
  private typealias Other = (state: BranchState<HistoryLine>, point: HistoryLine?)

  init(_ states: BranchStates<HistoryLine>, of bot: BotHistory, told: Set<String>, time: LocalTime) {
    self.told = told
    main = states.main
    others = Self.shown(of: states).map { ($0, bot.branchPoint(of: $0)) }
    left = max(0, states.others.count - Self.most)
    self.bot = bot
    self.time = time
  }

  /// Missing for a bot with one branch.
  var record: TemplateValue {
    guard !others.isEmpty else { return .missing }
    let folded = others.dropFirst(Self.mostOpen).map(row)
    return .record([
      "summary": others.contains { $0.point != nil } ? .text("changes since the branch point") : .missing,
      "rows": .list([row((main, nil))] + others.prefix(Self.mostOpen).map(row)),
      "folded": .list(folded), "hasFolded": .flag(!folded.isEmpty),
      "foldedCount": .text(CountText.counted(folded.count + left, "more branch", "more branches")),
      "left": left > 0 ? .text("and \(CountText.plain(left)) more") : .missing,
    ])
  }

  /// Returns the pages of the branches that have one.
  static func pages(of states: BranchStates<HistoryLine>) -> [String: String] {
    let branches = withPages(of: states).compactMap(\.branch)
    return Dictionary(branches.map { ($0, BotPage.path(of: $0)) }) { first, _ in first }
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

  private func row(_ other: Other) -> TemplateValue {
    let state = other.state
    let told = state.told
    let result = result(of: state)
    let record: [String: TemplateValue] = [
      "glyph": .text(told?.glyph ?? "not-run"), "name": .shown(state.branch ?? "no branch"),
      "alone": state.lines.isEmpty ? .missing : .optional(state.branch.map { BotPage.path(of: $0) }),
      "isMain": .flag(state.branch == main.branch),
      "result": result.words.record(bot.link),
      "finding": result.finding?.record(besides: state.since?.number, bot.link) ?? .missing,
      "point": other.point.map {
        .record(["number": .text("\($0.number)"), "link": .optional(bot.link($0.number))])
      } ?? .missing,
      "comparison": .optional(
        state.result.flatMap { result in other.point.flatMap { bot.comparisonLink(result, with: $0.number) } }),
      "uncovered": figure(of: other, .moreIsWorse, link: bot.coverageLink, words: \.uncoveredWords) {
        $0.lines?.uncovered
      },
      "issues": figure(of: other, .moreIsWorse, link: { bot.link($0.number, to: "index.html#issues") }, \.openIssues),
      "number": .optional(told.map { "\($0.number)" }), "link": .optional(told.flatMap { bot.link($0.number) }),
      "date": .optional(told.map { time.minute(of: $0.endedAt) }),
      "machineDate": .optional(told.map { time.machine(of: $0.endedAt) }),
    ]
    return .record(record.merging(tests(of: other)) { value, _ in value })
  }

  /// Returns the values of the template `tests-cell`, with the changes since the branch point if tests ran there.
  private func tests(of other: Other) -> [String: TemplateValue] {
    guard let own = other.state.result else { return ["listed": .missing] }
    let point = other.point.flatMap { $0.tests.listed > 0 ? $0 : nil }
    return own.testsCell(
      bot.testsLink(own), red: point.flatMap(own.redDelta),
      listed: point.flatMap { Delta(own.tests.listed, from: $0.tests.listed, .neutral) })
  }

  /// Returns how a branch ended last and since when, to be followed by what made it red, if anything.
  private func result(
    of state: BranchState<HistoryLine>
  ) -> (words: [IssueWords.Part], finding: LeadingFinding?) {
    let told = state.told
    let isTold = state.branch.map(self.told.contains) == true
    let words = told?.resultWords ?? "No result yet"
    func part(_ words: String, _ number: Int? = nil) -> IssueWords.Part { .init(words: words, number: number) }
    guard let since = state.since, since.number != told?.number else { return ([part(words)], nil) }
    let colour = state.trouble != nil ? "no result" : state.isRed ? state.redKind.rawValue : "green"
    guard state.isRed else { return ([part("\(words), \(colour) since ", since.number)], nil) }
    let red = part("\(colour.capitalizedFirst) since ", since.number)
    // What made it so for so long stands in the heading then.
    if isTold { return ([red], nil) }
    let finding = finding(of: state)
    let number = finding == nil ? told?.number : finding?.later(than: since.number)
    let place = number.map { [part("; in ", $0)] } ?? []
    return ([red] + place + [part(finding == nil ? ": \(words)" : ": ")], finding)
  }

  private func finding(of state: BranchState<HistoryLine>) -> LeadingFinding? {
    state.branch == main.branch ? bot.finding(of: state) : bot.finding(ofOther: state)
  }

  /// Returns a count of the newest result, with its change since the branch point; missing if it was not counted.
  ///
  /// - Parameters:
  ///   - link: returns the page that has more of what is counted.
  ///   - words: returns the count in words; nil for a plain one.
  private func figure(
    of other: Other, _ direction: Delta.Direction, link: (HistoryLine) -> String? = { _ in nil },
    words: (HistoryLine) -> String? = { _ in nil }, _ count: (HistoryLine) -> Int?
  ) -> TemplateValue {
    guard let own = other.state.result.flatMap(count) else { return .missing }
    return .record([
      "count": .text(other.state.result.flatMap(words) ?? CountText.plain(own)),
      "link": .optional(other.state.result.flatMap(link)),
      "delta": other.point.flatMap(count).flatMap { Delta(own, from: $0, direction) }.record,
    ])
  }
}

extension BranchStates {
  /// A suffix that names the main branch; empty for a bot with one branch.
  var place: String { others.isEmpty ? "" : main.branch.map { " on \($0)" } ?? "" }
}
