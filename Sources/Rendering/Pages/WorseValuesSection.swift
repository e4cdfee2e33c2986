import Model

/// The measured values that became worse, below the verdict of an integration that is not red.
struct WorseValuesSection: ReportSection {
  private static let most = 10

  let report: ReportContext

  /// The values with their tests. What is red hides them, and so does switching off the hint.
  var values: [(test: TestID, trend: MeasurementTrend)] {
    guard integration.outcome.isGreen, integration.earlier == nil,
      integration.practice?.hints.contains(where: { $0.name == .measurements && $0.state == .attention }) == true
    else { return [] }
    return integration.tests.results.flatMap { test in
      (integration.trends[test.id] ?? []).filter { $0.newest?.change.course() == .higher }.map { (test.id, $0) }
    }
  }

  var record: TemplateValue {
    let values = self.values
    guard !values.isEmpty else { return .missing }
    let left = values.count - Self.most
    let areTimes = values.allSatisfy { $0.trend.newest?.change.after.isTime == true }
    return .record([
      "caption": "Worse measured values", "label": .text(areTimes ? "Slower" : "Worse"),
      "hasWho": .flag(false), "hasSince": .flag(false), "rows": .list(values.prefix(Self.most).map(row)),
      "left": left > 0 ? .text(CountText.counted(left, "more value")) : .missing,
    ])
  }

  private func row(_ value: (test: TestID, trend: MeasurementTrend)) -> TemplateValue {
    let result = report.tests[value.test]
    return .record([
      "glyph": "warning", "name": .name(result?.title ?? value.test.name), "suite": .shown(value.test.home),
      "link": .optional(report.link(to: value.test)), "say": .shown(ifAny: MeasurementWords.news(value.trend)),
      "place": .place(result?.location), "placeLink": sources.link(to: result?.location),
    ])
  }
}
