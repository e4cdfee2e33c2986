/// The time limits of a delivery, and the schedule of its retries.
package struct DeliveryTiming: Hashable, Sendable {
  /// The time limit for reaching the server.
  package var connecting = Duration.seconds(10)
  /// The time limit for a whole attempt.
  package var whole = Duration.seconds(30)
  /// The pauses between the attempts that are made immediately, one after the other.
  package var pauses: [Duration] = [.seconds(1), .seconds(3)]
  /// The seconds until the first later attempt; each further one waits twice as long.
  package var firstDelay = 60.0
  package var longestDelay = 3600.0
  /// The seconds after which a delivery is abandoned.
  package var patience = 3 * 86_400.0

  package init() {}

  /// Returns the seconds to wait after a number of attempts.
  func delay(after attempts: Int) -> Double {
    let doublings = max(0, attempts - pauses.count - 1)
    return doublings > 16 ? longestDelay : min(longestDelay, firstDelay * Double(1 << doublings))
  }
}
