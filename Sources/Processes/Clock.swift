package import FoundationEssentials

/// The time of day and a monotonic clock, injected into everything that needs them.
package struct Clock: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date
  /// Seconds since an arbitrary point; never goes backwards.
  package var seconds: @Sendable () -> Double

  package init(now: @escaping @Sendable () -> Date, seconds: @escaping @Sendable () -> Double) {
    self.now = now
    self.seconds = seconds
  }

  /// Returns when to check whether a time of day has come, on the monotonic clock.
  ///
  /// At most a minute from now: the time of day can be changed, which no monotonic clock shows.
  package func seconds(until date: Date) -> Double { seconds() + min(60, max(0, date.timeIntervalSince(now()))) }

  /// The clocks of this machine.
  package static let system: Clock = {
    let start = ContinuousClock.now
    return Clock(
      now: { Date() },
      seconds: {
        let passed = ContinuousClock.now - start
        return Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
      })
  }()
}
