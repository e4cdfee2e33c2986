/// When a bot integrates.
package struct Schedule: Hashable, Sendable, Codable {
  /// What starts integrations.
  package enum Start: String, CaseIterable, Sendable, Codable {
    case commit, periodic, manual
  }

  package enum Weekday: String, CaseIterable, Sendable, Codable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
  }

  /// A time of day.
  package struct TimeOfDay: Hashable, Sendable, Codable {
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int

    package init(hour: Int, minute: Int) {
      self.hour = hour
      self.minute = minute
    }
  }

  /// The times at which a periodic bot integrates.
  package enum Period: Hashable, Sendable, Codable {
    /// Every hour, at this minute.
    case hourly(minute: Int)
    case daily(TimeOfDay)
    case weekly(Weekday, TimeOfDay)
    case cron(CronLine)
  }

  package var on = Start.commit
  /// Set if and only if the bot is periodic.
  package var every: Period?
  /// An IANA name such as `Europe/Berlin`; nil for the machine's zone.
  package var timeZone: String?
  package var alsoWhenToolchainChanges = true

  package init() {}
}

/// The five fields of a cron line, each as the set of matching values.
///
/// The notation and its rule for days are those of
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html: when both the day of the month and the
/// weekday are restricted, a day that matches either counts.
package struct CronLine: Hashable, Sendable, Codable {
  /// The line as written.
  package var text: String
  package var minutes: Set<Int>
  package var hours: Set<Int>
  package var daysOfMonth: Set<Int>
  package var months: Set<Int>
  /// 0 is Sunday; 7 is not used.
  package var weekdays: Set<Int>
  /// Whether the field is anything but `*`.
  package var restrictsDayOfMonth: Bool
  package var restrictsWeekday: Bool

  package init(
    text: String, minutes: Set<Int>, hours: Set<Int>, daysOfMonth: Set<Int>, months: Set<Int>, weekdays: Set<Int>,
    restrictsDayOfMonth: Bool, restrictsWeekday: Bool
  ) {
    self.text = text
    self.minutes = minutes
    self.hours = hours
    self.daysOfMonth = daysOfMonth
    self.months = months
    self.weekdays = weekdays
    self.restrictsDayOfMonth = restrictsDayOfMonth
    self.restrictsWeekday = restrictsWeekday
  }
}

extension Schedule {
  /// The schedule in a few words, such as `Sundays at 03:00 Europe/Berlin`.
  package var words: String {
    let times =
      switch on {
      case .commit: "on commit"
      case .manual: "manual"
      case .periodic: every?.words ?? "never"
      }
    return on == .periodic ? [times, timeZone].compactMap(\.self).joined(separator: " ") : times
  }
}

extension Schedule.Period {
  fileprivate var words: String {
    switch self {
    case .hourly(let minute): "hourly at :\(Self.digits(minute))"
    case .daily(let time): "daily at \(Self.words(time))"
    case .weekly(let day, let time): "\(day.rawValue.capitalizedFirst)s at \(Self.words(time))"
    case .cron(let line): "cron \(line.text)"
    }
  }

  private static func words(_ time: Schedule.TimeOfDay) -> String { "\(digits(time.hour)):\(digits(time.minute))" }
  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
