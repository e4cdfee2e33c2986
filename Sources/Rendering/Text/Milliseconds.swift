import Model

/// A duration in milliseconds with three significant digits, divided at its point, so that a column of them lines up.
struct Milliseconds {
  let whole: String
  /// With its point; empty from 100 ms on.
  let fraction: String

  /// - Parameter seconds: finite, and not negative.
  init(_ seconds: Double) {
    let milliseconds = seconds * 1000
    let places = milliseconds >= 99.95 ? 0 : milliseconds >= 9.995 ? 1 : milliseconds >= 0.9995 ? 2 : 3
    let unit = [1, 10, 100, 1000][places]
    let count = Int((milliseconds * Double(unit)).rounded())
    let digits = "\(count % unit)"
    whole = CountText.plain(count / unit)
    fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - digits.count) + digits
  }

  var record: TemplateValue { .record(["whole": .text(whole), "fraction": .text(fraction)]) }
}
