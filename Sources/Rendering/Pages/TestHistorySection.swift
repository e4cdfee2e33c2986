import Model

/// The results and durations of a test in recent integrations, and of its runs in this one.
struct TestHistorySection: ReportSection {
  private static let mostRows = 20
  /// The rows that are open.
  private static let mostOpen = 5

  let test: TestID
  let report: ReportContext
  /// What each of its runs took; nil for a test that ran once.
  let runs: String?
  /// Since when it is red, as the heading of the page says.
  let redSince: Int?
  /// Its name, where the page is about other tests, too.
  let name: String?
  /// Whether all rows are folded away, below a table of the same integrations.
  let isFolded: Bool

  /// Missing for a test that ran only once.
  var record: TemplateValue {
    let runs = runs.map { TestHistoryWords.runs($0, in: integration.number) }
    let history = integration.histories[test].flatMap { $0.moments.count > 1 ? $0 : nil }
    guard runs != nil || history != nil else { return .missing }
    let sentences = history.map {
      TestHistoryWords.sentences($0, in: integration.number, redSince: redSince)
    }
    return .record([
      "sentences": .list(
        ((sentences ?? []) + [runs].compactMap(\.self)).map { sentence in
          sentence.record { report.address(of: $0, with: test, root: "../") }
        }),
      "past": history.map(past) ?? .missing,
    ])
  }

  private func past(_ history: TestHistory) -> TemplateValue {
    let moments = history.moments
    let left = moments.count - Self.mostRows
    let open = isFolded ? 0 : Self.mostOpen
    let hasBranches = Set(moments.map(\.branch)).count > 1
    let strip = OutcomeStrip(of: history, on: integration.branch)
    return .record([
      "summary": .shown(
        [name, CountText.counted(moments.count, "integration")].compactMap(\.self).joined(separator: ", ")),
      "strip": .html(strip.html), "hasOthers": .flag(strip.hasOthers),
      // What is measured takes a part of it, and has a plot of its own.
      "plot": report.tests[test]?.measuresTime == true ? .missing : plot(of: moments),
      "hasRows": .flag(open > 0), "rows": .list(moments.prefix(open).map { record(of: $0, hasBranches) }),
      "hasMore": .flag(moments.count > open),
      "more": .list(moments.prefix(Self.mostRows).dropFirst(open).map { record(of: $0, hasBranches) }),
      "left": left > 0 ? .text(CountText.counted(left, "older integration")) : .missing,
    ])
  }

  /// The least time in milliseconds of which a picture tells anything.
  private static let leastTime = 10

  /// Missing where the test always took next to no time, and where at most one run came to its end: how long others took
  /// until they died or were stopped says nothing of the test.
  private func plot(of moments: [TestHistory.Moment]) -> TemplateValue {
    let points = moments.reversed().map { moment in
      let time = moment.verdict.time
      return TrendPlot.Point(
        number: moment.number, value: time.map { Int(($0 * 1000).rounded()) }, isRed: moment.verdict.state.isRed,
        title: "\(moment.number): \(time.map { DurationText.fine($0) } ?? moment.verdict.endWord.lowercased())")
    }
    guard points.contains(where: { $0.value ?? 0 >= Self.leastTime }), moments.count(where: \.verdict.state.isEnd) > 1
    else { return .missing }
    let plot = TrendPlot(
      points: points, shape: .line(color: "f-accent", stroke: "s-accent"),
      label: "How long the test took, by integration", words: { DurationText.fine(Double($0) / 1000) },
      least: Self.leastTime, mostOfMedian: 4)
    return .html(plot.html)
  }

  private func record(of moment: TestHistory.Moment, _ hasBranches: Bool) -> TemplateValue {
    let verdict = moment.verdict
    return .record([
      "integration": .record([
        "number": .text("\(moment.number)"),
        "link": moment.number == integration.number ? .missing : .text("../../\(moment.number)/index.html"),
      ]),
      "glyph": .text(verdict.glyph),
      "word": .text(verdict.isFlaky ? "\(verdict.endWord), flaky" : verdict.endWord),
      "duration": .text(DurationText.fine(ifKnown: verdict.time)),
      "commit": .text(moment.commit.short), "branch": .shown(ifAny: hasBranches ? moment.branch : nil),
    ])
  }
}
