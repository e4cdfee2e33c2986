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

  /// Missing for a single integration, which shows no trend, and where nothing was measured.
  var record: TemplateValue {
    let figures = [uncovered, tests, duration].compactMap(\.self)
    guard entries.count > 1, !figures.isEmpty else { return .missing }
    return .record(["figures": .list(figures), "legend": legend])
  }

  private var shares: [Int?] {
    entries.map { entry in entry.lines.flatMap { CountText.tenths($0.uncovered, of: $0.total) } }
  }

  private var milliseconds: [Int?] {
    entries.map { entry in entry.outcome.isConclusive ? entry.testing.map { Int($0 * 1000) } : nil }
  }

  /// What the parts of bars and the marks stand for that there are; missing if all bars are plain.
  private var legend: TemplateValue {
    let all = entries.map(Self.parts)
    let present = (all.first ?? []).enumerated().filter { part in
      all.contains { $0[part.offset].count > 0 }
    }.map(\.element)
    let isUntested = hasTests && entries.contains { $0.tests.listed == 0 }
    let hasGap = [shares, milliseconds].contains(where: Self.hasGap)
    func sample(_ drawing: SafeHTML, _ words: String) -> TemplateValue {
      .record(["bar": .html(drawing), "words": .text(words)])
    }
    let bars = present.grouped { $0.style }.map { alike in
      sample(Self.bar(alike[0].style), CountText.list(alike.map(\.word), "or"))
    }
    let isPartial = zip(entries, shares).contains { !$0.tests.isWhole && $1 != nil }
    let marks =
      (isUntested ? [sample(Self.cross, "no tests ran")] : [])
      + (isPartial ? [sample(Self.ring, "some tests did not run")] : [])
      + (hasGap ? [sample(Self.dashes, "not measured")] : [])
    if bars.isEmpty && marks.isEmpty { return .missing }
    return .record(["bars": .list((bars.isEmpty ? [] : bars + [sample(Self.bar("f-green"), "passed")]) + marks)])
  }

  /// Whether a line bridges what was not measured.
  private static func hasGap(_ values: [Int?]) -> Bool {
    guard let first = values.firstIndex(where: { $0 != nil }),
      let last = values.lastIndex(where: { $0 != nil })
    else { return false }
    return values[first...last].contains { $0 == nil }
  }

  /// The parts of a bar that are not plain, from the top: their colour, a word and how many tests they are.
  private static func parts(of entry: HistoryLine) -> [(style: String, word: String, count: Int)] {
    let tests = entry.tests
    return [
      ("f-red", "red", entry.countingRed), ("f-amber", "quit", tests.quit), ("f-amber", "not run", tests.unseen),
      ("f-amber", "flaky", tests.flaky), ("f-grey", "silenced", entry.silencedRed),
      ("f-grey", "skipped", tests.skipped), ("f-grey", "canceled", tests.canceled),
    ]
  }

  private static func sum(_ style: String, of entry: HistoryLine) -> Int {
    parts(of: entry).reduce(0) { $0 + ($1.style == style ? $1.count : 0) }
  }

  private static func bar(_ style: String) -> SafeHTML {
    var html = SafeHTML(#"<svg class="strip" viewBox="0 0 10 26" aria-hidden="true"><path class=""#)
    html.append(escaping: style)
    html.append(#"" d="M1 4h8v20h-8z"/></svg>"#)
    return html
  }

  private static let cross = SafeHTML(
    #"<svg class="strip" viewBox="0 0 10 26" aria-hidden="true"><path class="s-ink" d="M0 10l10 10m0-10l-10 10"/></svg>"#
  )

  private static let ring = SafeHTML(
    #"<svg class="strip" viewBox="0 0 10 26" aria-hidden="true"><circle class="hollow s-red" cx="5" cy="16" r="4"/></svg>"#
  )

  private static let dashes = SafeHTML(
    #"<svg class="strip gap" viewBox="0 0 30 26" aria-hidden="true"><path class="s-ink" stroke-dasharray="5 5" d="M0 15h30"/></svg>"#
  )

  /// In tenths of a per cent, because the number of lines grows with the code. The axis ends at the next multiple of five
  /// per cent, so that no share looks like all.
  private var uncovered: TemplateValue? {
    let shares = shares
    let most = shares.compactMap(\.self).max() ?? 0
    return figure(
      words: "of all lines uncovered", value: newest.flatMap(Self.share),
      shares, isOfCoverage: true, link: newest.flatMap(bot.coverageLink),
      unit: { CountText.percent($0, of: 1000) ?? "" },
      least: min(1000, (most / 50 + 1) * 50), .line(color: "f-red", stroke: "s-red"))
  }

  private static func share(of entry: HistoryLine) -> String? {
    entry.lines.flatMap { lines in
      CountText.percent(lines.uncovered, of: lines.total).map { entry.bound(on: lines.uncovered) + $0 }
    }
  }

  private var duration: TemplateValue? {
    figure(
      words: "testing", value: newest?.testing.map { DurationText.short($0) },
      milliseconds,
      unit: { DurationText.short(Double($0) / 1000) }, least: 1000, mostOfMedian: 4,
      .line(color: "f-accent", stroke: "s-accent"))
  }

  private var hasTests: Bool { entries.contains { $0.tests.listed > 0 } }

  private var tests: TemplateValue? {
    guard hasTests else { return nil }
    let points = entries.map { entry in
      let listed = entry.tests.listed > 0 ? entry.tests.listed : nil
      return TrendPlot.Point(
        number: entry.number, value: listed, red: Self.sum("f-red", of: entry), amber: Self.sum("f-amber", of: entry),
        grey: Self.sum("f-grey", of: entry),
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
    let all = Self.parts(of: entry)
    let parts = all.prefix(1) + all.dropFirst().filter { $0.count > 0 }
    return "\(entry.number): \(CountText.plain(listed)) listed, "
      + parts.map { "\(CountText.plain($0.count)) \($0.word)" }.joined(separator: ", ")
  }

  private var newest: HistoryLine? { entries.last }

  /// Returns a figure with its plot; nil where nothing was measured.
  ///
  /// - Parameter isOfCoverage: whether it is not that of all tests where some did not run.
  private func figure(
    words: String, value: String?, _ values: [Int?], isOfCoverage: Bool = false, link: String? = nil,
    unit: @escaping (Int) -> String, least: Int, mostOfMedian: Int? = nil, _ shape: TrendPlot.Shape
  ) -> TemplateValue? {
    guard values.contains(where: { $0 != nil }) else { return nil }
    func remark(_ entry: HistoryLine) -> String? {
      isOfCoverage ? MissingTestsWords.missing(ifAny: entry.tests).map { ", \($0)" } : nil
    }
    let points = zip(entries, values).map { entry, value in
      let missing = remark(entry)
      return TrendPlot.Point(
        number: entry.number, value: value, isPartial: missing != nil,
        title: "\(entry.number): \(value.map { "\(unit($0)) \(words)\(missing ?? "")" } ?? "not measured")")
    }
    let plot = TrendPlot(
      points: points, shape: shape, label: label(words, points, unit), words: unit, least: least,
      mostOfMedian: mostOfMedian)
    let missing = value == nil ? nil : newest.flatMap(remark)
    return .record([
      "value": .text(value ?? "–"), "link": .optional(link), "words": .shown(words + place + (missing ?? "")),
      "delta": .missing, "plot": .html(plot.html),
    ])
  }

  private func label(
    _ words: String, _ points: [TrendPlot.Point], _ unit: (Int) -> String = CountText.plain
  ) -> String {
    let known = points.filter { $0.value != nil }
    guard let first = known.first, let last = known.last else { return words + place }
    let range =
      "from \(unit(first.value ?? 0)) in \(first.number) to \(unit(last.value ?? 0)) in \(last.number)"
    let gaps = points.filter { $0.value == nil }.map { "\($0.number)" }
    return "\(words.capitalizedFirst)\(place), \(range)"
      + (gaps.isEmpty ? "" : "; nothing measured in \(CountText.list(gaps))")
  }
}
