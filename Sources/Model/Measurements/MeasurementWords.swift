/// How measured figures are written; hints, pages and the terminal share it.
package enum MeasurementWords {
  /// A figure with its unit: `82 µs`, `1.25 ms`, `512 kB`.
  package static func value(_ value: Double, unit: String) -> String {
    guard unit == "seconds" || unit == "s" else { return "\(number(value)) \(unit)" }
    if value < 0.000_999_5 { return "\(number((value * 1e7).rounded() / 10)) µs" }
    return value < 0.999_5 ? "\(number(value * 1000)) ms" : "\(number(value)) s"
  }

  package static func average(_ figure: MeasuredFigure) -> String { value(figure.average, unit: figure.unit) }

  /// How far the values stray from their average.
  package static func deviation(_ figure: MeasuredFigure) -> String { "±\(percent(figure.deviation))" }

  /// A change with its sign: `+12 %`.
  package static func share(_ share: Double) -> String {
    let text = percent(abs(share))
    return text == "0 %" ? "±0 %" : "\(share < 0 ? "−" : "+")\(text)"
  }

  /// What a course is called: `slower`, `faster`, for other things than times `higher`, `lower`; nil as before.
  package static func word(_ course: MeasurementChange.Course, isTime: Bool) -> String? {
    switch course {
    case .higher: isTime ? "slower" : "higher"
    case .lower: isTime ? "faster" : "lower"
    case .same: nil
    }
  }

  /// The word for a change; nil where the figure is as before, or nothing can be said.
  package static func word(_ change: MeasurementChange) -> String? {
    change.course().flatMap { word($0, isTime: change.after.isTime) }
  }

  /// A trend's newest figure with what became of it, as a phrase.
  package static func entry(_ trend: MeasurementTrend) -> String {
    guard let point = trend.points.first, let figure = point.figure else { return trend.metric }
    let value = "\(trend.metric) \(average(figure)) \(deviation(figure))"
    guard let (change, since) = trend.newest else { return value }
    let judged = [change.share.map(share), word(change)].compactMap(\.self).joined(separator: ", ")
    let also = point.differing.isEmpty ? "" : "; not the same: \(point.differing.joined(separator: ", "))"
    return "\(value), was \(average(change.before)) in \(since.number)\(judged.isEmpty ? "" : " (\(judged))")\(also)"
  }

  /// When a figure counts as slower, as a sentence.
  package static func rule(_ rule: MeasurementChange.Rule = MeasurementChange.Rule()) -> String {
    "A measured value counts as slower, or higher, when it rose by more than \(percent(rule.share)), by more than its values "
      + "stray on either side (±, one standard deviation), and a time by at least \(value(rule.seconds, unit: "s"))."
  }

  private static func percent(_ share: Double) -> String {
    share.isFinite && share < 1e4 ? "\(Int((share * 100).rounded())) %" : "many %"
  }

  /// Three digits that count, or all before the point.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let digits = abs(value) >= 100 ? 1.0 : abs(value) >= 10 ? 10 : abs(value) >= 1 ? 100 : 1000
    let rounded = (value * digits).rounded() / digits
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
