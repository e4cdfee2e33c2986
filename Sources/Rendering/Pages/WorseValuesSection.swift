import Model

/// The measured values that became worse, below the verdict of an integration that is not red.
struct WorseValuesSection: ReportSection {
  private static let most = 10

  let report: ReportContext

  var record: TemplateValue {
    guard let worse = integration.worse else { return .missing }
    let values = integration.worseValues
    let (shown, left) = (values.prefix(Self.most), values.count - Self.most)
    return .record([
      "caption": "Worse measured values", "label": .text(worse.areTimes ? "Slower" : "Worse"),
      "hasWho": .flag(shown.contains { integration.worseCauses[$0.test] != nil }),
      // What each is compared with is said of it.
      "hasSince": .flag(false), "rows": .list(shown.map { row($0.test, $0.trend) }),
      "left": left > 0 ? .text(CountText.counted(left, "more value")) : .missing,
    ])
  }

  private func row(_ test: TestID, _ trend: MeasurementTrend) -> TemplateValue {
    let result = report.tests[test]
    return .record([
      "glyph": "warning", "name": .name(result?.title ?? test.name), "suite": .shown(test.home),
      "link": .optional(report.link(to: test)), "say": .shown(ifAny: MeasurementWords.news(trend)),
      "place": .place(result?.location), "placeLink": sources.link(to: result?.location),
      "trace": report.trace(of: integration.worseCauses[test], beside: result?.location),
    ])
  }
}
