extension Schedule {
  /// The schedule in a few words, such as `sunday 03:00 Europe/Berlin`.
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
    case .daily(let time): "daily \(Self.words(time))"
    case .weekly(let day, let time): "\(day.rawValue) \(Self.words(time))"
    case .cron(let line): "cron \(line.text)"
    }
  }

  private static func words(_ time: Schedule.TimeOfDay) -> String { "\(digits(time.hour)):\(digits(time.minute))" }
  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
