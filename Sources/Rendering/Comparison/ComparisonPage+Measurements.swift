import Model

extension ComparisonPage {
  /// What the tests of either integration measured.
  var measured: TemplateValue {
    let rows = comparison.tests.measured
    guard !rows.isEmpty else { return .missing }
    return .record([
      "summary": .shown(ifAny: words.measuredSummary), "rows": .list(rows.prefix(Self.most).map(row)),
      "left": rows.count > Self.most
        ? .text(CountText.counted(rows.count - Self.most, "more measured value")) : .missing,
      "rule": .text(MeasurementWords.rule(comparison.tests.measurementRule)),
    ])
  }

  private func row(_ measured: MeasuredTest) -> TemplateValue {
    func side(_ figure: MeasuredFigure?) -> TemplateValue {
      .shown(ifAny: figure.map { "\(MeasurementWords.average($0)) \(MeasurementWords.deviation($0))" })
    }
    return .record([
      "name": .shown(measured.title), "suite": .shown(measured.id.suite), "link": .optional(links.test(measured.id)),
      "metric": .shown((measured.after ?? measured.before)?.metric ?? ""), "before": side(measured.before),
      "after": side(measured.after), "change": MeasurementRow.record(of: measured.change),
    ])
  }
}
