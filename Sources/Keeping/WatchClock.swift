package import FoundationEssentials

/// The times that the watcher goes by.
package struct WatchClock: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date
  /// Seconds from an arbitrary point; never runs backwards.
  package var seconds: @Sendable () -> Double

  package init(now: @escaping @Sendable () -> Date, seconds: @escaping @Sendable () -> Double) {
    self.now = now
    self.seconds = seconds
  }

  /// The clocks of this machine.
  package static let system: WatchClock = {
    let start = ContinuousClock.now
    return WatchClock(
      now: { Date() },
      seconds: {
        let passed = ContinuousClock.now - start
        return Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
      })
  }()
}
