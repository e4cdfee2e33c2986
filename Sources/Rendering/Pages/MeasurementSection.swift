import Model

/// The measurements of a test, and their trends over recent integrations.
struct MeasurementSection: ReportSection {
  private static let mostRows = 20

  let test: TestResult
  let report: ReportContext

  private var trends: [MeasurementTrend] { integration.trends[test.id] ?? [] }

  /// Missing for a test that measured nothing.
  var record: TemplateValue {
    guard !test.measurements.isEmpty else { return .missing }
    let told = trends.filter { $0.known.count > 1 }
    return .record([
      "rows": .list(test.measurements.map(row)),
      "count": .text(CountText.counted(test.measurements.count, "measurement")),
      "trends": .list(told.map(record)), "rule": told.isEmpty ? .missing : .text(MeasurementWords.rule()),
      "isFirst": .flag(told.isEmpty),
    ])
  }

  private func row(_ measured: TestMeasurement) -> TemplateValue {
    func value(_ value: Double) -> TemplateValue { .shown(MeasurementWords.value(value, unit: measured.unit)) }
    let figure = MeasuredFigure(measured)
    // The history has the first of each metric.
    let isFirst = test.measurements.first { $0.metric == measured.metric && $0.unit == measured.unit } == measured
    let trend = trends.first { $0.metric == measured.metric && $0.unit == measured.unit }
    return .record([
      "name": .shown(measured.metric), "average": value(measured.average),
      "deviation": .shown(ifAny: figure.map(MeasurementWords.deviation)),
      "least": value(measured.values.min() ?? 0), "most": value(measured.values.max() ?? 0),
      "repetitions": .text(CountText.plain(measured.values.count)),
      "change": isFirst ? MeasurementRow.record(of: trend?.newest?.change) : .missing,
    ])
  }

  private func record(of trend: MeasurementTrend) -> TemplateValue {
    let gaps = trend.points.count - trend.known.count
    let missing = gaps > 0 ? ", \(CountText.plain(gaps)) of them without a figure" : ""
    let left = trend.points.count - Self.mostRows
    return .record([
      "name": .shown(trend.metric), "plot": .html(MeasurementPlot(trend).html),
      "summary": .text("the last \(CountText.counted(trend.points.count, "integration"))\(missing)"),
      "rows": .list(
        trend.points.prefix(Self.mostRows).map { MeasurementRow($0, of: trend).record(in: integration.number) }),
      "left": left > 0 ? .text(CountText.counted(left, "older integration")) : .missing,
    ])
  }
}
