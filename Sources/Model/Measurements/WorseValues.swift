/// How many measured values became worse, and how much the worst of them.
package struct WorseValues: Hashable, Sendable, Codable {
  /// The number of values, of which a test may have several.
  package var count: Int
  /// Whether all of them are times.
  package var areTimes: Bool
  /// The largest rise, as a fraction of the earlier value.
  package var share: Double

  package init(count: Int, areTimes: Bool, share: Double) {
    (self.count, self.areTimes, self.share) = (count, areTimes, share)
  }

  /// Nil if there are none.
  init?(of values: [(test: TestID, trend: MeasurementTrend)]) {
    let changes = values.compactMap { $0.trend.newest?.change }
    guard let share = changes.compactMap(\.share).max() else { return nil }
    let areTimes = changes.allSatisfy(\.after.isTime)
    self.init(count: values.count, areTimes: areTimes, share: share)
  }
}

/// Who probably made a measured value worse.
package struct WorseCause: Hashable, Sendable {
  package var suspect: Suspect
  /// What they changed; nil if that is not known.
  package var hunk: SourceHunk?

  package init(_ suspect: Suspect, hunk: SourceHunk? = nil) {
    (self.suspect, self.hunk) = (suspect, hunk)
  }
}

extension TestReport {
  /// Returns what the tests measured, with the trends of that, what became worse first.
  package func measuredValues(
    _ trends: [TestID: [MeasurementTrend]]
  ) -> [(test: TestResult, trend: MeasurementTrend)] {
    let all = results.flatMap { test in (trends[test.id] ?? []).map { (test: test, trend: $0) } }
    return all.filter { $0.trend.isWorse } + all.filter { !$0.trend.isWorse }
  }
}

extension Integration {
  /// The measured values that became worse, with their tests; what is red hides them, and so does switching off the
  /// hint.
  package var worseValues: [(test: TestID, trend: MeasurementTrend)] {
    guard outcome.isGreen, earlier == nil, practice?.asks(about: .measurements) == true else { return [] }
    return tests.measuredValues(trends).filter { $0.trend.isWorse }.map { (test: $0.test.id, trend: $0.trend) }
  }

  /// The same as figures; nil without any.
  package var worse: WorseValues? { WorseValues(of: worseValues) }
}

extension IntegrationRecord {
  /// The measured values that became worse, with their tests; what is red hides them, and so does switching off the
  /// hint.
  package var worseValues: [(test: TestID, trend: MeasurementTrend)] {
    guard outcome.isGreen, practice?.asks(about: .measurements) == true else { return [] }
    return tests.cases.flatMap { test in
      // Those of an earlier integration whose results these are became worse there.
      (test.trends ?? []).filter { $0.course == .higher && $0.points.first?.number == number }
        .map { (test: test.id, trend: MeasurementTrend($0)) }
    }
  }

  /// The same as figures; nil without any.
  package var worse: WorseValues? { WorseValues(of: worseValues) }
}

extension MeasurementTrend {
  /// Creates a trend with what a document keeps of it.
  fileprivate init(_ trend: IntegrationRecord.Trend) {
    self.init(
      metric: trend.metric, unit: trend.unit,
      points: trend.points.map { point in
        var own = Point(number: point.number, commit: point.commit, branch: nil)
        own.differing = point.differing ?? []
        own.figure = point.average.map { average in
          MeasuredFigure(
            metric: trend.metric, unit: trend.unit, average: average, deviation: point.deviation ?? 0, repetitions: 1)
        }
        return own
      })
  }
}
