import Model

/// The number of runs as written in the gutter of a source page.
enum RunCountText {
  /// Returns up to four digits as they are, then `12.3k`, `4.5M`, `6.7G`, and so on; never rounded up.
  ///
  /// Nil if the counter underflowed, since the value is then not a number of runs.
  static func short(_ count: UInt64) -> String? {
    guard count < 10_000 else {
      guard !count.isUnderflow else { return nil }
      var scale: UInt64 = 1000
      var unit = 0
      while count / scale >= 1000, unit < units.count - 1 {
        scale *= 1000
        unit += 1
      }
      let tenths = count / (scale / 10)
      return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)\(units[unit])" : "\(tenths / 10)\(units[unit])"
    }
    return "\(count)"
  }

  /// Returns the same, and a question mark for what is not a number of runs.
  static func shown(_ count: UInt64) -> String { short(count) ?? "?" }

  /// Returns the exact number in words if the short form omits something.
  static func long(_ count: UInt64) -> String? {
    if count.isUnderflow {
      return "The counter fell below zero, so whether this ran is not known. llvm-cov counts it as run."
    }
    return count < 10_000 ? nil : "ran \(CountText.plain(Int(count))) times"
  }

  private static let units = ["k", "M", "G", "T", "P", "E"]
}
