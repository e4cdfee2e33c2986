package import FoundationEssentials

/// The time of day and a monotonic clock, injected into everything that needs them.
package struct Clock: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date
  /// Seconds since an arbitrary point; never goes backwards.
  package var seconds: @Sendable () -> Double

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
