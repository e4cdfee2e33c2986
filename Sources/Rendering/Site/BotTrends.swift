import Model

/// The three plots of a bot's page: the share of lines that never ran, tests, and how long these took.
struct BotTrends {
  /// The maximum number of integrations in a plot.
  static let most = 60

  /// Oldest first; canceled integrations and those with internal errors appear as gaps.
  private let entries: [HistoryLine]
  private let bot: BotHistory
  private let place: String

  /// - Parameters:
  ///   - newestFirst: the integrations of one branch of the bot.
  ///   - place: a suffix that names the branch; empty for a bot with one branch.
  init(_ newestFirst: [HistoryLine], of bot: BotHistory, place: String) {
    self.bot = bot
    entries = newestFirst.prefix(Self.most).reversed()
    self.place = place
  }

  /// Missing for a single integration, which shows no trend.
  var record: TemplateValue {
    guard entries.count > 1 else { return .missing }
    return .record(["figures": .list([uncovered, tests, duration])])
  }

  /// In tenths of a per cent, because the number of lines grows with the code. The axis ends at the next multiple of five
  /// per cent, so that no share looks like all.
  private var uncovered: TemplateValue {
    let shares = entries.map { entry in entry.lines.flatMap { CountText.tenths($0.uncovered, of: $0.total) } }
    let most = shares.compactMap(\.self).max() ?? 0
    return figure(
      words: "of all lines uncovered", value: newest?.lines.flatMap { CountText.percent($0.uncovered, of: $0.total) },
      shares, link: newest.flatMap(bot.coverageLink), unit: { CountText.percent($0, of: 1000) ?? "" },
      least: min(1000, (most / 50 + 1) * 50), .line(color: "f-red", stroke: "s-red"))
  }

  private var duration: TemplateValue {
    figure(
      words: "testing", value: newest?.testing.map { DurationText.short($0) },
      entries.map { entry in entry.outcome.isConclusive ? entry.testing.map { Int($0 * 1000) } : nil },
      unit: { DurationText.short(Double($0) / 1000) }, least: 1000, mostOfMedian: 4,
      .line(color: "f-accent", stroke: "s-accent"))
  }

  private var tests: TemplateValue {
    let points = entries.map { entry in
      let listed = entry.tests.listed > 0 ? entry.tests.listed : nil
      return TrendPlot.Point(
        number: entry.number, value: listed, red: entry.tests.red,
        amber: entry.tests.quit + entry.tests.unseen + entry.tests.flaky,
        grey: entry.tests.skipped + entry.tests.canceled,
        title: listed.map { title(of: entry, listed: $0) }
          ?? "\(entry.number): \(entry.lowercasedOutcome), no tests ran")
    }
    // Without a build no test was listed, which does not mean that any were removed.
    let ran = newest.flatMap { $0.tests.listed > 0 ? $0 : nil }
    return .record([
      "value": .text(ran.map { CountText.plain($0.tests.listed) } ?? "–"),
      "link": .optional(ran.flatMap(bot.testsLink)),
      "words": .shown("\(CountText.agreeing(ran?.tests.listed ?? 0, "test", "tests")) listed\(place)"),
      "delta": (ran?.listedChange).flatMap { Delta($0, from: 0, .neutral) }.record,
      "plot": .html(TrendPlot(points: points, shape: .bars, label: label("listed tests", points)).html),
    ])
  }

  private func title(of entry: HistoryLine, listed: Int) -> String {
    let tests = entry.tests
    let others = [
      (tests.quit, "quit"), (tests.unseen, "not run"), (tests.flaky, "flaky"), (tests.skipped, "skipped"),
      (tests.canceled, "canceled"),
    ]
    let parts = [(tests.red, "red")] + others.filter { $0.0 > 0 }
    return "\(entry.number): \(CountText.plain(listed)) listed, "
      + parts.map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private var newest: HistoryLine? { entries.last }

  /// Returns a figure; without a plot where no value is other than zero, which the figure says.
  private func figure(
    words: String, value: String?, _ values: [Int?], link: String? = nil, unit: @escaping (Int) -> String, least: Int,
    mostOfMedian: Int? = nil, _ shape: TrendPlot.Shape
  ) -> TemplateValue {
    let points = zip(entries, values).map { entry, value in
      TrendPlot.Point(
        number: entry.number, value: value,
        title: "\(entry.number): \(value.map { "\(unit($0)) \(words)" } ?? "not measured")")
    }
    let plot = TrendPlot(
      points: points, shape: shape, label: label(words, points, unit), words: unit, least: least,
      mostOfMedian: mostOfMedian)
    return .record([
      "value": .text(value ?? "–"), "link": .optional(link), "words": .shown(words + place), "delta": .missing,
      "plot": values.contains { $0 ?? 0 > 0 } ? .html(plot.html) : .missing,
    ])
  }

  private func label(
    _ words: String, _ points: [TrendPlot.Point], _ unit: (Int) -> String = CountText.plain
  ) -> String {
    let known = points.filter { $0.value != nil }
    guard let first = known.first, let last = known.last else { return "No integration measured \(words)\(place)" }
    let range =
      "from \(unit(first.value ?? 0)) in \(first.number) to \(unit(last.value ?? 0)) in \(last.number)"
    let gaps = points.filter { $0.value == nil }.map { "\($0.number)" }
    return "\(words.capitalizedFirst)\(place), \(range)"
      + (gaps.isEmpty ? "" : "; nothing measured in \(CountText.list(gaps))")
  }
}
