import FoundationEssentials
import Model

/// One integration in the history of a bot, with what it changed against the one that it is compared with.
struct BotHistoryRow {
  private let entry: HistoryLine
  private let bot: BotHistory
  private let time: LocalTime
  /// The branch that rows need not name: the default one, or that of the page.
  private let mainBranch: String?
  /// The pages of branches, by name.
  private let pages: [String: String]
  /// When the page is written, whose day and year dates need not name; nil if that is not known.
  private let asOf: Date?

  init(
    _ entry: HistoryLine, of bot: BotHistory, mainBranch: String?, pages: [String: String], asOf: Date?,
    time: LocalTime
  ) {
    self.asOf = asOf
    self.pages = pages
    self.entry = entry
    self.bot = bot
    self.time = time
    self.mainBranch = mainBranch
  }

  var record: TemplateValue {
    let branch = entry.branch == mainBranch ? nil : entry.branch
    let record: [String: TemplateValue] = [
      "glyph": .text(entry.glyph), "number": .number(entry.number), "link": .optional(bot.link(entry.number)),
      "word": .text(entry.outcomeWord), "comparison": .optional(comparison),
      "baseline": .optional(base.map(String.init)), "result": .shown(entry.resultWords),
      "wholeResult": .shown(ifAny: entry.isLong ? entry.wholeResult : nil),
      "subject": .shown(FailureLine.firstLine(entry.subject)),
      "more": entry.commitCount > 1 ? .text("and \(CountText.plain(entry.commitCount - 1)) more") : .missing,
      "branch": .shown(ifAny: branch ?? entry.tag.map { "tag \($0)" }),
      "branchPage": .optional(branch.flatMap { pages[$0] }),
      "isToolchain": .flag(entry.cause == .toolchain), "isDirty": .flag(entry.uncommitted == true),
      "author": .shown(entry.author),
      "listedValue": .number(entry.tests.listed),
      "uncovered": .optional(entry.uncoveredWords),
      "coverage": .optional(bot.coverageLink(entry)), "uncoveredValue": .number(entry.lines?.uncovered ?? -1),
      "uncoveredDelta": .record(["delta": uncoveredDelta.record]),
      "duration": .text(DurationText.short(entry.duration)),
      "seconds": .text("\((entry.duration * 10).rounded() / 10)"),
      "date": .text(time.minute(of: entry.startedAt, beside: asOf)),
      "machineDate": .text(time.machine(of: entry.startedAt)),
      "dateValue": .number(Int(entry.startedAt.timeIntervalSince1970)),
    ]
    let tests = entry.testsCell(bot.testsLink(entry), red: bot.redDelta(of: entry, since: base), listed: listedDelta)
    return .record(record.merging(tests) { value, _ in value })
  }

  /// The last integration that was built, where the baseline was not and a page compares with that one; otherwise nil.
  private var built: Int? { bot.withBuiltComparison.contains(entry.number) ? entry.coverageBaseline : nil }

  /// The integration that all changes of the row are against.
  private var base: Int? { built ?? entry.baseline }

  private var comparison: String? {
    built == nil ? bot.comparisonLink(entry.number) : "\(entry.number)/\(OtherReference.built.path)"
  }

  private var listedDelta: Delta? {
    guard built != nil else { return entry.listedChange.flatMap { Delta($0, from: 0, .neutral) } }
    return bot.entries.first { $0.number == base }
      .flatMap { Delta(entry.tests.listed, from: $0.tests.listed, .neutral) }
  }

  private var uncoveredDelta: Delta? {
    entry.coverageBaseline == nil || entry.coverageBaseline == base ? entry.uncoveredDelta : nil
  }
}
