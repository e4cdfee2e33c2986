import Model

/// The parser of cron lines: five fields of numbers, names, ranges, steps and lists, or one of the words that begin
/// with `@`.
///
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html, and for names, steps and words
/// https://man7.org/linux/man-pages/man5/crontab.5.html.
enum CronText {
  struct Failure: Error {
    var message: String
  }

  private struct Part {
    var name: String
    var range: ClosedRange<Int>
    var names: [String] = []
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  private static let parts = [
    Part(name: "the minute", range: 0...59), Part(name: "the hour", range: 0...23),
    Part(name: "the day of the month", range: 1...31), Part(name: "the month", range: 1...12, names: months),
    Part(name: "the weekday", range: 0...7, names: weekdays),
  ]
  private static let words = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
  ]

  static func read(_ text: String) throws(Failure) -> CronLine {
    var line = text
    if text.hasPrefix("@") {
      guard let meaning = words[text] else {
        throw Failure(
          message: "'\(text.shortened)' is no cron word\(NameAdvice.text(text, among: words.keys.sorted()))")
      }
      line = meaning
    }
    let fields = line.split { $0 == " " || $0 == "\t" }
    guard fields.count == 5 else {
      throw Failure(
        message: "a cron line has 5 fields, minute, hour, day of the month, month and weekday, not \(fields.count)")
    }
    var values: [Set<Int>] = []
    for (field, part) in zip(fields, parts) { values.append(try set(field, part)) }
    let weekdays = Set(values[4].map { $0 % 7 })
    let cron = CronLine(
      text: text, minutes: values[0], hours: values[1], daysOfMonth: values[2], months: values[3], weekdays: weekdays,
      restrictsDayOfMonth: fields[2] != "*", restrictsWeekday: fields[4] != "*")
    guard happens(cron) else { throw Failure(message: "'\(text.shortened)' names a day that no month has") }
    return cron
  }

  private static func set(_ field: Substring, _ part: Part) throws(Failure) -> Set<Int> {
    var values: Set<Int> = []
    for element in field.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = element.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let range = try range(halves[0], part)
      guard halves.count == 2 else {
        values.formUnion(range)
        continue
      }
      guard let step = number(halves[1]), step > 0, step <= part.range.upperBound else {
        throw Failure(
          message: "'\(String(element).shortened)' of \(part.name) has no step from 1 to \(part.range.upperBound)")
      }
      guard range.count > 1 else {
        throw Failure(
          message: "the step in '\(String(element).shortened)' of \(part.name) needs a range, such as */\(step)")
      }
      values.formUnion(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }
    return values
  }

  private static func range(_ text: Substring, _ part: Part) throws(Failure) -> ClosedRange<Int> {
    // 7 is Sunday again, and a star that included both would count it twice in a step.
    if text == "*" { return part.range.lowerBound...(part.range.upperBound == 7 ? 6 : part.range.upperBound) }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let low = try value(ends[0], part)
    guard ends.count == 2 else { return low...low }
    var high = try value(ends[1], part)
    if high == 0, low > 0, part.range.upperBound == 7 { high = 7 }
    guard low <= high else {
      throw Failure(
        message: "the range '\(String(text).shortened)' of \(part.name) runs backwards; write two, joined by a comma")
    }
    return low...high
  }

  private static func value(_ text: Substring, _ part: Part) throws(Failure) -> Int {
    if let index = part.names.firstIndex(of: text.lowercased()) { return index + part.range.lowerBound }
    guard let number = number(text), part.range.contains(number) else {
      let names = part.names.isEmpty ? "" : " or a name such as \(part.names[1])"
      throw Failure(
        message:
          "'\(String(text).shortened)' is no value of \(part.name), which is a number from \(part.range.lowerBound) to \(part.range.upperBound)\(names)"
      )
    }
    return number
  }

  private static func number(_ text: Substring) -> Int? {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
  }

  /// Returns whether any date matches; February 30 never occurs.
  private static func happens(_ cron: CronLine) -> Bool {
    guard cron.restrictsDayOfMonth, !cron.restrictsWeekday else { return true }
    let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return cron.months.contains { month in cron.daysOfMonth.contains { $0 <= longest[month - 1] } }
  }
}
