package import FoundationEssentials
package import Model

/// When the daily and weekly mails of a bot are due, in its time zone.
package struct ReportDecision: Sendable {
  /// When reports are sent if the bot does not say: when people come to work.
  private static let usualTime = Schedule.TimeOfDay(hour: 8, minute: 0)

  private let times: PeriodicTimes

  /// - Parameter time: when the bot wants it; nil for eight in the morning.
  /// - Returns: nil for a mail that follows an integration.
  package init?(_ report: Trigger.Mail.Report, at time: Schedule.TimeOfDay? = nil, in zone: ZoneRules) {
    let time = time ?? Self.usualTime
    switch report {
    case .daily: times = PeriodicTimes(.daily(time), in: zone)
    case .weekly: times = PeriodicTimes(.weekly(.monday, time), in: zone)
    case .newIssues, .integration, .allResolved: return nil
    }
  }

  /// What is to be done at a moment.
  package enum Verdict: Hashable, Sendable {
    case nothing
    /// Reports begin with what happens from now on.
    case begin(Date)
    /// A report on everything between two dates; those that were missed are one report.
    case send(from: Date, to: Date)
  }

  /// - Parameter last: the end of the last report's period; nil when there was none yet.
  package func decide(last: Date?, at now: Date) -> Verdict {
    let (isDue, mark) = times.isDue(since: last, at: now)
    guard let last, isDue else { return mark == last ? .nothing : .begin(mark) }
    return .send(from: last, to: mark)
  }

  /// When the next one is due.
  package func next(after date: Date) -> Date? { times.next(after: date) }
}
