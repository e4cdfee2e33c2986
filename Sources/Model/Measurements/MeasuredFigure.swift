/// What is kept of a measurement for as long as its integration is remembered: the mean and how far the values stray.
package struct MeasuredFigure: Hashable, Sendable, Codable {
  /// How many a test has at most; more are not remembered.
  private static let most = 20

  /// What was measured, such as `Time`.
  package var metric: String
  /// The unit of the average, such as `seconds`.
  package var unit: String
  package var average: Double
  /// The standard deviation as a share of the average.
  package var deviation: Double
  /// How many values the average is of.
  package var repetitions: Int

  package init(metric: String, unit: String, average: Double, deviation: Double, repetitions: Int) {
    self.metric = metric
    self.unit = unit
    self.average = average
    self.deviation = deviation
    self.repetitions = repetitions
  }

  /// Nil where the values have no mean that could be compared.
  package init?(_ measurement: TestMeasurement) {
    let (average, deviation) = (measurement.average, measurement.deviation)
    guard !measurement.values.isEmpty, average.isFinite, average >= 0, deviation.isFinite else { return nil }
    self.init(
      metric: measurement.metric, unit: measurement.unit, average: average, deviation: deviation,
      repetitions: measurement.values.count)
  }

  /// The figures of a test, the first of each metric.
  package static func all(of measurements: [TestMeasurement]) -> [MeasuredFigure] {
    var figures: [MeasuredFigure] = []
    for figure in measurements.lazy.compactMap(MeasuredFigure.init) where figures.count < most {
      if !figures.contains(where: figure.isComparable) { figures.append(figure) }
    }
    return figures
  }

  /// Whether both say the same thing in the same unit.
  package func isComparable(to other: MeasuredFigure) -> Bool { metric == other.metric && unit == other.unit }

  /// Whether it is a time, of which more is slower.
  package var isTime: Bool { unit == "seconds" || unit == "s" }
}
