package import FoundationEssentials
import Glibc

/// The last day of something, as a person writes it, such as `2026-12-24`, in this machine's calendar.
package struct LastDay {
  /// The end of the day.
  package let end: Date
  /// The day in four, two and two digits.
  package let text: String

  /// Returns nil for a text that is no day.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? Int32(part) : nil }
    guard numbers.count == 3, parts[0].utf8.count == 4,
      Self.midnight(numbers[0], numbers[1], numbers[2], strictly: true) != nil,
      let end = Self.midnight(numbers[0], numbers[1], numbers[2] + 1, strictly: false)
    else { return nil }
    self.end = end
    self.text = ([String(parts[0])] + numbers.dropFirst().map { $0 < 10 ? "0\($0)" : "\($0)" }).joined(separator: "-")
  }

  private static func midnight(_ year: Int32, _ month: Int32, _ day: Int32, strictly: Bool) -> Date? {
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday, time.tm_isdst) = (year - 1900, month - 1, day, -1)
    let seconds = mktime(&time)
    // The C library turns February 31 into a day in March.
    guard seconds != -1, !strictly || (time.tm_mon == month - 1 && time.tm_mday == day) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }
}
