import BotFiles
import Model
import Testing

@Suite("Cron lines")
struct CronLineTests {
  private func read(_ text: String) throws -> CronLine {
    let bot = try Reading.bot(saying: "schedule: {on: periodic, every: {cron: \"\(text)\"}}")
    guard case .cron(let line) = bot.schedule.every else { throw NoCronLine() }
    return line
  }

  private struct NoCronLine: Error {}

  @Test("Each field is a set of values")
  func fields() throws {
    let line = try read("0,30 8-18/5 1,15 jan-Mar,12 MON,fri")
    #expect(line.text == "0,30 8-18/5 1,15 jan-Mar,12 MON,fri")
    #expect(line.minutes == [0, 30])
    #expect(line.hours == [8, 13, 18])
    #expect(line.daysOfMonth == [1, 15])
    #expect(line.months == [1, 2, 3, 12])
    #expect(line.weekdays == [1, 5])
    #expect(line.restrictsDayOfMonth)
    #expect(line.restrictsWeekday)
  }

  @Test("A star is every value, and restricts nothing")
  func star() throws {
    let line = try read("* * * * *")
    #expect(line.minutes == Set(0...59))
    #expect(line.hours == Set(0...23))
    #expect(line.daysOfMonth == Set(1...31))
    #expect(line.months == Set(1...12))
    #expect(line.weekdays == Set(0...6))
    #expect(!line.restrictsDayOfMonth)
    #expect(!line.restrictsWeekday)
    #expect(try read("*/25 * * * */2").minutes == [0, 25, 50])
    #expect(try read("*/25 * * * */2").weekdays == [0, 2, 4, 6])
  }

  @Test(
    "Sunday is 0 and 7, and ends a range",
    arguments: [
      ("7", [0]), ("0", [0]), ("sun", [0]), ("5-7", [0, 5, 6]), ("fri-sun", [0, 5, 6]), ("0-7", [0, 1, 2, 3, 4, 5, 6]),
    ])
  func sunday(text: String, weekdays: [Int]) throws {
    #expect(try read("0 0 * * \(text)").weekdays.sorted() == weekdays)
  }

  @Test(
    "Words stand for lines",
    arguments: [
      ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
      ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"),
    ])
  func words(word: String, line: String) throws {
    var expected = try read(line)
    expected.text = word
    #expect(try read(word) == expected)
  }

  @Test(
    "A line that cannot be kept says why",
    arguments: [
      ("* * * *", "a cron line has 5 fields, minute, hour, day of the month, month and weekday, not 4"),
      ("60 * * * *", "'60' is no value of the minute, which is a number from 0 to 59"),
      ("* * 0 * *", "'0' is no value of the day of the month, which is a number from 1 to 31"),
      ("* * * janu *", "'janu' is no value of the month, which is a number from 1 to 12 or a name such as feb"),
      ("* * * * 8", "'8' is no value of the weekday, which is a number from 0 to 7 or a name such as mon"),
      ("*/0 * * * *", "'*/0' of the minute has no step from 1 to 59"),
      ("5/10 * * * *", "the step in '5/10' of the minute needs a range, such as */10"),
      ("30-10 * * * *", "the range '30-10' of the minute runs backwards; write two, joined by a comma"),
      ("1,,2 * * * *", "'' is no value of the minute, which is a number from 0 to 59"),
      ("0 0 30,31 2 *", "'0 0 30,31 2 *' names a day that no month has"),
      ("@dayly", "'@dayly' is no cron word; did you mean '@daily'?"),
      (
        "@reboot",
        "'@reboot' is no cron word; known are @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly"
      ),
      (
        "99999999999999999999 * * * *",
        "'99999999999999999999' is no value of the minute, which is a number from 0 to 59"
      ),
    ])
  func refusals(text: String, message: String) {
    let messages = Reading.messages(saying: "schedule: {on: periodic, every: {cron: \"\(text)\"}}")
    #expect(messages == ["2:40: 'cron': \(message)"])
  }
}
