import Model

/// A column of durations in one unit, each with three significant digits at most, so that one that is precise does not look
/// more so than it is; of seconds only those below ten have decimals.
struct DurationColumn {
  private let unit: String
  /// A hundredth of the unit, in microseconds.
  private let hundredth: Int
  /// How many hundredths a duration may be rounded to.
  private let sizes: [Int]

  /// - Parameter longest: the longest of them, in seconds.
  init(longest: Double) {
    (unit, hundredth, sizes) = longest < 1 ? ("ms", 10, [1, 10, 100]) : ("s", 10_000, [1, 100])
  }

  /// Returns a duration, such as `12 s` or `0.29 ms`; of less than can be shown, `<0.01 ms`.
  func text(_ seconds: Double) -> String {
    let (count, size) = rounded(seconds)
    return count == 0 ? "<\(number(1, to: 1))" : number(count, to: size)
  }

  /// Returns the same of an earlier run. Earlier versions kept whole milliseconds: of these there are no decimals.
  func past(_ seconds: Double) -> String {
    let milliseconds = seconds * 1000
    guard unit == "ms", milliseconds == milliseconds.rounded() else { return text(seconds) }
    return seconds == 0 ? "<1 ms" : "\(Int(milliseconds)) ms"
  }

  /// Returns the difference of two durations as they are shown, such as `+0.40 s`, no more precise than either.
  func change(from before: Double, to seconds: Double) -> String {
    let (before, now) = (rounded(before), rounded(seconds))
    let size = max(before.size, now.size)
    let count = (abs(now.count - before.count) + size / 2) / size
    return (now.count < before.count ? "−" : "+") + number(count * size, to: size)
  }

  /// Returns a duration in hundredths of the unit, and to how many of them it is rounded.
  private func rounded(_ seconds: Double) -> (count: Int, size: Int) {
    let size = sizes.first { count(seconds, of: $0) < 1000 } ?? 100
    return (count(seconds, of: size) * size, size)
  }

  /// Returns a duration in so many hundredths of the unit.
  private func count(_ seconds: Double, of size: Int) -> Int {
    (Int((seconds * 1_000_000).rounded()) + hundredth * size / 2) / (hundredth * size)
  }

  private func number(_ hundredths: Int, to size: Int) -> String {
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    let decimals = size == 1 ? ".\(rest < 10 ? "0" : "")\(rest)" : size == 10 ? ".\(rest / 10)" : ""
    return "\(whole)\(decimals) \(unit)"
  }
}
