/// Durations in bot files: `10m`, `0.1s`, `1h30m`.
package enum DurationField {
  private static let units: [(name: Substring, length: Duration)] = [
    ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
  ]

  /// Parses numbers with units, each unit once and larger ones first; returns nil for anything else.
  package static func read(_ text: String) -> Duration? {
    var rest = text[...]
    var total = Duration.zero
    var allowed = units[...]
    while !rest.isEmpty {
      let number = rest.prefix { $0 == "." || ($0.isASCII && $0.isNumber) }
      rest = rest.dropFirst(number.count)
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      guard let index = allowed.firstIndex(where: { $0.name == name }),
        let part = length(number, of: units[index].length)
      else { return nil }
      total += part
      allowed = units[(index + 1)...]
    }
    return text.isEmpty ? nil : total
  }

  private static func length(_ number: Substring, of unit: Duration) -> Duration? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    // Far less than a duration can hold, even of days.
    guard (1...2).contains(parts.count), let whole = parts.first, (1...9).contains(whole.count),
      let count = Int64(whole)
    else { return nil }
    guard parts.count == 2 else { return unit * count }
    guard (1...3).contains(parts[1].count), let fraction = Int64(parts[1]) else { return nil }
    let scale: Int64 = parts[1].count == 1 ? 10 : parts[1].count == 2 ? 100 : 1000
    return unit * count + unit * fraction / scale
  }

  /// Formats a duration so that it can be read back unchanged, for whole milliseconds: `90m`, `0.1s`.
  package static func write(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if milliseconds != 0 {
      let digits = String(1000 + milliseconds).dropFirst()
      let fraction = digits.hasSuffix("00") ? digits.dropLast(2) : digits.hasSuffix("0") ? digits.dropLast() : digits
      return "\(seconds).\(fraction)s"
    }
    if seconds != 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
    if seconds != 0, seconds % 60 == 0 { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
