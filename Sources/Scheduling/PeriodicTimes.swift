package import FoundationEssentials
package import Model

/// The times of a periodic bot in its time zone.
///
/// A time of day that is skipped in spring occurs at the first instant after the gap; one that is repeated in autumn
/// occurs once, the first time. A period that names no hour (`hourly`, or a cron line that includes every hour) follows
/// elapsed time instead: it occurs twice in a repeated hour and not at all in a skipped one.
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

  /// Returns the first time after a date, or nil if there is none, as for a cron line that asks for February 30.
  package func next(after date: Date) -> Date? {
    let now = Int(date.timeIntervalSince1970.rounded(.down))
    let today = zone.day(at: now)
    // Eight years include a February 29 even around a year such as 2100; two days back include times that a gap has
    // moved to now.
    for day in (today - 2)...(today + 8 * 366 + 1) where isOnDay(day) {
      if let next = instants(on: day).first(where: { $0 > now }) {
        return Date(timeIntervalSince1970: Double(next))
      }
    }
    return nil
  }

  /// Returns whether a time has passed since the last one that was served; missed times are due once, together.
  ///
  /// - Parameter mark: The date up to which no integration is owed; nil for a bot that was not periodic before and owes
  ///   none.
  /// - Returns: Whether to integrate now, and the mark to remember (`now`, unless nothing changed).
  package func isDue(since mark: Date?, at now: Date) -> (isDue: Bool, mark: Date) {
    // A mark in the future comes from a clock that was wrong.
    guard let mark, mark <= now else { return (false, now) }
    guard let next = next(after: mark), next <= now else { return (false, mark) }
    return (true, now)
  }

  /// Returns the instants on a local day, in ascending order.
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
  /// Returns whether a day, given as days since 1970-01-01, matches.
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
