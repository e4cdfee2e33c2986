import Model

/// What stands at the address of a report that was removed, because pages that are kept lead there: that it was, and the
/// figures that the history keeps.
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
      "glyph": .text(entry.outcome.glyph), "sentence": .shown(title),
      "figures": .list(
        figures.map { .record(["label": .text($0.0), "words": .shown($0.1)]) }),
      "reasons": .list(entry.reasons.prefix(10).map { .shown($0) }),
    ]
  }

  private var figures: [(String, String)] {
    let tests = entry.tests
    var figures = [
      ("Outcome", entry.outcome.word),
      ("Commit", "\(entry.commit.short) \(FailureLine.firstLine(entry.subject))"), ("Author", entry.author),
      ("Branch", entry.branch ?? ""),
      ("Started", "\(time.minute(of: entry.startedAt)) \(time.offset(of: entry.startedAt))"),
      ("Duration", DurationText.short(entry.duration)),
      ("Tests", tests.listed > 0 ? TestSum(tests).sentence : "none ran"),
    ]
    figures.append(
      (
        "Uncovered lines",
        entry.lines.map { "\(CountText.plain($0.uncovered)) of \(CountText.plain($0.total))" } ?? "not measured"
      ))
    figures.append(("Warnings", CountText.plain(entry.warnings)))
    figures.append(
      ("Open issues", "\(CountText.plain(entry.openIssues)), \(CountText.plain(entry.newIssues)) of them new"))
    return figures.filter { !$0.1.isEmpty }
  }
}
