import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("How far daily and weekly mails have told")
struct ReportMarksTests {
  private static let evening = Schedule.TimeOfDay(hour: 17, minute: 30)

  private func mail(_ report: Trigger.Mail.Report, at time: Schedule.TimeOfDay? = nil) -> Trigger.Mail {
    Trigger.Mail(to: ["ada@example.org"], report: report, at: time)
  }

  private func date(_ day: Double) -> Date { Date(timeIntervalSinceReferenceDate: day * 86_400) }

  private func reading(_ json: String) throws -> ReportMarks {
    try JSONDecoder().decode(ReportMarks.self, from: Data(json.utf8))
  }

  @Test("A mail keeps its mark when other triggers are written above it or taken away")
  func moved() {
    var marks = ReportMarks()
    marks.follow([(1, mail(.daily)), (2, mail(.weekly))])
    marks[mail(.daily)] = ReportMark(end: date(1))
    marks[mail(.weekly)] = ReportMark(end: date(2))
    let before = marks
    marks.follow([(2, mail(.daily)), (5, mail(.weekly))])
    #expect(marks == before)
    // Another mail above it has a mark of its own, and begins.
    marks.follow([(1, mail(.daily, at: Self.evening)), (2, mail(.daily)), (3, mail(.weekly))])
    #expect(marks == before)
    #expect(marks[mail(.daily, at: Self.evening)] == nil)
  }

  @Test("Mails of the same report and time tell of the same periods, however the time is written")
  func together() {
    var marks = ReportMarks()
    marks[mail(.daily)] = ReportMark(end: date(1))
    marks.follow([(1, mail(.daily, at: Schedule.TimeOfDay(hour: 8, minute: 0))), (2, mail(.daily))])
    #expect(marks[mail(.daily, at: Schedule.TimeOfDay(hour: 8, minute: 0))]?.end == date(1))
  }

  @Test("A mail whose time is changed goes on, and one that was taken away begins anew")
  func changed() {
    var marks = ReportMarks()
    marks[mail(.daily)] = ReportMark(end: date(1))
    marks[mail(.weekly)] = ReportMark(end: date(2))
    marks.follow([(1, mail(.daily, at: Self.evening))])
    #expect(marks[mail(.daily, at: Self.evening)]?.end == date(1))
    marks.follow([(1, mail(.daily, at: Self.evening)), (2, mail(.weekly))])
    #expect(marks[mail(.weekly)] == nil)
  }

  @Test("Marks of earlier versions are taken over by the positions that name them, or else by the report")
  func older() throws {
    let json = #"{"daily-1": 86400, "daily-3": 172800, "weekly-2": 259200}"#
    var marks = try reading(json)
    marks.follow([(1, mail(.daily)), (2, mail(.weekly)), (3, mail(.daily, at: Self.evening))])
    #expect(marks[mail(.daily)] == ReportMark(end: date(1)))
    #expect(marks[mail(.weekly)]?.end == date(3))
    #expect(marks[mail(.daily, at: Self.evening)]?.end == date(2))
    var moved = try reading(#"{"daily-1": 86400}"#)
    moved.follow([(2, mail(.daily))])
    #expect(moved[mail(.daily)]?.end == date(1))
  }

  @Test("Marks are read as they were written")
  func coding() throws {
    var marks = ReportMarks()
    marks[mail(.daily)] = ReportMark(end: date(1), stored: [1, 2, 4])
    #expect(try JSONDecoder().decode(ReportMarks.self, from: JSONEncoder().encode(marks)) == marks)
  }

  @Test("What ended before a report but was stored only after it is owed to the next one, once")
  func late() {
    let mark = ReportMark(end: date(5), stored: [1, 2, 4])
    #expect(mark.owes(3, endedAt: date(4)) && mark.owes(5, endedAt: date(4)))
    #expect(!mark.owes(2, endedAt: date(4)) && !mark.owes(4, endedAt: date(5)))
    #expect(mark.owes(6, endedAt: date(6)))
    let next = ReportMark(end: date(6), stored: [1, 2, 3, 4, 5, 6])
    #expect(!next.owes(3, endedAt: date(4)) && !next.owes(5, endedAt: date(4)))
    // Nobody knows what an earlier version told.
    #expect(!ReportMark(end: date(5)).owes(9, endedAt: date(4)))
    #expect(ReportMark(end: date(5), stored: []).owes(1, endedAt: date(4)))
  }
}
