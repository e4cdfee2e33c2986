extension IntegrationDocument {
  /// What one metric of a test came to: now, against the last integration that measured it, and in those before.
  package struct Trend: Codable, Sendable, Hashable {
    package var metric: String
    package var unit: String
    package var average: Double
    /// The standard deviation as a share of the average.
    package var deviation: Double
    /// The number of the integration that it is compared with, the signed change as a share of what it was there, and
    /// what that amounts to: `higher`, `lower` or `same`; absent where no earlier one is known.
    package var since: Int?
    package var change: Double?
    package var course: MeasurementChange.Course?
    /// Newest first, this integration included.
    package var points: [TrendPoint]
  }

  /// One integration of a trend.
  package struct TrendPoint: Codable, Sendable, Hashable {
    package var number: Int
    package var commit: CommitID
    /// Absent, like the deviation, where nothing is known to have been measured; `missing` then says why.
    package var average: Double?
    package var deviation: Double?
    package var missing: String?
    /// What else differs from the last one before that measured; absent when nothing is known to.
    package var differing: [String]?
  }
}

extension IntegrationDocument.Trend {
  /// Nil for a trend without a newest figure, which there is none of.
  init?(_ trend: MeasurementTrend) {
    guard let figure = trend.points.first?.figure else { return nil }
    let newest = trend.newest
    self.init(
      metric: trend.metric, unit: trend.unit, average: figure.average.rounded(to: 9),
      deviation: figure.deviation.rounded(to: 4), since: newest?.since.number,
      change: newest?.change.share?.rounded(to: 4), course: newest?.change.course(),
      points: trend.points.map(IntegrationDocument.TrendPoint.init))
  }
}

extension IntegrationDocument.TrendPoint {
  fileprivate init(_ point: MeasurementTrend.Point) {
    self.init(
      number: point.number, commit: point.commit, average: point.figure?.average.rounded(to: 9),
      deviation: point.figure?.deviation.rounded(to: 4), missing: point.gap?.word,
      differing: point.differing.isEmpty ? nil : point.differing)
  }
}

extension MeasurementTrend.Gap {
  /// The reason in one word: an outcome, a test's state, `not-listed` or `removed`.
  fileprivate var word: String {
    switch self {
    case .outcome(let outcome): outcome.rawValue
    case .test(.passed): "not-measured"
    case .test(let state): state.rawValue
    case .notListed: "not-listed"
    case .removed: "removed"
    }
  }
}

extension Double {
  /// The value to some decimals, so that documents do not carry digits that nothing measured.
  fileprivate func rounded(to decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }
}
