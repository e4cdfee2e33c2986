import Model

/// The index of bots: who needs somebody first, in one sentence for the wall, then a row for each, then the queue.
struct BotIndexPage {
  private let bots: [BotHistory]
  private let state: WatchState?
  private let time: LocalTime

  init(_ bots: [BotHistory], state: WatchState?, time: LocalTime) {
    self.bots = bots.sorted { (Self.urgency($0), $0.name) < (Self.urgency($1), $1.name) }
    self.state = state
    self.time = time
  }

  /// What is red comes first, what has no result last.
  private static func urgency(_ bot: BotHistory) -> Int {
    // A bot in trouble is no less red than it was.
    let told = [bot.trouble, bot.newestConclusive].compactMap { $0?.outcome.urgency }
    return told.min() ?? (bot.state?.problems.isEmpty == false ? 1 : 5)
  }

  var title: String { troubles.isEmpty ? (quiet.isEmpty ? "No bot yet" : quiet) : troubles }

  var record: [String: TemplateValue] {
    [
      "troubles": .shown(ifAny: troubles.isEmpty ? nil : troubles), "quiet": .shown(ifAny: quiet.isEmpty ? nil : quiet),
      "rows": .list(bots.map(row)), "isEmpty": .flag(bots.isEmpty), "queue": queue,
      "machine": (state?.machine).map { facts in
        .list(facts.map { .record(["label": .text($0.label), "words": .shown($0.words)]) })
      } ?? .missing,
    ]
  }

  // MARK: The sentence

  private var troubles: String {
    let parts = [
      clause(names(of: bots) { $0 == .buildErrors }, "does not build", "do not build"),
      clause(names(of: bots) { $0 == .testFailures }, "is red", "are red"),
      clause(bots.filter { $0.trouble != nil }.map(\.name), "could not be integrated", "could not be integrated"),
      clause(names(of: bots) { $0 == .incomplete }, "is incomplete", "are incomplete"),
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + "."
  }

  private var quiet: String {
    // What was green before a trouble may not be any more.
    let calm = bots.filter { $0.trouble == nil }
    let parts = [
      clause(names(of: calm) { [.warnings, .analyzerWarnings].contains($0) }, "has warnings", "have warnings"),
      clause(names(of: calm) { $0 == .succeeded }, "is green", "are green"),
      clause(calm.filter { $0.newestConclusive == nil }.map(\.name), "has no result yet", "have no result yet"),
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: "; ") + "."
  }

  /// The bots whose newest result is one that is wanted.
  private func names(of bots: [BotHistory], _ isWanted: (Outcome) -> Bool) -> [String] {
    bots.filter { $0.newestConclusive.map { isWanted($0.outcome) } ?? false }.map(\.name)
  }

  private func clause(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.count > 5 ? names.prefix(4) + ["\(names.count - 4) others"] : names[...]
    return "\(CountText.list(Array(shown))) \(names.count == 1 ? one : many)"
  }

  // MARK: Rows

  private func row(_ bot: BotHistory) -> TemplateValue {
    // What there is to read is of the newest integration; the figures are of the newest that has any.
    let newest = bot.newestTold
    let measured = bot.newestConclusive
    let running = bot.running.first
    return .record([
      "style": .text(running != nil ? "running" : newest?.outcome.style ?? "not-run"),
      "glyph": .text(running != nil ? "running" : newest?.outcome.glyph ?? "not-run"),
      "name": .shown(bot.name), "link": .text("\(bot.name)/index.html"), "word": .text(word(bot)),
      "remark": .shown(remark(bot)), "number": newest.map { .number($0.number) } ?? .missing,
      "report": .optional(newest.flatMap { entry in bot.link(entry.number).map { "\(bot.name)/\($0)" } }),
      "date": .optional(newest.map { time.minute(of: $0.endedAt) }),
      "tests": measured.map(tests) ?? .missing, "lines": measured.map(lines) ?? .missing,
      "strip": .html(OutcomeStrip(bot.entries, isRunning: running != nil).html),
      "subject": .shown(ifAny: newest.map { FailureLine.firstLine($0.subject) }),
      "commit": .optional(newest?.commit.short), "author": .shown(ifAny: newest?.author),
      "more": newest.flatMap { $0.commitCount > 1 ? TemplateValue.text("and \($0.commitCount - 1) more") : nil }
        ?? .missing,
    ])
  }

  private func word(_ bot: BotHistory) -> String {
    if let running = bot.running.first { return running.step?.word ?? "Running" }
    return bot.newestTold?.outcomeWord ?? "No result yet"
  }

  private func remark(_ bot: BotHistory) -> String {
    if let problem = bot.state?.problems.first { return ": \(problem)\(source(bot))" }
    if bot.running.first != nil, let newest = bot.newestTold {
      return "; \(newest.number) \(newest.lowercasedOutcome)\(source(bot))"
    }
    guard let newest = bot.newestConclusive else { return "" }
    if bot.trouble != nil { return source(bot) }
    let silenced = newest.silencedWords.map { ", \($0)" } ?? ""
    if let since = bot.redSince {
      let news = newest.newIssues > 0 ? ", \(CountText.counted(newest.newIssues, "new issue"))" : ""
      return (since.number == newest.number ? "" : ", since \(since.number)") + news + silenced
    }
    let streak =
      bot.greenStreak > 1 && newest.outcome == .succeeded
      ? ", \(CountText.plain(bot.greenStreak)) green in a row" : ""
    return streak + silenced
  }

  /// Where the figures come from, when not from the integration that the row names.
  private func source(_ bot: BotHistory) -> String {
    guard bot.trouble != nil, let newest = bot.newestConclusive else { return "" }
    let silenced = newest.silencedWords.map { " with \($0)" } ?? ""
    return "; the figures are of \(newest.number), which \(newest.outcome.was)\(silenced)"
  }

  private func tests(_ entry: HistoryLine) -> TemplateValue {
    // Without a build no test was listed, and none has gone.
    guard entry.tests.listed > 0 else { return .missing }
    return .record([
      "red": .text("\(CountText.plain(entry.tests.red)) red"), "isRed": .flag(entry.tests.red > 0),
      "listed": .text("of \(CountText.plain(entry.tests.listed)) listed"),
      "delta": entry.listedChange.map { Delta($0, from: 0, .neutral) }.record,
      "redDelta": .record([
        "delta": entry.redChange.flatMap { $0 == 0 ? nil : Delta($0, from: 0, .moreIsWorse) }.record
      ]),
    ])
  }

  private func lines(_ entry: HistoryLine) -> TemplateValue {
    guard let lines = entry.lines else { return .missing }
    return .record([
      "uncovered": .text(CountText.plain(lines.uncovered)), "total": .text("of \(CountText.plain(lines.total))"),
      "delta": entry.uncoveredChange.map { Delta($0, from: 0, .moreIsWorse) }.record,
    ])
  }

  private var queue: TemplateValue {
    guard let state else { return .missing }
    let words =
      state.running.isEmpty && state.waiting.isEmpty
      ? "nothing runs, nothing waits"
      : "\(CountText.plain(state.running.count)) running, \(CountText.plain(state.waiting.count)) waiting"
    return .record([
      "summary": .text("\(words); \(CountText.counted(state.jobs, "job")) at a time"),
      "isBusy": .flag(!(state.running + state.waiting).isEmpty),
      "rows": .list((state.running + state.waiting).prefix(500).map { QueueRow($0, time: time).record }),
    ])
  }
}
