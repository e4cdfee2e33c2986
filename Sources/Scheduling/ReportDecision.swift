package import FoundationEssentials
package import Model

/// The schedule of a bot's daily and weekly mails, in its time zone.
package struct ReportDecision: Sendable {
  /// The default time for reports: when people come to work.
  static let usualTime = Schedule.TimeOfDay(hour: 8, minute: 0)

  private let times: PeriodicTimes

  /// - Parameter time: The time chosen by the bot; nil for eight in the morning.
  /// - Returns: Nil for a mail that follows an integration.
  package init?(_ report: Trigger.Mail.Report, at time: Schedule.TimeOfDay? = nil, in zone: ZoneRules) {
    let time = time ?? Self.usualTime
    switch report {
    case .daily: times = PeriodicTimes(.daily(time), in: zone)
    case .weekly: times = PeriodicTimes(.weekly(.monday, time), in: zone)
    case .newIssues, .integration, .allResolved: return nil
    }
  }

  /// The action to take at a point in time.
  package enum Verdict: Hashable, Sendable {
    case nothing
    /// Start the first report's period now.
    case begin(Date)
    /// Send a report on everything between two dates; missed reports are combined into one.
    case send(from: Date, to: Date)
  }

  /// - Parameter last: The end of the last report's period; nil if there was none yet.
  package func decide(last: Date?, at now: Date) -> Verdict {
    let (isDue, mark) = times.isDue(since: last, at: now)
    guard let last, isDue else { return mark == last ? .nothing : .begin(mark) }
    return .send(from: last, to: mark)
  }

  /// Returns the time at which the next report is due.
  package func next(after date: Date) -> Date? { times.next(after: date) }
}
