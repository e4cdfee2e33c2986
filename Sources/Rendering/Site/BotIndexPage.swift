import Model

/// The index of bots: first a sentence about those that need attention, then a row for each bot, then the queue; also for
/// the wall.
struct BotIndexPage {
  private let bots: [BotIndexRow]
  private let state: WatchState?
  private let time: LocalTime

  /// Whether its reader sees all existing bots.
  private let isWhole: Bool

  init(_ bots: [BotHistory], state: WatchState?, isWhole: Bool, time: LocalTime) {
    self.isWhole = isWhole
    self.bots = bots.map { BotIndexRow($0, time: time) }
      .sorted { ($0.urgency, $0.name.lowercased(), $0.name) < ($1.urgency, $1.name.lowercased(), $1.name) }
    self.state = state
    self.time = time
  }

  var title: String { [troubles, quiet].first { !$0.isEmpty } ?? (isWhole ? "No bot yet" : "No public bot") }

  var record: [String: TemplateValue] {
    [
      "troubles": .shown(ifAny: troubles.isEmpty ? nil : troubles), "quiet": .shown(ifAny: quiet.isEmpty ? nil : quiet),
      "rows": .list(bots.map(\.record)), "isEmpty": .flag(bots.isEmpty),
      "isWhole": .flag(isWhole), "queue": queue,
      "legend": OutcomeStrip.legend(of: bots.map(\.strip).filter { $0.count > 1 }),
      "last": .optional(longestStrip.map { "\($0)" }),
      // What the strips leave is for the commits.
      "isShort": .flag((longestStrip ?? 0) <= 3 * OutcomeStrip.length / 4),
    ]
  }

  /// The same for the wall: large what somebody has to look at, and a line for each of the others.
  var wall: [String: TemplateValue] {
    let (loud, calm) = (bots.filter(\.needsSomebody), bots.filter { !$0.needsSomebody })
    return [
      "troubles": .shown(ifAny: troubles.isEmpty ? nil : troubles), "quiet": .shown(ifAny: quiet.isEmpty ? nil : quiet),
      "isEmpty": .flag(bots.isEmpty), "isWhole": .flag(isWhole),
      "loud": .list(loud.map(\.wallRecord)), "hasLoud": .flag(!loud.isEmpty),
      "calm": .list(calm.map(\.wallRecord)), "hasCalm": .flag(!calm.isEmpty),
    ]
  }

  /// The largest number of integrations in a strip; nil if no bot has several.
  private var longestStrip: Int? { bots.map(\.strip.count).max().flatMap { $0 > 1 ? $0 : nil } }

  /// How many letters the names of a clause may have together.
  private static let longest = 40

  /// What is to be told of bots that somebody has to look at, the worst first.
  private static var kinds: [(one: String, many: String, holds: (BotIndexRow) -> Bool)] {
    [
      ("does not build", "do not build", { $0.result?.outcome == .buildErrors }),
      ("is red", "are red", { $0.result?.outcome == .testFailures }),
      ("could not be integrated", "could not be integrated", { $0.main.trouble != nil }),
      ("is incomplete", "are incomplete", { $0.result?.outcome == .incomplete }),
      ("cannot be watched", "cannot be watched", \.isUnreadable),
      ("cannot run", "cannot run", { $0.hindrance != nil }),
      ("has a problem", "have problems", \.isProblemToldFirst),
    ]
  }

  /// Each bot is named once, for the first that holds.
  private var troubles: String {
    var left = bots.filter { !$0.isForgotten }
    let parts = Self.kinds.compactMap { one, many, holds in
      let named = left.filter(holds).map(\.name)
      left.removeAll(where: holds)
      return clause(named, one, many)
    }
    return parts.joined(separator: "; ")
  }

  private var quiet: String {
    // A bot that was green before a trouble may no longer be green.
    let calm = bots.filter {
      $0.main.trouble == nil && !$0.isUnreadable && $0.hindrance == nil && !$0.isProblemToldFirst && !$0.isForgotten
    }
    guard troubles.isEmpty || calm.contains(where: { $0.result == nil }) else {
      // Of those with red branches, these are told.
      let quiet = calm.filter(\.redBesideGreen.isEmpty)
      let fine = green(of: quiet).count
      let flaky = names(of: quiet, where: \.isOnlyFlaky).count
      let warned = names(of: quiet, where: Self.hasWarnings).count
      let parts = [(fine, "green"), (flaky, "flaky"), (warned, "with warnings")].filter { $0.0 > 0 }
        .map { "\(CountText.plain($0.0)) \($0.1)" }
      return [parts.joined(separator: ", "), redBeside ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    }
    let parts = [
      clause(names(of: calm, where: Self.hasWarnings), "has warnings", "have warnings"),
      clause(names(of: calm, where: \.isOnlyFlaky), "is flaky", "are flaky"),
      clause(green(of: calm), "is green", "are green"),
      redBeside,
      clause(calm.filter { $0.result == nil }.map(\.name), "has no result yet", "have no result yet"),
      clause(bots.filter(\.isForgotten).map(\.name), "is no longer watched", "are no longer watched"),
    ].compactMap(\.self)
    return parts.joined(separator: "; ")
  }

  private static func hasWarnings(_ line: HistoryLine) -> Bool {
    [.warnings, .analyzerWarnings].contains(line.outcome) && !line.isOnlyFlaky
  }

  /// The bots of which nothing is red: a green main branch says nothing of the others, which the heading names.
  private func green(of bots: [BotIndexRow]) -> [String] {
    names(of: bots.filter(\.redBesideGreen.isEmpty)) { $0.outcome == .succeeded }
  }

  /// The bots that are red only on other branches than the main one.
  private var redBeside: String? {
    let bots = bots.filter { !$0.redBesideGreen.isEmpty }
    return RedBranchWords.predicate(bots.flatMap(\.redBesideGreen)).flatMap {
      clause(bots.map(\.name), "is \($0)", "are \($0)")
    }
  }

  /// Returns the bots whose newest result on the main branch satisfies a predicate.
  private func names(of bots: [BotIndexRow], where isWanted: (HistoryLine) -> Bool) -> [String] {
    bots.filter { $0.result.map(isWanted) ?? false }.map(\.name)
  }

  /// The names as far as they fit into a line; the rows below have all of them.
  private func clause(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    let isLong = names.count > 1 && names.reduce(0) { $0 + $1.count } > Self.longest
    return "\(isLong ? "\(names.count) bots" : CountText.list(names)) \(names.count == 1 ? one : many)"
  }

  private func row(of entry: WatchState.Entry) -> QueueRow {
    let bot = bots.first { $0.name == entry.bot }
    return QueueRow(
      entry: entry, time: time, page: bot.map { "\($0.name)/index.html" }, hindrance: bot?.hindrance)
  }

  /// How many running and waiting integrations are listed.
  private static let mostQueued = 500

  private var queue: TemplateValue {
    guard let state else { return .missing }
    let (entries, waiting) = (state.running + state.waiting, state.waitingCount)
    let words =
      entries.isEmpty
      ? "idle" : "\(CountText.plain(state.running.count)) running, \(CountText.plain(waiting)) waiting"
    let shown = entries.prefix(Self.mostQueued)
    return .record([
      "summary": .text("\(words); \(CountText.counted(state.jobs, "job")) at a time"),
      "isBusy": .flag(!entries.isEmpty), "rows": .list(shown.map { row(of: $0).record }),
      "unlisted": QueueRow.unlisted(state.running.count + waiting - shown.count),
      "machines": .optional(state.machines.map { MachinesPage($0, time: time).title }),
      "problems": .list((state.problems ?? []).map { .shown($0) }),
    ])
  }
}
