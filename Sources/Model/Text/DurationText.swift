/// The formatting of durations on pages and in sentences.
package enum DurationText {
  /// Returns a duration in a suitable unit: `3 ms`, `0.4 s`, `1 min 12 s`, `2 h 05 min`.
  package static func short(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "unknown" }
    if seconds < 0.0005 { return "<1 ms" }
    let (count, unit) = counted(seconds)
    switch unit {
    case .millisecond: return "\(count) ms"
    case .tenth: return "\(count / 10).\(count % 10) s"
    case .second: return "\(count / 60) min" + (count % 60 == 0 ? "" : " \(count % 60) s")
    case .minute: return "\(count / 60) h \(count % 60 < 10 ? "0" : "")\(count % 60) min"
    }
  }

  /// Returns a duration as `short` prints it, so that the difference of two is that of the printed ones.
  package static func rounded(_ seconds: Double) -> Double {
    guard seconds.isFinite, seconds < 1e12, seconds >= 0.0005 else { return seconds }
    let (count, unit) = counted(seconds)
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

  private static func counted(_ seconds: Double) -> (count: Int, unit: Unit) {
    if seconds < 0.0995 { return (Int((seconds * 1000).rounded()), .millisecond) }
    if seconds < 59.95 { return (Int((seconds * 10).rounded()), .tenth) }
    if seconds < 3599.5 { return (Int(seconds.rounded()), .second) }
    return (Int((seconds / 60).rounded()), .minute)
  }

  /// Returns a duration in a suitable unit, or a dash if it is unknown.
  package static func known(_ seconds: Double?) -> String { seconds.map(short) ?? "–" }

  /// Returns a change of a duration with its sign: `+20.6 s`, `−60 ms`, `±0.0 s`.
  package static func signed(_ seconds: Double) -> String {
    if abs(seconds) < 0.05 { return "±0.0 s" }
    return (seconds < 0 ? "−" : "+") + short(abs(seconds))
  }
}
