import Model

/// What FIRST has no letter for.
extension PracticeEvidence {
  /// Only where a pattern is set.
  var names: PracticeHint? {
    guard !settings.names.isEmpty else { return nil }
    guard let pattern = try? Regex(settings.names) else {
      return PracticeHint(.names, .unknown, "'\(settings.names)' is no regular expression.")
    }
    let off = tests.results.filter { test in
      let name = String(test.id.name.prefix { $0 != "(" })
      // A pattern that cannot be tried on a name says nothing against it.
      do { return try !name.contains(pattern: pattern) } catch { return false }
    }
    guard !off.isEmpty else {
      return PracticeHint(.names, .good, "Every name is as the bot's pattern says: \(settings.names)")
    }
    return PracticeHint(
      .names, .attention,
      "\(Self.tests(off.count)) \(off.count == 1 ? "has a name" : "have names") off the bot's pattern: \(settings.names)",
      entries: off.prefix(PracticeCard.mostEntries).map { PracticeHint.Entry(test: $0.id, location: $0.location) })
  }

  /// Only where some are left.
  var templates: PracticeHint? {
    guard let left = tests.assertions?.templates, !left.isEmpty else { return nil }
    return PracticeHint(
      .templates, .attention,
      left.count == 1
        ? "1 test is still what a template made, with nothing in it."
        : "\(left.count) tests are still what a template made, with nothing in them.",
      entries: left.prefix(PracticeCard.mostEntries).map { id in
        PracticeHint.Entry(test: id, location: tests.results.first { $0.id == id }?.location)
      })
  }

  /// Only where they disagree.
  var totals: PracticeHint? {
    let differing = tests.printedTotals.compactMap { total -> String? in
      let seen = tests.results.count { $0.library == total.library && $0.state != .notRun }
      return seen == total.tests
        ? nil : "\(total.library.rawValue) printed that it ran \(Self.tests(total.tests)), and \(seen) were seen"
    }
    guard !differing.isEmpty else { return nil }
    return PracticeHint(.totals, .attention, "\(differing.joined(separator: "; ")).")
  }

  /// Only where something was measured.
  var measurements: PracticeHint? {
    let measured = tests.results.flatMap { test in test.measurements.map { (test, $0) } }
    guard !measured.isEmpty else { return nil }
    let trends = measured.map { test, measurement in
      Trend(of: measurement, before: measuredBefore[test.id]?.first { $0.metric == measurement.metric })
    }
    let (slower, compared) = (trends.count(where: \.isWorse), trends.count { $0.change != nil })
    let since = baseline.map { " than in \($0)" } ?? ""
    let sentence =
      if compared == 0 {
        "\(measured.count) measured \(measured.count == 1 ? "value has" : "values have") no earlier one to compare with."
      } else if slower > 0 {
        "\(slower) of \(compared) measured values \(slower == 1 ? "is" : "are") higher\(since) by more than they vary."
      } else {
        "\(compared) measured \(compared == 1 ? "value is" : "values are") no higher\(since), as far as they vary."
      }
    return PracticeHint(
      .measurements, compared == 0 ? .unknown : slower > 0 ? .attention : .good, sentence,
      entries: zip(measured, trends).prefix(PracticeCard.mostEntries).map { entry, trend in
        PracticeHint.Entry(test: entry.0.id, location: entry.0.location, words: trend.words)
      })
  }
}

/// One measured value with its change.
private struct Trend {
  let measurement: TestMeasurement
  let before: TestMeasurement?

  init(of measurement: TestMeasurement, before: TestMeasurement?) {
    self.measurement = measurement
    self.before = before
  }

  /// The relative change; nil without an earlier value.
  var change: Double? {
    guard let before, before.average > 0, measurement.average.isFinite else { return nil }
    return (measurement.average - before.average) / before.average
  }

  /// The larger relative standard deviation of the two, and at least the tenth that XCTest lets pass.
  private var tolerance: Double {
    max(0.1, ([measurement] + [before].compactMap(\.self)).map(\.relativeDeviation).max() ?? 0)
  }

  var isWorse: Bool { change.map { $0 > tolerance } ?? false }

  var words: String {
    let value = "\(measurement.metric) \(Self.number(measurement.average)) \(measurement.unit)"
    let spread = "±\(Self.percent(measurement.relativeDeviation))"
    guard let before, let change else { return "\(value) \(spread)" }
    let sign = change < 0 ? "−" : "+"
    return "\(value) \(spread), was \(Self.number(before.average)) (\(sign)\(Self.percent(abs(change))))"
  }

  private static func percent(_ share: Double) -> String {
    share.isFinite && share < 1e6 ? "\(Int((share * 100).rounded())) %" : "many %"
  }

  /// A value with three digits that count.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let digits = abs(value) >= 100 ? 1.0 : abs(value) >= 1 ? 100 : 1_000_000
    let rounded = (value * digits).rounded() / digits
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension TestMeasurement {
  /// The standard deviation of the values as a share of their mean.
  fileprivate var relativeDeviation: Double {
    guard values.count > 1, average > 0 else { return 0 }
    let squares = values.reduce(0) { $0 + ($1 - average) * ($1 - average) }
    return (squares / Double(values.count - 1)).squareRoot() / average
  }
}

extension String {
  fileprivate func contains(pattern: Regex<AnyRegexOutput>) throws -> Bool {
    if case .some = try pattern.firstMatch(in: self) { true } else { false }
  }
}
