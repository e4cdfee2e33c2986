import FoundationEssentials
import Model

extension LastDay {
  /// Reads the value of an option; a day that is over is refused.
  static func option(_ text: String, now: Date) throws(UsageError) -> LastDay {
    guard let day = LastDay(text) else {
      throw UsageError("'\(text)' is no day: write it as 2026-12-24. See 'martlet help silence'.")
    }
    guard day.end > now else { throw UsageError("\(text) is over already. See 'martlet help silence'.") }
    return day
  }
}
