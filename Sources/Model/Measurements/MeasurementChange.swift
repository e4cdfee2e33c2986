/// A measured figure and an earlier one of the same metric.
package struct MeasurementChange: Hashable, Sendable, Codable {
  /// When a figure counts as higher: if it rises by more than both vary and by more than `share` of the earlier value,
  /// and, for a time, by at least `seconds`, since XCTest prints whole microseconds.
  package struct Rule: Hashable, Sendable, Codable {
    package var share = 0.1
    package var seconds = 0.000_01
  }

  /// How a figure changed, considering its variation.
  package enum Course: String, Hashable, Sendable, Codable {
    case higher, lower, same
  }

  package var before: MeasuredFigure
  package var after: MeasuredFigure

  package init(from before: MeasuredFigure, to after: MeasuredFigure) {
    self.before = before
    self.after = after
  }

  /// The signed change as a fraction of the earlier value; nil if that is zero, or too small for the quotient to be
  /// finite.
  package var share: Double? {
    let share = (after.average - before.average) / before.average
    return before.average > 0 && share.isFinite ? share : nil
  }

  /// Returns the verdict on the change, or nil if there is no share to judge by.
  package func course(by rule: Rule = Rule()) -> Course? {
    guard let share else { return nil }
    let isNoise = after.isTime && abs(after.average - before.average) < rule.seconds
    // Rounded to hundredths of a percent, so that an increase of exactly a tenth is a tenth.
    let rise = (abs(share) * 10_000).rounded() / 10_000
    guard !isNoise, rise > max(rule.share, before.deviation, after.deviation) else { return .same }
    return share > 0 ? .higher : .lower
  }
}
