import Model

/// The page at the address of a removed report, since kept pages link there: it states the removal and shows the
/// figures in the history.
struct RemovedPage {
  private let entry: HistoryLine
  private let bot: BotHistory
  private let time: LocalTime

  init(_ entry: HistoryLine, of bot: BotHistory, time: LocalTime) {
    self.entry = entry
    self.bot = bot
    self.time = time
  }

  var title: String { "The report of \(bot.name) \(entry.number) was removed" }

  var record: [String: TemplateValue] {
    [
      "glyph": .text(entry.glyph), "sentence": .shown(title),
      "figures": .list(figures.map(\.record)),
      "reasons": .list(entry.reasons.prefix(10).map { .shown($0) }),
    ]
  }

  private var figures: [Figure] {
    let figures = [
      Figure("Outcome", entry.outcomeWord),
      Figure("Commit", "\(entry.commit.short) \(FailureLine.firstLine(entry.subject))"),
      Figure("Author", entry.author), Figure("Branch", entry.branch ?? ""), Figure("Tag", entry.tag ?? ""),
      Figure("Started", "\(time.minute(of: entry.startedAt)) \(time.zone(of: entry.startedAt))"),
      Figure("Duration", DurationText.short(entry.duration)),
      tests,
      Figure(
        "Uncovered lines",
        entry.lines.map { "\(entry.uncoveredWords ?? "") of \(CountText.plain($0.total))" } ?? "not measured",
        entry.uncoveredDelta),
      Figure("Warnings", entry.knownWarnings.map(CountText.plain) ?? "not checked"),
      Figure(
        "Open issues", CountText.plain(entry.openIssues),
        baseline.flatMap { Delta(entry.openIssues, from: $0.openIssues, .moreIsWorse) },
        ", \(CountText.plain(entry.newIssues)) of them new" + (entry.silencedWords.map { "; \($0)" } ?? "")),
    ]
    return figures.filter { !$0.words.isEmpty }
  }

  private var tests: Figure {
    guard entry.tests.listed > 0 else { return Figure("Tests", "none ran") }
    return Figure(
      "Tests", "\(CountText.plain(entry.tests.listed)) listed",
      entry.listedChange.flatMap { Delta($0, from: 0, .neutral) }, ": \(TestSum(entry.tests).parts)")
  }

  private var baseline: HistoryLine? { bot.entries.first { $0.number == entry.baseline } }

  /// A line of the remaining figures, with the change if the history still has it.
  private struct Figure {
    let label: String
    let words: String
    let delta: Delta?
    /// The text after the change.
    let rest: String?

    init(_ label: String, _ words: String, _ delta: Delta? = nil, _ rest: String? = nil) {
      self.label = label
      self.words = words
      self.delta = delta
      self.rest = rest
    }

    var record: TemplateValue {
      .record(["label": .text(label), "words": .shown(words), "delta": delta.record, "rest": .shown(ifAny: rest)])
    }
  }
}
