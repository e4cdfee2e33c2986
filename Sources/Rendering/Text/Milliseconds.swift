import Model

/// The durations of a column in milliseconds, all with as many decimals as the longest needs for three digits.
struct Milliseconds {
  private let places: Int

  private init(places: Int) {
    self.places = places
  }

  /// Without decimals.
  static let whole = Milliseconds(places: 0)

  /// - Parameter longest: in seconds; finite, and not negative, like all of them.
  init(upTo longest: Double) {
    let milliseconds = longest * 1000
    self.init(places: milliseconds >= 99.95 ? 0 : milliseconds >= 9.995 ? 1 : milliseconds >= 0.9995 ? 2 : 3)
  }

  /// Returns a duration in seconds as text; one that would be rounded to nothing as less than the smallest.
  func text(_ seconds: Double) -> String {
    let count = count(seconds)
    return count == 0 && seconds > 0 ? "<\(text(count: 1, unit))" : text(count: count, unit)
  }

  /// Returns a duration in seconds as it is shown, in units of the last decimal, so that sums and shares are those of
  /// what is shown.
  func count(_ seconds: Double) -> Int { Int((seconds * 1000 * Double(unit)).rounded()) }

  /// Returns such a count in seconds.
  func seconds(_ count: Int) -> Double { Double(count) / Double(unit) / 1000 }

  private var unit: Int { [1, 10, 100, 1000][places] }

  private func text(count: Int, _ unit: Int) -> String {
    let digits = "\(count % unit)"
    return CountText.plain(count / unit)
      + (places == 0 ? "" : "." + String(repeating: "0", count: places - digits.count) + digits)
  }
}
