/// The formatting of durations on pages and in sentences.
///
/// All are those of documents, in whole microseconds: what was measured reads the same as what is read back.
package enum DurationText {
  /// Returns a duration in a suitable unit: `3 ms`, `0.4 s`, `1 min 12 s`, `2 h 05 min`.
  package static func short(_ seconds: Double) -> String { text(seconds, isFine: false) }

  /// Returns the same with milliseconds up to a second, as in a column of many durations.
  package static func fine(_ seconds: Double) -> String { text(seconds, isFine: true) }

  private static func text(_ seconds: Double, isFine: Bool) -> String {
    guard let (count, unit) = counted(seconds, isFine) else { return "unknown" }
    switch unit {
    case .millisecond: return count == 0 ? "<1 ms" : "\(count) ms"
    case .tenth: return "\(count / 10).\(count % 10) s"
    case .second: return "\(count / 60) min" + (count % 60 == 0 ? "" : " \(count % 60) s")
    case .minute: return "\(count / 60) h \(count % 60 < 10 ? "0" : "")\(count % 60) min"
    }
  }

  /// Returns the same with as many more decimals as it takes to exceed a limit that it is listed under.
  package static func short(_ seconds: Double, over limit: Double) -> String {
    text(seconds, over: limit, isFine: false)
  }

  /// Returns a duration as `fine` prints it, with as many more decimals as it takes to exceed a limit.
  package static func fine(_ seconds: Double, over limit: Double) -> String { text(seconds, over: limit, isFine: true) }

  private static func text(_ seconds: Double, over limit: Double, isFine: Bool) -> String {
    let plain = isFine ? fine(seconds) : short(seconds)
    guard seconds > limit, let (count, unit) = counted(seconds, isFine), unit == .millisecond || unit == .tenth,
      Double(count) / (unit == .millisecond ? 1000 : 10) <= limit
    else { return plain }
    var (digits, scale) = unit == .millisecond ? (0, 1000.0) : (1, 10.0)
    repeat {
      (digits, scale) = (digits + 1, scale * 10)
    } while digits < 6 && (seconds * scale).rounded() <= (limit * scale).rounded()
    return "\(decimal(Int((seconds * scale).rounded()), digits: digits)) \(unit == .millisecond ? "ms" : "s")"
  }

  /// Returns a number that counts the smallest of its decimals.
  private static func decimal(_ count: Int, digits: Int) -> String {
    let text = String(repeating: "0", count: max(0, digits + 1 - "\(count)".count)) + "\(count)"
    return "\(text.dropLast(digits)).\(text.suffix(digits))"
  }

  /// Returns a duration as `fine` prints it; nothing for less than a millisecond.
  package static func fineRounded(_ seconds: Double) -> Double {
    guard let (count, unit) = counted(seconds, true) else { return seconds }
    return switch unit {
    case .millisecond: Double(count) / 1000
    case .tenth: Double(count) / 10
    case .second: Double(count)
    case .minute: Double(count) * 60
    }
  }

  /// The units in which durations are printed.
  private enum Unit {
    case millisecond, tenth, second, minute
  }

  /// Returns nil for what is no duration.
  private static func counted(_ seconds: Double, _ isFine: Bool = false) -> (count: Int, unit: Unit)? {
    guard seconds.isFinite, seconds < 1e12 else { return nil }
    let milliseconds = Self.milliseconds(seconds)
    switch milliseconds {
    case ..<(isFine ? 1000 : 100): return (milliseconds, .millisecond)
    case ..<59_950: return ((milliseconds + 50) / 100, .tenth)
    case ..<3_599_500: return ((milliseconds + 500) / 1000, .second)
    default: return ((milliseconds + 30_000) / 60_000, .minute)
    }
  }

  private static func milliseconds(_ seconds: Double) -> Int {
    Int((max(seconds, 0).roundedToMicroseconds * 1000).rounded())
  }

  /// Returns a duration as `fine` prints it, or a dash if it is unknown.
  package static func fine(ifKnown seconds: Double?) -> String { seconds.map { fine($0) } ?? "–" }

  /// Returns how much longer a duration is than an earlier one, with its sign, in the unit in which `fine` prints the
  /// shorter one, or the difference if that is longer: `+24 ms`, `−241 ms`, `−1.1 s`, `+12 s`; nil if nothing is left of it.
  ///
  /// Of two in one unit it is the difference of what is printed, which a reader sees; otherwise of what was measured.
  package static func change(from before: Double, to now: Double) -> String? {
    guard let (_, first) = counted(before, true), let (_, second) = counted(now, true) else { return nil }
    let difference =
      first == second
      ? abs(fineRounded(now) - fineRounded(before)) : abs(now.roundedToMicroseconds - before.roundedToMicroseconds)
    guard let (_, unit) = counted(max(difference, min(before, now)), true) else { return nil }
    return size(milliseconds(difference), in: unit).map { (now < before ? "−" : "+") + $0 }
  }

  /// Returns a duration in a unit; nil if it is less than half of it.
  private static func size(_ milliseconds: Int, in unit: Unit) -> String? {
    func count(of size: Int) -> Int? { milliseconds * 2 < size ? nil : (milliseconds + size / 2) / size }
    switch unit {
    case .millisecond: return "\(milliseconds) ms"
    case .tenth: return count(of: 100).map { "\($0 / 10).\($0 % 10) s" }
    case .second:
      return count(of: 1000).map { seconds in
        [seconds < 60 ? nil : "\(seconds / 60) min", seconds % 60 == 0 ? nil : "\(seconds % 60) s"]
          .compactMap(\.self).joined(separator: " ")
      }
    case .minute:
      return count(of: 60_000).map { minutes in
        [minutes < 60 ? nil : "\(minutes / 60) h", minutes % 60 == 0 ? nil : "\(minutes % 60) min"]
          .compactMap(\.self).joined(separator: " ")
      }
    }
  }
}
