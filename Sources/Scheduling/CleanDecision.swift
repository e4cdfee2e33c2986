package import FoundationEssentials
package import Model

/// The decision whether a workspace is cleaned before an integration.
package enum CleanDecision {
  /// Returns whether cleaning is due: by the calendar day in the bot's zone for `daily`, by its week from Monday for
  /// `weekly`.
  /// - Parameter last: The time of the last cleaning; nil for never.
  package static func isDue(_ policy: Bot.CleanPolicy, last: Date?, at now: Date, in zone: ZoneRules) -> Bool {
    func day(_ date: Date) -> Int { zone.day(at: Int(date.timeIntervalSince1970.rounded(.down))) }
    // 1970-01-01 was a Thursday, three days after a Monday.
    func week(_ date: Date) -> Int { (day(date) + 3).flooredDivision(by: 7) }
    switch policy {
    case .never: return false
    case .always: return true
    case .daily: return last.map { day($0) != day(now) } ?? true
    case .weekly: return last.map { week($0) != week(now) } ?? true
    }
  }
}
