package import FoundationEssentials
package import Model

/// The times of a periodic bot in its time zone.
///
/// A time of day that the clocks leave out in spring comes at the first instant after the gap; one that they repeat in
/// autumn comes once, the first time. A period that names no hour (`hourly`, or a cron line that takes every hour) goes by
/// the time that passes instead: it comes twice in a repeated hour and not at all in one that is left out.
package struct PeriodicTimes: Sendable {
  private let zone: ZoneRules
  private let minutes: [Int]
  private let hours: [Int]
  private let isOnDay: @Sendable (Int) -> Bool

  package init(_ period: Schedule.Period, in zone: ZoneRules) {
    self.zone = zone
    switch period {
    case .hourly(let minute): (minutes, hours, isOnDay) = ([minute], Array(0..<24), { _ in true })
    case .daily(let time): (minutes, hours, isOnDay) = ([time.minute], [time.hour], { _ in true })
    case .weekly(let weekday, let time):
      let wanted = ((Schedule.Weekday.allCases.firstIndex(of: weekday) ?? 0) + 1) % 7
      (minutes, hours) = ([time.minute], [time.hour])
      isOnDay = { CivilDay.weekday(ofNumber: $0) == wanted }
    case .cron(let line):
      (minutes, hours) = (line.minutes.sorted(), line.hours.sorted())
      isOnDay = { line.isOnDay($0) }
    }
  }

  /// The first time after a date; nil when there is none, as for a cron line that asks for February 30.
  package func next(after date: Date) -> Date? {
    let now = Int(date.timeIntervalSince1970.rounded(.down))
    let today = zone.day(at: now)
    // Eight years hold a February 29 even around a year such as 2100; two days back, what a gap has moved to now.
    for day in (today - 2)...(today + 8 * 366 + 1) where isOnDay(day) {
      if let next = instants(on: day).first(where: { $0 > now }) {
        return Date(timeIntervalSince1970: Double(next))
      }
    }
    return nil
  }

  /// Whether a time has come since the last one that was served; missed times come due once, together.
  ///
  /// - Parameter mark: the date up to which nothing is owed; nil for a bot that was not periodic before, which owes nothing.
  /// - Returns: whether to integrate now, and the mark to remember (`now`, unless nothing changed).
  package func isDue(since mark: Date?, at now: Date) -> (isDue: Bool, mark: Date) {
    // A mark in the future comes from a clock that was wrong.
    guard let mark, mark <= now else { return (false, now) }
    guard let next = next(after: mark), next <= now else { return (false, mark) }
    return (true, now)
  }

  /// The instants on a local day, ascending.
  private func instants(on day: Int) -> [Int] {
    let passesHours = hours.count == 24
    var found: Set<Int> = []
    for hour in hours {
      for minute in minutes {
        let local = day * 86_400 + hour * 3600 + minute * 60
        let exact = zone.instants(ofLocal: local)
        if passesHours {
          found.formUnion(exact)
        } else {
          found.insert(exact.first ?? zone.endOfGap(around: local))
        }
      }
    }
    return found.sorted()
  }
}

extension CronLine {
  /// Whether a day, given as days since 1970-01-01, matches.
  fileprivate func isOnDay(_ number: Int) -> Bool {
    let day = CivilDay(number: number)
    guard months.contains(day.month) else { return false }
    let isDayOfMonth = daysOfMonth.contains(day.day)
    let isWeekday = weekdays.contains(CivilDay.weekday(ofNumber: number))
    return switch (restrictsDayOfMonth, restrictsWeekday) {
    case (true, true): isDayOfMonth || isWeekday
    case (true, false): isDayOfMonth
    case (false, true): isWeekday
    case (false, false): true
    }
  }
}
