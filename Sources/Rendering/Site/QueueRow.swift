import Model

/// A running or waiting integration.
struct QueueRow {
  let entry: WatchState.Entry
  let time: LocalTime
  /// The page of the bot; nil on that page, and for a bot without one.
  var page: String?
  /// What keeps its bot from running, in mid-sentence; nil if nothing does.
  var hindrance: String?

  var record: TemplateValue {
    .record([
      "glyph": entry.number == nil ? "not-run" : "running", "bot": .shown(entry.bot),
      "page": .optional(page),
      "number": .optional(entry.number.map { "\($0)" }), "branch": .shown(ifAny: entry.branch),
      "commit": .text(entry.commit.short), "cause": .text(entry.cause.phrase),
      "more": entry.commitCount > 1 ? .text("covers \(CountText.counted(entry.commitCount, "commit"))") : .missing,
      "step": .text(entry.step.map(\.word) ?? hindrance.map { "waiting: \($0)" } ?? entry.waitsFor ?? "waiting"),
      "since": .text(time.minute(of: entry.since)),
      "machineDate": .text(time.machine(of: entry.since)), "log": .shown(ifAny: log),
    ])
  }

  /// The words behind the last row; missing if no integration is left out.
  static func unlisted(_ count: Int) -> TemplateValue {
    count > 0 ? .text("and \(CountText.plain(count)) more") : .missing
  }

  /// The address at which a Martlet server provides the step's output; nil for a waiting integration.
  private var log: String? {
    guard let number = entry.number, let step = entry.step else { return nil }
    return "/log/\(SiteAddress.encoded(entry.bot))/\(number)/\(step.rawValue)"
  }
}
