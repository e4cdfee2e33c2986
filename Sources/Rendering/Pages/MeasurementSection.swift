import Model

/// The measurements of a test, and their trends over recent integrations.
struct MeasurementSection: ReportSection {
  private static let mostRows = 20

  let test: TestResult
  let report: ReportContext

  private var trends: [MeasurementTrend] { integration.trends[test.id] ?? [] }

  /// Whether a table has what it measured in each integration.
  var hasTrend: Bool { !test.measurements.isEmpty && trends.contains { $0.known.count > 1 } }

  /// What became worse of a test that simply passed, which the heading of its page says; nil for nothing.
  var worse: MeasurementTrend? {
    let isElse = test.state != .passed || test.isFlaky || report.isFlakyHere(test)
    return isElse ? nil : trends.first(where: \.isWorse)
  }

  /// Missing for a test that measured nothing.
  var record: TemplateValue {
    guard !test.measurements.isEmpty else { return .missing }
    let told = trends.filter { $0.known.count > 1 }
    // The history has the first of each metric.
    let inHistory = told.compactMap(newest(of:))
    let rows = test.measurements.filter { !inHistory.contains($0) }
    return .record([
      "rows": .list(rows.map(row)), "hasRows": .flag(!rows.isEmpty),
      "varies": .flag(rows.contains { MeasuredFigure($0)?.varies == true }),
      "trends": .list(told.map(record)), "rule": told.isEmpty ? .missing : .text(MeasurementWords.rule()),
      "isFirst": .flag(told.isEmpty),
    ])
  }

  /// The first figure and how it changed, such as `194 µs ±3%, 20% faster than in 2`, or what it was if the heading
  /// says that; missing for a test that measured nothing.
  var figure: TemplateValue {
    guard let first = test.measurements.first, let figure = MeasuredFigure(first) else { return .missing }
    let latest = trends.first { newest(of: $0) == first }?.newest
    let name = figure.isTime ? "" : "\(first.metric) "
    let isTold = worse.flatMap(newest(of:)) == first
    let change = latest.flatMap { latest in
      let words = isTold ? MeasurementWords.was(latest.change) : MeasurementWords.changeSince(latest.change)
      return words.map { [IssueWords.Part(words: $0, number: latest.since.number)] }
    }
    return .record([
      "figure": .shown("\(name)\(MeasurementWords.figure(figure))"),
      "change": change?.record { report.address(of: $0, with: test.id, root: "../") } ?? .missing,
      "isSlower": .flag(latest?.change.course() == .higher),
    ])
  }

  /// What the test measured of a metric.
  private func newest(of trend: MeasurementTrend) -> TestMeasurement? {
    test.measurements.first { $0.metric == trend.metric && $0.unit == trend.unit }
  }

  private func row(_ measured: TestMeasurement) -> TemplateValue {
    func value(_ value: Double) -> TemplateValue { .shown(MeasurementWords.value(value, unit: measured.unit)) }
    return .record([
      "name": .shown(measured.metric), "average": value(measured.average),
      "deviation": .shown(ifAny: MeasuredFigure(measured).flatMap(MeasurementWords.deviation)),
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
      "varies": .flag(shown.contains { $0.figure?.varies == true }),
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
