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
    // The history has the first of each metric.
    let inHistory = told.compactMap(newest(of:))
    let rows = test.measurements.filter { !inHistory.contains($0) }
    return .record([
      "rows": .list(rows.map(row)), "hasRows": .flag(!rows.isEmpty),
      "trends": .list(told.map(record)), "rule": told.isEmpty ? .missing : .text(MeasurementWords.rule()),
      "isFirst": .flag(told.isEmpty),
    ])
  }

  /// The first figure and how it changed, such as `194 µs ±3%, +1%`; nil for a test that measured nothing.
  var figure: String? {
    guard let first = test.measurements.first, let figure = MeasuredFigure(first) else { return nil }
    let trend = trends.first { newest(of: $0) == first }
    let name = figure.isTime ? "" : "\(first.metric) "
    let words = "\(name)\(MeasurementWords.average(figure)) \(MeasurementWords.deviation(figure))"
    return [words, trend?.newest.flatMap { MeasurementWords.change($0.change) }].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// What the test measured of a metric.
  private func newest(of trend: MeasurementTrend) -> TestMeasurement? {
    test.measurements.first { $0.metric == trend.metric && $0.unit == trend.unit }
  }

  private func row(_ measured: TestMeasurement) -> TemplateValue {
    func value(_ value: Double) -> TemplateValue { .shown(MeasurementWords.value(value, unit: measured.unit)) }
    return .record([
      "name": .shown(measured.metric), "average": value(measured.average),
      "deviation": .shown(ifAny: MeasuredFigure(measured).map(MeasurementWords.deviation)),
      "least": value(measured.values.min() ?? 0), "most": value(measured.values.max() ?? 0),
      "repetitions": .text(CountText.plain(measured.values.count)),
    ])
  }

  private func record(of trend: MeasurementTrend) -> TemplateValue {
    let left = trend.points.count - Self.mostRows
    let shown = trend.points.prefix(Self.mostRows)
    return .record([
      "name": .shown(trend.metric), "plot": .html(MeasurementPlot(trend).html),
      "summary": .shown(ifAny: newest(of: trend).flatMap(MeasurementWords.range)),
      "hasDiffering": .flag(shown.contains { !$0.differing.isEmpty }),
      "rows": .list(shown.map { MeasurementRow($0, of: trend).record(in: integration.number) }),
      "left": left > 0 ? .text(CountText.counted(left, "older integration")) : .missing,
    ])
  }
}

extension TestResult {
  /// Whether it measured a time: what it took as a whole then depends on how often that was repeated.
  var measuresTime: Bool { measurements.contains { MeasuredFigure($0)?.isTime == true } }
}
