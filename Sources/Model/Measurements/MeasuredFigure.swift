/// What is kept of a measurement as long as its integration is remembered: the mean and how much the values vary.
package struct MeasuredFigure: Hashable, Sendable, Codable {
  /// The maximum number of figures for a test; more are not remembered.
  private static let most = 20

  /// What was measured, such as `Time`.
  package var metric: String
  /// The unit of the average, such as `seconds`.
  package var unit: String
  package var average: Double
  /// The standard deviation as a fraction of the average.
  package var deviation: Double
  /// The number of values that were averaged.
  package var repetitions: Int

  package init(metric: String, unit: String, average: Double, deviation: Double, repetitions: Int) {
    self.metric = metric
    self.unit = unit
    self.average = average
    self.deviation = deviation
    self.repetitions = repetitions
  }

  /// Nil if the values have no mean that could be compared.
  package init?(_ measurement: TestMeasurement) {
    let (average, deviation) = (measurement.average, measurement.deviation)
    guard !measurement.values.isEmpty, average.isFinite, average >= 0, deviation.isFinite else { return nil }
    self.init(
      metric: measurement.metric, unit: measurement.unit, average: average, deviation: deviation,
      repetitions: measurement.values.count)
  }

  /// Whether its values vary by a per cent or more; less is not worth telling.
  package var varies: Bool { (deviation * 100).rounded() >= 1 }

  /// Returns the figures of a test, the first of each metric.
  package static func all(of measurements: [TestMeasurement]) -> [MeasuredFigure] {
    var figures: [MeasuredFigure] = []
    for figure in measurements.lazy.compactMap(MeasuredFigure.init) where figures.count < most {
      if !figures.contains(where: figure.isComparable) { figures.append(figure) }
    }
    return figures
  }

  /// Returns whether both have the same metric and unit.
  package func isComparable(to other: MeasuredFigure) -> Bool { metric == other.metric && unit == other.unit }

  /// Whether the figure is a time, so that higher is slower.
  package var isTime: Bool { unit == "seconds" || unit == "s" }
}
