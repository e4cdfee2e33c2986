/// A limit on repeated failed attempts, with a memory of fixed size.
struct Throttle {
  /// The number of recent failed attempts of each source, and the time of that number.
  private(set) var tries: [String: (count: Double, time: Double)] = [:]

  /// The number of free attempts, and the seconds that each further one costs.
  static let (free, pause) = (10.0, 6.0)
  /// The number of sources that are distinguished; any further ones share an entry.
  static let mostSources = 1024
  private static let shared = ""

  /// Returns the seconds for which attempts of a source are not checked; nil if the next one is.
  func wait(_ source: String, now: Double) -> Int? {
    guard let known = tries[place(of: source)] else { return nil }
    let over = Self.left(known, now) - (Self.free - 1)
    return over > 0 ? Int((over * Self.pause).rounded(.up)) : nil
  }

  /// Records a failed attempt.
  mutating func note(_ source: String, now: Double) {
    if tries[source] == nil, tries.count >= Self.mostSources {
      tries = tries.filter { Self.left($0.value, now) > 0 }
    }
    let place = place(of: source)
    tries[place] = (min(tries[place].map { Self.left($0, now) } ?? 0, Self.free) + 1, now)
  }

  private func place(of source: String) -> String {
    tries[source] != nil || tries.count < Self.mostSources ? source : Self.shared
  }

  private static func left(_ known: (count: Double, time: Double), _ now: Double) -> Double {
    max(0, known.count - (now - known.time) / pause)
  }
}
