/// When a repository that lies elsewhere is fetched; times are seconds of one steady clock.
package struct FetchState: Hashable, Sendable {
  /// Seconds between the end of a fetch and the next one; nil where only those who ask decide.
  package var interval: Double?
  /// Whether somebody asked since the last fetch began.
  package private(set) var isAsked: Bool
  package private(set) var isRunning = false
  /// How many fetches failed since the last one that went well.
  package private(set) var failures = 0
  /// When the last fetch ended.
  package private(set) var endedAt: Double?

  /// - Parameter isAsked: whether it is fetched at once.
  package init(interval: Double?, isAsked: Bool) {
    self.interval = interval
    self.isAsked = isAsked
  }

  /// Notes that somebody says that the repository moved: it is fetched at once, and after a fetch that runs once more.
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

  /// When it is fetched next; nil while it runs, and where nobody has asked.
  package var dueTime: Double? {
    if isRunning { return nil }
    if isAsked { return -.infinity }
    guard let endedAt else { return nil }
    if failures > 0 { return endedAt + Self.pause(after: failures) }
    return interval.map { endedAt + $0 }
  }

  /// The seconds between a failure and the next attempt: 1, 2, 4 … 32 minutes, then an hour.
  package static func pause(after failures: Int) -> Double {
    failures > 6 ? 3600 : 60 * Double(1 << max(0, failures - 1))
  }
}

/// Which repositories that lie elsewhere are fetched now.
package struct FetchDecision: Hashable, Sendable {
  /// A mirror and the machine that it is fetched from.
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

  /// So many are fetched at once, and so many from one machine: one that hangs holds up nobody else.
  package static let (most, mostOfHost) = (8, 2)

  /// The mirrors whose turn it is, those that have waited longest first.
  package private(set) var starting: [String] = []
  /// When the clock has something to say; nil where it is for others to say.
  package private(set) var nextTime: Double?

  package init(_ candidates: [Candidate], now: Double) {
    var running: [String: Int] = [:]
    for candidate in candidates where candidate.state.isRunning { running[candidate.host, default: 0] += 1 }
    var free = Self.most - running.values.reduce(0, +)
    let due = candidates.compactMap { candidate in candidate.state.dueTime.map { (candidate, $0) } }
      .sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }
    for (candidate, time) in due {
      guard time <= now else {
        // What waits for a place is started when another one ends, which is heard of otherwise.
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
