package import FoundationEssentials

/// The local time used on pages: its offset from UTC at each instant.
package struct LocalTime: Sendable {
  /// UTC itself, the default.
  package static let utc = LocalTime { _ in 0 }

  private let secondsAheadOfUTC: @Sendable (Date) -> Int

  /// Creates a clock whose offset from UTC, in seconds, may change with the season.
  package init(secondsAheadOfUTC: @escaping @Sendable (Date) -> Int) {
    self.secondsAheadOfUTC = secondsAheadOfUTC
  }

  /// Returns the day and the minute, such as `20 Nov 2026, 09:12`.
  package func minute(of date: Date) -> String {
    let civil = civil(date)
    return "\(civil.day) \(Self.months[civil.month - 1]) \(civil.year), \(two(civil.hour)):\(two(civil.minute))"
  }

  /// Returns the day and the minute without the day, or the year, if it is that of another moment: `09:12`, `20 Nov, 09:12`.
  func minute(of date: Date, beside other: Date?) -> String {
    let (civil, another) = (civil(date), other.map { self.civil($0) })
    guard let another, another.year == civil.year else { return minute(of: date) }
    let time = "\(two(civil.hour)):\(two(civil.minute))"
    return (civil.month, civil.day) == (another.month, another.day)
      ? time : "\(civil.day) \(Self.months[civil.month - 1]), \(time)"
  }

  /// Returns a day in machine format, such as `2026-11-20`, in the format of the others: `20 Nov 2026`; nil for
  /// anything else.
  static func day(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil }
    guard parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3, (1...12).contains(numbers[1]) else { return nil }
    return "\(numbers[2]) \(months[numbers[1] - 1]) \(numbers[0])"
  }

  /// Returns the day, the second and the offset from UTC, such as `20 Nov 2026, 09:12:05 +01:00`.
  package func second(of date: Date) -> String {
    "\(minute(of: date)):\(two(civil(date).second)) \(zone(of: date))"
  }

  /// Returns the time of day to the second, such as `09:12:05`.
  package func timeOfDay(of date: Date) -> String {
    let civil = civil(date)
    return "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
  }

  /// Returns the machine format, such as `2026-11-20T09:12:05+01:00` (RFC 3339).
  package func machine(of date: Date) -> String {
    let civil = civil(date)
    let day = "\(four(civil.year))-\(two(civil.month))-\(two(civil.day))"
    return "\(day)T\(timeOfDay(of: date))\(offset(of: date))"
  }

  /// Returns the offset from UTC for people, such as `+01:00`; `UTC` where there is none.
  package func zone(of date: Date) -> String { secondsAheadOfUTC(date) == 0 ? "UTC" : offset(of: date) }

  /// Returns the offset from UTC, such as `+01:00`.
  package func offset(of date: Date) -> String {
    let seconds = secondsAheadOfUTC(date)
    let minutes = abs(seconds) / 60
    return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private struct Civil {
    var year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  }

  /// Howard Hinnant's days-to-civil algorithm: https://howardhinnant.github.io/date_algorithms.html
  private func civil(_ date: Date) -> Civil {
    let limit = 253_402_300_799.0  // the last second of the year 9999
    let interval = date.timeIntervalSince1970
    let instant = interval.isNaN ? 0 : min(max(interval, -limit), limit)
    let seconds = Int(instant.rounded(.down)) + secondsAheadOfUTC(date)
    let secondOfDay = ((seconds % 86_400) + 86_400) % 86_400
    let days = (seconds - secondOfDay) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return Civil(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1,
      hour: secondOfDay / 3600, minute: secondOfDay / 60 % 60, second: secondOfDay % 60)
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func four(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}
