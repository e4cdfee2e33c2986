import Model

/// A column of durations in one unit, each with two decimals, so that their figures stand below each other.
struct DurationColumn {
  private let unit: String
  /// The smallest difference that is shown, in microseconds.
  private let step: Int

  /// - Parameter longest: the longest of them, in seconds.
  init(longest: Double) {
    (unit, step) = longest < 1 ? ("ms", 10) : ("s", 10_000)
  }

  /// Returns a duration, such as `12.30 s` or `0.29 ms`; of less than can be shown, `<0.01 ms`.
  func text(_ seconds: Double) -> String {
    let count = count(seconds)
    return count == 0 ? "<\(number(1))" : number(count)
  }

  /// Returns the same of an earlier run. Earlier versions kept whole milliseconds: of these there are no decimals.
  func past(_ seconds: Double) -> String {
    let milliseconds = seconds * 1000
    guard unit == "ms", milliseconds == milliseconds.rounded() else { return text(seconds) }
    return seconds == 0 ? "<1 ms" : "\(Int(milliseconds)) ms"
  }

  /// Returns the difference of two durations as shown, such as `+0.40 s`.
  func change(from before: Double, to seconds: Double) -> String {
    let change = count(seconds) - count(before)
    return (change < 0 ? "−" : "+") + number(abs(change))
  }

  /// Returns a duration in hundredths of the unit.
  private func count(_ seconds: Double) -> Int { (Int((seconds * 1_000_000).rounded()) + step / 2) / step }

  private func number(_ count: Int) -> String {
    "\(count / 100).\(count % 100 < 10 ? "0" : "")\(count % 100) \(unit)"
  }
}
