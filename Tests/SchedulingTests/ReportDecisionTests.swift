import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("When daily and weekly mails are due")
struct ReportDecisionTests {
  /// Friday, 20 November 2026, in universal time.
  private func date(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Date {
    Date(timeIntervalSince1970: Double(1_795_132_800 + (day - 20) * 86_400 + hour * 3600 + minute * 60))
  }

  @Test("The first time begins a period and owes nothing")
  func first() throws {
    let decision = try #require(ReportDecision(.daily, in: .utc))
    #expect(decision.decide(last: nil, at: date(20, 9)) == .begin(date(20, 9)))
  }

  @Test("A daily mail is due at eight, once, with all that was missed")
  func daily() throws {
    let decision = try #require(ReportDecision(.daily, in: .utc))
    #expect(decision.decide(last: date(20, 9), at: date(20, 23)) == .nothing)
    #expect(decision.decide(last: date(20, 9), at: date(21, 7, 59)) == .nothing)
    #expect(decision.decide(last: date(20, 9), at: date(21, 8)) == .send(from: date(20, 9), to: date(21, 8)))
    #expect(decision.decide(last: date(20, 9), at: date(24, 12)) == .send(from: date(20, 9), to: date(24, 12)))
    #expect(decision.decide(last: date(24, 12), at: date(24, 13)) == .nothing)
    #expect(decision.next(after: date(20, 9)) == date(21, 8))
  }

  @Test("A weekly mail is due on Monday at eight")
  func weekly() throws {
    let decision = try #require(ReportDecision(.weekly, in: .utc))
    #expect(decision.decide(last: date(20, 9), at: date(23, 7)) == .nothing)
    #expect(decision.decide(last: date(20, 9), at: date(23, 8)) == .send(from: date(20, 9), to: date(23, 8)))
    #expect(decision.next(after: date(23, 8)) == date(30, 8))
  }

  @Test("A bot says at what time, and a change of it neither sends twice nor leaves anything out")
  func time() throws {
    let evening = Schedule.TimeOfDay(hour: 17, minute: 30)
    let decision = try #require(ReportDecision(.daily, at: evening, in: .utc))
    #expect(decision.decide(last: date(20, 8), at: date(20, 17, 29)) == .nothing)
    #expect(decision.decide(last: date(20, 8), at: date(20, 17, 30)) == .send(from: date(20, 8), to: date(20, 17, 30)))
    #expect(decision.next(after: date(20, 18)) == date(21, 17, 30))
    #expect(ReportDecision(.weekly, at: evening, in: .utc)?.next(after: date(20, 18)) == date(23, 17, 30))
    let usual = try #require(ReportDecision(.daily, in: .utc))
    #expect(usual.decide(last: date(20, 17, 30), at: date(20, 18)) == .nothing)
  }

  @Test("A mark in the future comes from a clock that was wrong, and begins anew")
  func future() throws {
    let decision = try #require(ReportDecision(.daily, in: .utc))
    #expect(decision.decide(last: date(30, 0), at: date(20, 9)) == .begin(date(20, 9)))
  }

  @Test("Mails that follow integrations are never due by the clock")
  func others() {
    for report in [Trigger.Mail.Report.newIssues, .integration, .allResolved] {
      #expect(ReportDecision(report, in: .utc) == nil)
    }
  }
}
