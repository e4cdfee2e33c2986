import Testing

@testable import Greeter

@Suite("Parts of the day")
struct PartOfDayTests {
  @Test("The first hour of each part", arguments: [(5, PartOfDay.morning), (12, .afternoon), (22, .night)])
  func firstHour(hour: Int, part: PartOfDay) {
    #expect(PartOfDay(hour: hour) == part)
  }

  @Test func noHourAfterMidnightIsMissing() {
    withKnownIssue("Hour 24 should count as 0") {
      #expect(PartOfDay(hour: 24) == .night)
    }
  }
}
