/// How long a delivery may take, and when it is tried again.
package struct DeliveryTiming: Hashable, Sendable {
  /// The time until the server is reached.
  package var connecting = Duration.seconds(10)
  /// The time of one attempt from start to end.
  package var whole = Duration.seconds(30)
  /// The waits between the attempts that are made at once, one after the other.
  package var pauses: [Duration] = [.seconds(1), .seconds(3)]
  /// Seconds until the first later attempt; each further one waits twice as long.
  package var firstDelay = 60.0
  package var longestDelay = 3600.0
  /// Seconds after which it is given up.
  package var patience = 3 * 86_400.0

  package init() {}

  /// Seconds to wait after so many attempts.
  func delay(after attempts: Int) -> Double {
    let doublings = max(0, attempts - pauses.count - 1)
    return doublings > 16 ? longestDelay : min(longestDelay, firstDelay * Double(1 << doublings))
  }
}
