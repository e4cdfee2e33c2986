import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("Periodic times")
struct PeriodicTimesTests {
  /// The next times after one another, as instants.
  private func times(
    _ period: Schedule.Period, in name: String, after start: Int, count: Int
  ) throws -> [Int] {
    let times = PeriodicTimes(period, in: try zone(name))
    var found: [Int] = []
    var date = Date(timeIntervalSince1970: Double(start))
    for _ in 0..<count {
      date = try #require(times.next(after: date))
      found.append(Int(date.timeIntervalSince1970))
    }
    return found
  }

  private func cron(
    _ minutes: Set<Int>, _ hours: Set<Int>, days: Set<Int> = [], months: Set<Int> = Set(1...12), weekdays: Set<Int> = []
  ) -> Schedule.Period {
    .cron(
      CronLine(
        text: "", minutes: minutes, hours: hours, daysOfMonth: days.isEmpty ? Set(1...31) : days, months: months,
        weekdays: weekdays.isEmpty ? Set(0...6) : weekdays, restrictsDayOfMonth: !days.isEmpty,
        restrictsWeekday: !weekdays.isEmpty))
  }

  @Test("Every hour at a minute, strictly later than the time asked for")
  func hourly() throws {
    #expect(
      try times(.hourly(minute: 15), in: "Asia/Kolkata", after: instant(2026, 1, 1, 0, 45), count: 2)
        == [instant(2026, 1, 1, 1, 45), instant(2026, 1, 1, 2, 45)])
  }

  @Test("A time that is left out in spring comes at the first instant after the gap")
  func gap() throws {
    let half = Schedule.TimeOfDay(hour: 2, minute: 30)
    #expect(
      try times(.daily(half), in: "Europe/Berlin", after: instant(2026, 3, 28, 12), count: 2)
        == [instant(2026, 3, 29, 1), instant(2026, 3, 30, 0, 30)])
    #expect(
      try times(
        cron(Set(stride(from: 0, to: 60, by: 5)), [2]), in: "Europe/Berlin", after: instant(2026, 3, 28, 12), count: 2)
        == [instant(2026, 3, 29, 1), instant(2026, 3, 30)])
    #expect(
      try times(.daily(.init(hour: 12, minute: 0)), in: "Pacific/Apia", after: instant(2011, 12, 29, 23), count: 2)
        == [instant(2011, 12, 30, 10), instant(2011, 12, 30, 22)])
  }

  @Test("A time that is repeated in autumn comes once")
  func repeated() throws {
    let half = Schedule.TimeOfDay(hour: 2, minute: 30)
    #expect(
      try times(.daily(half), in: "Europe/Berlin", after: instant(2026, 10, 24, 12), count: 2)
        == [instant(2026, 10, 25, 0, 30), instant(2026, 10, 26, 1, 30)])
    let lordHowe = Schedule.TimeOfDay(hour: 1, minute: 45)
    #expect(
      try times(.daily(lordHowe), in: "Australia/Lord_Howe", after: instant(2026, 4, 4, 0), count: 2)
        == [instant(2026, 4, 4, 14, 45), instant(2026, 4, 5, 15, 15)])
  }

  @Test("What names no hour goes by the time that passes")
  func passing() throws {
    let expected = [instant(2026, 10, 25, 0, 15), instant(2026, 10, 25, 1, 15), instant(2026, 10, 25, 2, 15)]
    #expect(
      try times(.hourly(minute: 15), in: "Europe/Berlin", after: instant(2026, 10, 25), count: 3) == expected)
    #expect(
      try times(cron([15], Set(0..<24)), in: "Europe/Berlin", after: instant(2026, 10, 25), count: 3) == expected)
    #expect(
      try times(.hourly(minute: 15), in: "Europe/Berlin", after: instant(2026, 3, 29), count: 2)
        == [instant(2026, 3, 29, 0, 15), instant(2026, 3, 29, 1, 15)])
  }

  @Test("Once a week")
  func weekly() throws {
    #expect(
      try times(.weekly(.sunday, .init(hour: 3, minute: 0)), in: "UTC", after: instant(2026, 11, 20), count: 2)
        == [instant(2026, 11, 22, 3), instant(2026, 11, 29, 3)])
    #expect(
      try times(.weekly(.monday, .init(hour: 0, minute: 0)), in: "UTC", after: instant(2026, 11, 23), count: 1)
        == [instant(2026, 11, 30)])
  }

  @Test("A cron line with day and weekday takes a day that is either")
  func cronDays() throws {
    #expect(
      try times(cron([0], [9], days: [1, 15], weekdays: [5]), in: "UTC", after: instant(2026, 5, 1, 10), count: 3)
        == [instant(2026, 5, 8, 9), instant(2026, 5, 15, 9), instant(2026, 5, 22, 9)])
    #expect(
      try times(cron([0], [0], days: [29], months: [2]), in: "UTC", after: instant(2097, 1, 1), count: 1)
        == [instant(2104, 2, 29)])
    let never = PeriodicTimes(cron([0], [0], days: [30], months: [2]), in: .utc)
    #expect(never.next(after: noon) == nil)
  }

  @Test("Missed times are made up once, together")
  func missed() {
    let times = PeriodicTimes(.daily(.init(hour: 3, minute: 0)), in: .utc)
    let now = Date(timeIntervalSince1970: Double(instant(2026, 11, 20, 12)))
    let first = times.isDue(since: now - 5 * 86_400, at: now)
    #expect(first.isDue && first.mark == now)
    let second = times.isDue(since: first.mark, at: now + 3600)
    #expect(!second.isDue && second.mark == now)
    #expect(times.isDue(since: first.mark, at: now + 15 * 3600).isDue)
    let fresh = times.isDue(since: nil, at: now)
    #expect(!fresh.isDue && fresh.mark == now)
    let future = times.isDue(since: now + 86_400, at: now)
    #expect(!future.isDue && future.mark == now)
  }

  @Test("A workspace is cleaned by the days and weeks of the bot's zone")
  func cleaning() throws {
    let berlin = try zone("Europe/Berlin")
    func isDue(_ policy: Bot.CleanPolicy, _ last: Int?, _ now: Int) -> Bool {
      CleanDecision.isDue(
        policy, last: last.map { Date(timeIntervalSince1970: Double($0)) },
        at: Date(timeIntervalSince1970: Double(now)), in: berlin)
    }
    let evening = instant(2026, 11, 19, 22, 59)
    #expect(!isDue(.daily, instant(2026, 11, 18, 23), evening))
    #expect(isDue(.daily, evening, instant(2026, 11, 19, 23)))
    #expect(isDue(.daily, nil, evening) && isDue(.weekly, nil, evening) && isDue(.always, evening, evening))
    #expect(!isDue(.never, nil, evening))
    let sunday = instant(2026, 11, 22, 22, 59)
    #expect(!isDue(.weekly, instant(2026, 11, 15, 23), sunday))
    #expect(isDue(.weekly, sunday, instant(2026, 11, 22, 23)))
    #expect(!isDue(.weekly, instant(2026, 12, 28), instant(2027, 1, 3, 12)))
  }
}
