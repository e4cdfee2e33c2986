/// The formatting of durations on pages and in sentences.
package enum DurationText {
  /// Returns a duration in a suitable unit: `3 ms`, `0.4 s`, `1 min 12 s`, `2 h 05 min`.
  package static func short(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "unknown" }
    if seconds < 0.0005 { return "<1 ms" }
    if seconds < 0.0995 { return "\(Int((seconds * 1000).rounded())) ms" }
    let tenths = Int((seconds * 10).rounded())
    if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
    let whole = Int(seconds.rounded())
    if whole < 3600 { return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s") }
    let minutes = Int((seconds / 60).rounded())
    return "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min"
  }

  /// Returns a duration in a suitable unit, or a dash if it is unknown.
  package static func known(_ seconds: Double?) -> String { seconds.map(short) ?? "–" }

  /// Returns a change of a duration with its sign: `+20.6 s`, `−60 ms`, `±0.0 s`.
  package static func signed(_ seconds: Double) -> String {
    if abs(seconds) < 0.05 { return "±0.0 s" }
    return (seconds < 0 ? "−" : "+") + short(abs(seconds))
  }
}
