import Model

/// The results and durations of a test in recent integrations.
struct TestHistorySection: ReportSection {
  private static let mostRows = 20
  /// The rows that are open.
  private static let mostOpen = 5

  let test: TestID
  let report: ReportContext

  /// Missing for a test that ran only now.
  var record: TemplateValue {
    guard let history = integration.histories[test], history.moments.count > 1 else { return .missing }
    let moments = history.moments
    let left = moments.count - Self.mostRows
    let hasBranches = Set(moments.map(\.branch)).count > 1
    return .record([
      "summary": .text(CountText.counted(moments.count, "integration")),
      "sentences": .list(TestHistoryWords.sentences(history, in: integration.number).map { .text($0) }),
      "strip": .html(OutcomeStrip(of: history, on: integration.branch).html), "plot": plot(of: moments),
      "rows": .list(moments.prefix(Self.mostOpen).map { record(of: $0, hasBranches) }),
      "hasMore": .flag(moments.count > Self.mostOpen),
      "more": .list(moments.prefix(Self.mostRows).dropFirst(Self.mostOpen).map { record(of: $0, hasBranches) }),
      "left": left > 0 ? .text(CountText.counted(left, "older integration")) : .missing,
    ])
  }

  /// The least time in milliseconds of which a picture tells anything.
  private static let leastTime = 10

  /// Missing where the test always took next to no time.
  private func plot(of moments: [TestHistory.Moment]) -> TemplateValue {
    let points = moments.reversed().map { moment in
      let time = moment.verdict.time
      return TrendPlot.Point(
        number: moment.number, value: time.map { Int(($0 * 1000).rounded()) }, isRed: moment.verdict.state.isRed,
        title: "\(moment.number): \(time.map(DurationText.short) ?? moment.verdict.endWord.lowercased())")
    }
    guard points.contains(where: { $0.value ?? 0 >= Self.leastTime }) else { return .missing }
    let plot = TrendPlot(
      points: points, shape: .line(color: "f-accent", stroke: "s-accent"),
      label: "How long the test took, by integration", words: { DurationText.short(Double($0) / 1000) },
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
      "duration": .text(DurationText.known(verdict.time)),
      "commit": .text(moment.commit.short), "branch": .shown(ifAny: hasBranches ? moment.branch : nil),
    ])
  }
}
