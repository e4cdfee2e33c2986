import Model

extension Field {
  /// A length of time with its unit; longer than nothing and at most a year.
  func duration() -> Duration? {
    let expectation = "a duration such as 10m, 2h or 0.1s"
    guard case .scalar(let text, _) = node.content, !text.isEmpty, !node.isNothing else { return expected(expectation) }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) {
      return refuse("'\(name)' needs a unit: write \(text.shortened)s for seconds, or a duration such as 10m or 2h")
    }
    guard let duration = DurationField.read(text) else { return expected(expectation) }
    guard duration > .zero, duration <= .seconds(366 * 86400) else {
      return refuse("'\(name)' should be longer than nothing and at most 366d, not '\(text.shortened)'")
    }
    return duration
  }

  /// A time of day such as `"03:00"`.
  func timeOfDay() -> Schedule.TimeOfDay? {
    let expectation = "a time of day in quotes, such as \"03:00\""
    guard case .scalar(let text, _) = node.content else { return expected(expectation) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return expected(expectation) }
    return Schedule.TimeOfDay(hour: hour, minute: minute)
  }

  /// The name of a time zone; whether the machine knows it is not looked up.
  func timeZone() -> String? {
    let expectation = "the name of a time zone such as Europe/Berlin or UTC"
    guard let text = text(expectation) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      part.first?.isLetter == true
        && part.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789_+-".unicodeScalars.contains($0))
        }
    }
    return isName && parts.count <= 3 && text.count <= 64 ? text : expected(expectation)
  }

  /// When a periodic bot integrates.
  func period() -> Schedule.Period? {
    let shapes = "{hour: 15} (every hour at that minute), {day: sunday, at: \"03:00\"} or {cron: \"30 4 * * mon\"}"
    guard case .mapping = node.content, let fields = fields(shapes) else { return expected(shapes) }
    let hour = fields.field("hour")
    let day = fields.field("day")
    let at = fields.field("at")
    let cron = fields.field("cron")
    fields.finish()
    guard [hour, day, cron].compactMap(\.self).count == 1 else { return refuse("'\(name)' should be one of \(shapes)") }
    if let at, day == nil { return at.refuse("'at' goes with 'day'; \(shapes)") }
    if let hour { return hour.number(in: 0...59).map { .hourly(minute: $0) } }
    if let cron { return cron.cronLine().map { .cron($0) } }
    guard let day else { return nil }
    let word = day.choice(among: ["daily"] + Schedule.Weekday.allCases.map(\.rawValue))
    guard let at else { return day.refuse("'day' needs a time of day: {day: \(word ?? "sunday"), at: \"03:00\"}") }
    guard let time = at.timeOfDay(), let word else { return nil }
    return Schedule.Weekday(rawValue: word).map { .weekly($0, time) } ?? .daily(time)
  }

  func cronLine() -> CronLine? {
    guard let text = text("a cron line in quotes, such as \"30 4 * * mon\"") else { return nil }
    do {
      return try CronText.read(text)
    } catch {
      return refuse("'\(name)': \(error.message)")
    }
  }
}
