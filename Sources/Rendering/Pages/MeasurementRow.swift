import Model

/// One integration of a trend: its figure and the change, or why there is none.
struct MeasurementRow {
  private let point: MeasurementTrend.Point
  private let trend: MeasurementTrend

  init(_ point: MeasurementTrend.Point, of trend: MeasurementTrend) {
    self.point = point
    self.trend = trend
  }

  /// - Parameter number: that of the report's own integration.
  func record(in number: Int) -> TemplateValue {
    .record([
      "integration": .record([
        "number": .text("\(point.number)"),
        "link": point.number == number ? .missing : .text("../../\(point.number)/index.html"),
      ]),
      "commit": .text(point.commit.short), "branch": .shown(ifAny: point.branch),
      "average": .shown(ifAny: point.figure.map(MeasurementWords.average)),
      "deviation": .shown(ifAny: point.figure.flatMap(MeasurementWords.deviation)),
      "gap": .shown(ifAny: point.gap.map(Self.words)), "change": Self.record(of: trend.change(at: point)?.change),
      "differing": .shown(ifAny: point.differing.isEmpty ? nil : CountText.list(point.differing)),
    ])
  }

  /// Returns a change with the word for it; never red, since a measured value decides nothing.
  static func record(of change: MeasurementChange?) -> TemplateValue {
    guard let change, let words = MeasurementWords.change(change) else { return .missing }
    return .record(["words": .text(words), "isHigher": .flag(change.course() == .higher)])
  }

  /// The whole row in one line.
  var words: String {
    let figure = point.figure.map(MeasurementWords.figure)
    let words = "\(point.number): \(figure ?? point.gap.map(Self.words) ?? "not known")"
    return words + (point.differing.isEmpty ? "" : "; also changed: \(CountText.list(point.differing))")
  }

  private static func words(_ gap: MeasurementTrend.Gap) -> String {
    switch gap {
    case .outcome(let outcome): outcome.lowercasedWord(isFailedGate: false)
    case .test(.passed), .test(.expectedFailure): "not measured"
    case .test(let state): "the test \(state.past)"
    case .notListed: "the test was not listed"
    case .removed: "removed, so not known"
    }
  }
}
