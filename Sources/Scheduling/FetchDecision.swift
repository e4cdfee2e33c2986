/// The schedule for fetching a remote repository; times are in seconds of one steady clock.
package struct FetchState: Hashable, Sendable {
  /// The seconds between the end of a fetch and the next one; nil to fetch only on request.
  package var interval: Double?
  /// Whether a fetch was requested since the last one began.
  package private(set) var isAsked: Bool
  package private(set) var isRunning = false
  /// The number of failed fetches since the last successful one.
  package private(set) var failures = 0
  /// The time at which the last fetch ended.
  package private(set) var endedAt: Double?

  /// - Parameter isAsked: Whether to fetch immediately.
  package init(interval: Double?, isAsked: Bool) {
    self.interval = interval
    self.isAsked = isAsked
  }

  /// Requests a fetch because the repository is said to have moved: immediately, or again after one that is running.
  package mutating func ask() { isAsked = true }

  package mutating func start() {
    isRunning = true
    isAsked = false
  }

  package mutating func end(failed: Bool, at now: Double) {
    isRunning = false
    failures = failed ? failures + 1 : 0
    endedAt = now
  }

  /// The time of the next fetch; nil while one is running, or if none is scheduled.
  package var dueTime: Double? {
    if isRunning { return nil }
    if isAsked { return -.infinity }
    guard let endedAt else { return nil }
    if failures > 0 { return endedAt + Self.pause(after: failures) }
    return interval.map { endedAt + $0 }
  }

  /// Returns the seconds between a failure and the next attempt: 1, 2, 4 … 32 minutes, then an hour.
  package static func pause(after failures: Int) -> Double {
    failures > 6 ? 3600 : 60 * Double(1 << max(0, failures - 1))
  }
}

/// The remote repositories to fetch now.
package struct FetchDecision: Hashable, Sendable {
  /// A mirror and the machine from which it is fetched.
  package struct Candidate: Hashable, Sendable {
    package var name: String
    package var host: String
    package var state: FetchState

    package init(name: String, host: String, state: FetchState) {
      self.name = name
      self.host = host
      self.state = state
    }
  }

  /// The most concurrent fetches in total and from one machine, so that one that hangs does not hold up the others.
  package static let (most, mostOfHost) = (8, 2)

  /// The mirrors to fetch now, longest waiting first.
  package private(set) var starting: [String] = []
  /// The time of the next scheduled fetch; nil if it depends on other events.
  package private(set) var nextTime: Double?

  package init(_ candidates: [Candidate], now: Double) {
    var running: [String: Int] = [:]
    for candidate in candidates where candidate.state.isRunning { running[candidate.host, default: 0] += 1 }
    var free = Self.most - running.values.reduce(0, +)
    let due = candidates.compactMap { candidate in candidate.state.dueTime.map { (candidate, $0) } }
      .sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }
    for (candidate, time) in due {
      guard time <= now else {
        // A fetch waiting for a free place starts when another one ends, which is reported separately.
        nextTime = time
        break
      }
      guard free > 0, running[candidate.host, default: 0] < Self.mostOfHost else { continue }
      starting.append(candidate.name)
      running[candidate.host, default: 0] += 1
      free -= 1
    }
  }
}
