/// A result of XCTest's `measure`.
package struct TestMeasurement: Hashable, Sendable, Codable {
  /// What was measured, such as `Time`.
  package var metric: String
  /// The unit of the values, such as `seconds`.
  package var unit: String
  /// One value for each repetition, in order.
  package var values: [Double]

  package init(metric: String, unit: String, values: [Double]) {
    self.metric = metric
    self.unit = unit
    self.values = values
  }

  /// The mean of the values, of which XCTest prints only three decimals.
  package var average: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  /// The sample standard deviation of the values as a fraction of their mean.
  package var deviation: Double {
    guard values.count > 1, average > 0 else { return 0 }
    let squares = values.reduce(0) { $0 + ($1 - average) * ($1 - average) }
    return (squares / Double(values.count - 1)).squareRoot() / average
  }
}
