/// The formatting of whole numbers, shares and changes on pages.
package enum CountText {
  /// Returns a number with thin spaces between the thousands from 10 000 on, such as `9999` and `12 345`.
  package static func plain(_ number: Int) -> String {
    guard number >= 10_000 || number <= -10_000 else { return number < 0 ? "−\(number.magnitude)" : "\(number)" }
    return (number < 0 ? "−" : "") + grouped(number.magnitude)
  }

  private static func grouped(_ number: UInt) -> String {
    guard number >= 1000 else { return "\(number)" }
    let last = "\(number % 1000)"
    return "\(grouped(number / 1000))\u{202F}\(String(repeating: "0", count: 3 - last.utf8.count))\(last)"
  }

  /// Returns a number with its noun, such as `1 test` and `4 tests`.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(plain(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Returns all of a number of things, such as `the changed line`, `both changed lines` and `all 3 changed lines`.
  package static func all(_ number: Int, _ one: String) -> String {
    switch number {
    case 1: "the \(one)"
    case 2: "both \(one)s"
    default: "all \(counted(number, one))"
    }
  }

  /// Returns the form of a word that agrees with a number, such as `is` with 1 and `are` with 2.
  package static func agreeing(_ number: Int, _ one: String, _ many: String) -> String { number == 1 ? one : many }

  /// Returns numbers as a range, such as `14` and `14–18`.
  package static func range(_ numbers: ClosedRange<Int>) -> String { range(numbers.lowerBound, numbers.upperBound) }

  /// Returns the numbers from one to another, such as `14` and `14–18`.
  package static func range(_ first: Int, _ last: Int) -> String { first == last ? "\(first)" : "\(first)–\(last)" }

  /// Returns a percentage with one decimal; 0 and 100 only if they are exact.
  package static func percent(_ part: Int, of whole: Int) -> String? {
    tenths(part, of: whole).map { $0 == 0 ? "0%" : $0 == 1000 ? "100%" : "\($0 / 10).\($0 % 10)%" }
  }

  /// Returns a share in tenths of a per cent; 0 and 1000 only if they are exact.
  package static func tenths(_ part: Int, of whole: Int) -> Int? {
    guard whole > 0, part >= 0, part <= whole else { return nil }
    if part == 0 { return 0 }
    if part == whole { return 1000 }
    return min(max(Int((Double(part) / Double(whole) * 1000).rounded()), 1), 999)
  }

  /// Returns the percentage of a measured part with one decimal, rounded; `<0.1%` for one that would be nothing, and
  /// `>99.9%` for one that would be all.
  package static func share(_ part: Double, of whole: Double) -> String? {
    guard whole > 0, part > 0, part <= whole else { return nil }
    let tenths = Int((part / whole * 1000).rounded())
    if part == whole { return "100%" }
    return tenths == 0 ? "<0.1%" : tenths == 1000 ? ">99.9%" : "\(tenths / 10).\(tenths % 10)%"
  }

  /// Returns a change with its sign, such as `+3`, `−1` and `±0`.
  package static func signed(_ change: Int) -> String {
    change == 0 ? "±0" : change > 0 ? "+\(plain(change))" : plain(change)
  }

  /// Returns words as a list, such as `a, b and c`.
  package static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last else { return "" }
    guard words.count > 1 else { return last }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
