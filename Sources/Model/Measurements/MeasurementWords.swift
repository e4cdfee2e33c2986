/// The formatting of measured figures, shared by hints, pages and the terminal.
package enum MeasurementWords {
  /// Returns a figure with its unit: `82 µs`, `1.25 ms`, `512 kB`.
  package static func value(_ value: Double, unit: String) -> String {
    guard unit == "seconds" || unit == "s" else { return "\(number(value)) \(unit)" }
    if value < 0.000_999_5 { return "\(number((value * 1e7).rounded() / 10)) µs" }
    return value < 0.999_5 ? "\(number(value * 1000)) ms" : "\(number(value)) s"
  }

  package static func average(_ figure: MeasuredFigure) -> String { value(figure.average, unit: figure.unit) }

  /// Returns how much the values vary around their average: `±9%`; nil if hardly.
  package static func deviation(_ figure: MeasuredFigure) -> String? {
    figure.varies ? "±\(percent(figure.deviation))" : nil
  }

  /// Returns the average and how much the values vary: `28.6 ms ±9%`.
  package static func figure(_ figure: MeasuredFigure) -> String {
    [average(figure), deviation(figure)].compactMap(\.self).joined(separator: " ")
  }

  /// Returns a change with its sign: `+12%`.
  package static func share(_ share: Double) -> String {
    let sign = (share * 100).rounded() == 0 ? "±" : share < 0 ? "−" : "+"
    return sign + percent(abs(share))
  }

  /// Returns the word for a course: `slower` or `faster` for times, `higher` or `lower` for others; nil if it is the
  /// same.
  package static func word(_ course: MeasurementChange.Course, isTime: Bool) -> String? {
    switch course {
    case .higher: isTime ? "slower" : "higher"
    case .lower: isTime ? "faster" : "lower"
    case .same: nil
    }
  }

  /// Returns the word for a change, or nil if the figure is the same or cannot be judged.
  package static func word(_ change: MeasurementChange) -> String? {
    change.course().flatMap { word($0, isTime: change.after.isTime) }
  }

  /// Returns a change as a phrase: `20% faster`, or `+1%` for the same; nil if it has no share.
  package static func change(_ change: MeasurementChange) -> String? {
    guard let share = change.share else { return nil }
    return word(change).map { "\(percent(abs(share))) \($0)" } ?? self.share(share)
  }

  /// Returns the same to stand before the integration with the figure before: `20% faster than in ` or `+1% since `.
  package static func changeSince(_ change: MeasurementChange) -> String? {
    self.change(change).map { $0 + (word(change) == nil ? " since " : " than in ") }
  }

  /// Returns the least and the greatest of the values, and how many there are: `192 µs to 213 µs in 10 repetitions`;
  /// only that, if they hardly vary.
  package static func range(_ measured: TestMeasurement) -> String? {
    guard let least = measured.values.min(), let most = measured.values.max() else { return nil }
    let repetitions = CountText.counted(measured.values.count, "repetition")
    guard MeasuredFigure(measured)?.varies != false else { return repetitions }
    return [least, most].map { value($0, unit: measured.unit) }.joined(separator: " to ") + " in \(repetitions)"
  }

  /// Returns a trend's newest figure and its change, as a phrase.
  package static func entry(_ trend: MeasurementTrend) -> String {
    guard let point = trend.points.first, let figure = point.figure else { return trend.metric }
    let value = "\(trend.metric) \(self.figure(figure))"
    guard let (change, since) = trend.newest else { return value }
    let judged = self.change(change).map { " (\($0))" } ?? ""
    let also = point.differing.isEmpty ? "" : "; not the same: \(point.differing.joined(separator: ", "))"
    return "\(value), was \(average(change.before)) in \(since.number)\(judged)\(also)"
  }

  /// Returns how a trend's newest figure changed: `42% slower than in 13, 20.2 ms → 28.6 ms`; nil if nothing is known of it
  /// before.
  package static func news(_ trend: MeasurementTrend) -> String? {
    guard let (change, since) = trend.newest, let said = changeSince(change) else { return nil }
    let metric = change.after.isTime ? "" : "\(trend.metric) "
    let differing = trend.points.first?.differing ?? []
    let also = differing.isEmpty ? "" : "; not the same: \(differing.joined(separator: ", "))"
    return "\(metric)\(said)\(since.number), \(average(change.before)) → \(average(change.after))\(also)"
  }

  /// Returns how much worse a trend's newest figure is: `its measured time is 42% slower` or `Memory 42% higher`; nil if
  /// that is not known.
  package static func rise(_ trend: MeasurementTrend) -> String? {
    guard let change = trend.newest?.change, let words = self.change(change) else { return nil }
    return change.after.isTime ? "its \(noun(isTime: true)) is \(words)" : "\(trend.metric) \(words)"
  }

  /// Returns what a figure was, to stand before the integration with it: `was 20.2 ms in `.
  package static func was(_ change: MeasurementChange) -> String { "was \(average(change.before)) in " }

  /// Returns how many values became worse, and how much: `1 measured time 42% slower` or
  /// `3 measured values up to 42% higher`.
  package static func worse(_ values: WorseValues) -> String {
    let (noun, word) = (Self.noun(isTime: values.areTimes), values.areTimes ? "slower" : "higher")
    let most = values.count > 1 ? "up to " : ""
    return "\(CountText.counted(values.count, noun)) \(most)\(percent(values.share)) \(word)"
  }

  /// Returns when a figure counts as slower, or higher.
  package static func rule(_ rule: MeasurementChange.Rule = MeasurementChange.Rule()) -> String {
    "Slower: up by more than \(percent(rule.share)), more than the deviation and, for times, at least "
      + "\(value(rule.seconds, unit: "s"))."
  }

  /// The word for what became worse: not the test, which may have taken as long as ever.
  private static func noun(isTime: Bool) -> String { isTime ? "measured time" : "measured value" }

  private static func percent(_ share: Double) -> String {
    share.isFinite && share < 1e12 ? "\(CountText.plain(Int((share * 100).rounded())))%" : "∞%"
  }

  /// Returns a number with three significant digits, or all digits before the decimal point if there are more.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let digits = abs(value) >= 100 ? 1.0 : abs(value) >= 10 ? 10 : abs(value) >= 1 ? 100 : 1000
    let rounded = (value * digits).rounded() / digits
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
