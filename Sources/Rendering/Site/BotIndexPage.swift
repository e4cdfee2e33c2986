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
    if let outcome = bot.newestConclusive?.outcome { return outcome.urgency }
    return bot.state?.problems.isEmpty == false ? 1 : 5
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
    let red = names { [.testFailures, .triggerError, .checkoutError, .internalError].contains($0) }
    let unbuilt = names { $0 == .buildErrors }
    let incomplete = names { $0 == .incomplete }
    let parts = [
      clause(unbuilt, "does not build", "do not build"), clause(red, "is red", "are red"),
      clause(incomplete, "is incomplete", "are incomplete"),
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + "."
  }

  private var quiet: String {
    let parts = [
      clause(names { [.warnings, .analyzerWarnings].contains($0) }, "has warnings", "have warnings"),
      clause(names { $0 == .succeeded }, "is green", "are green"),
      clause(bots.filter { $0.newestConclusive == nil }.map(\.name), "has no result yet", "have no result yet"),
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: "; ") + "."
  }

  private func names(_ isWanted: (Outcome) -> Bool) -> [String] {
    bots.filter { $0.newestConclusive.map { isWanted($0.outcome) } ?? false }.map(\.name)
  }

  private func clause(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.count > 5 ? names.prefix(4) + ["\(names.count - 4) others"] : names[...]
    return "\(CountText.list(Array(shown))) \(names.count == 1 ? one : many)"
  }

  // MARK: Rows

  private func row(_ bot: BotHistory) -> TemplateValue {
    let newest = bot.newestConclusive
    let running = bot.running.first
    return .record([
      "style": .text(running != nil ? "running" : newest?.outcome.style ?? "not-run"),
      "glyph": .text(running != nil ? "running" : newest?.outcome.glyph ?? "not-run"),
      "name": .shown(bot.name), "link": .text("\(bot.name)/index.html"), "word": .text(word(bot)),
      "remark": .shown(remark(bot)), "number": newest.map { .number($0.number) } ?? .missing,
      "report": .optional(newest.flatMap { entry in bot.link(entry.number).map { "\(bot.name)/\($0)" } }),
      "date": .optional(newest.map { time.minute(of: $0.endedAt) }),
      "tests": newest.map(tests) ?? .missing, "lines": newest.map(lines) ?? .missing,
      "strip": .html(OutcomeStrip(bot.entries, isRunning: running != nil).html),
      "subject": .shown(ifAny: newest.map { FailureLine.firstLine($0.subject) }),
      "commit": .optional(newest?.commit.short), "author": .shown(ifAny: newest?.author),
      "more": newest.flatMap { $0.commitCount > 1 ? TemplateValue.text("and \($0.commitCount - 1) more") : nil }
        ?? .missing,
    ])
  }

  private func word(_ bot: BotHistory) -> String {
    if let running = bot.running.first { return running.step?.word ?? "Running" }
    return bot.newestConclusive?.outcomeWord ?? "No result yet"
  }

  private func remark(_ bot: BotHistory) -> String {
    if let problem = bot.state?.problems.first { return ": \(problem)" }
    guard let newest = bot.newestConclusive else { return "" }
    if bot.running.first != nil { return "; \(newest.number) \(newest.lowercasedOutcome)" }
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
