package import FoundationEssentials
import Model

/// The clocks that the watcher uses.
package struct WatchClock: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date
  /// Seconds from an arbitrary point; never runs backward.
  package var seconds: @Sendable () -> Double

  /// Returns when to check whether a time of day has come, on the steady clock.
  ///
  /// At most a minute from now: the time of day can be changed, which no steady clock shows.
  func seconds(until date: Date) -> Double { seconds() + min(60, max(0, date.timeIntervalSince(now()))) }

  /// The clocks of this machine.
  package static let system: WatchClock = {
    let start = ContinuousClock.now
    return WatchClock(
      now: { Date() },
      seconds: { (ContinuousClock.now - start).inSeconds })
  }()
}

/// A time of day at which something is due.
struct DueTime {
  let date: Date
  /// When it was determined.
  private let determined: Date

  init?(_ date: Date?, at now: Date) {
    guard let date else { return nil }
    (self.date, determined) = (date, now)
  }

  /// Whether it has come; also after the clock was set back, since by the right time it may have been due long before.
  func hasCome(at now: Date) -> Bool { date <= now || now < determined }
}

/// When the watcher wakes though nothing has happened, on the steady clock; nil for what is not to be done.
struct WakeTimes {
  /// The bots' files are read again.
  var reload: Double?
  /// systemd is told that the watcher is alive.
  var sign: Double?
  /// Memory is released, if nothing happens until then.
  var rest: Double?
}
