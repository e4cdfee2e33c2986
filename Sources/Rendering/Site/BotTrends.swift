import Model

/// The three plots of a bot's page: lines that never ran, lines that ran, tests.
struct BotTrends {
  /// How many integrations a plot has room for.
  static let most = 60

  /// Oldest first; runs that were canceled or that Martlet could not do keep their place as gaps.
  private let entries: [HistoryLine]
  private let place: String

  /// - Parameters:
  ///   - newestFirst: the integrations of one branch.
  ///   - place: what names the branch behind other words; empty for a bot of one branch.
  init(_ newestFirst: [HistoryLine], place: String = "") {
    entries = newestFirst.prefix(Self.most).reversed()
    self.place = place
  }

  var record: TemplateValue {
    guard entries.count > 1 else { return .missing }
    return .list([uncovered, ran, tests])
  }

  private var uncovered: TemplateValue {
    figure(
      words: "uncovered lines", entries.map { $0.lines?.uncovered }, .line(color: "f-red", stroke: "s-red"),
      delta: newest?.uncoveredChange.map { Delta($0, from: 0, .moreIsWorse) })
  }

  private var ran: TemplateValue {
    figure(
      words: "lines that ran", entries.map { $0.lines?.covered }, .line(color: "f-accent", stroke: "s-accent"),
      delta: newest?.ranChange.map { Delta($0, from: 0, .neutral) })
  }

  private var tests: TemplateValue {
    let points = entries.map { entry in
      let listed = entry.tests.listed > 0 ? entry.tests.listed : nil
      return TrendPlot.Point(
        number: entry.number, value: listed, red: entry.tests.red,
        title: listed.map { "\(entry.number): \(CountText.plain($0)) listed, \(CountText.plain(entry.tests.red)) red" }
          ?? "\(entry.number): \(entry.lowercasedOutcome), no tests ran")
    }
    // Without a build no test was listed, and none has gone.
    let ran = newest.flatMap { $0.tests.listed > 0 ? $0 : nil }
    return .record([
      "value": .text(ran.map { CountText.plain($0.tests.listed) } ?? "–"), "words": .shown("tests listed\(place)"),
      "delta": (ran?.listedChange).map { Delta($0, from: 0, .neutral) }.record,
      "plot": .html(TrendPlot(points: points, shape: .bars, label: label("listed tests", points)).html),
    ])
  }

  private var newest: HistoryLine? { entries.last }

  private func figure(words: String, _ values: [Int?], _ shape: TrendPlot.Shape, delta: Delta? = nil) -> TemplateValue {
    let points = zip(entries, values).map { entry, value in
      TrendPlot.Point(
        number: entry.number, value: value,
        title: "\(entry.number): \(value.map { "\(CountText.plain($0)) \(words)" } ?? "not measured")")
    }
    let last = values.last.flatMap(\.self)
    return .record([
      "value": .text(last.map(CountText.plain) ?? "–"), "words": .shown(words + place), "delta": delta.record,
      "plot": .html(TrendPlot(points: points, shape: shape, label: label(words, points)).html),
    ])
  }

  private func label(_ words: String, _ points: [TrendPlot.Point]) -> String {
    let known = points.filter { $0.value != nil }
    guard let first = known.first, let last = known.last else { return "No integration measured \(words)\(place)" }
    let range =
      "from \(CountText.plain(first.value ?? 0)) in \(first.number) to \(CountText.plain(last.value ?? 0)) in \(last.number)"
    let gaps = points.filter { $0.value == nil }.map { "\($0.number)" }
    return "The number of \(words)\(place) \(range)"
      + (gaps.isEmpty ? "" : "; nothing measured in \(CountText.list(gaps))")
  }
}
