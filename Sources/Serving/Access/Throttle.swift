/// Slows down who tries what is not right again and again, with a memory of fixed size.
struct Throttle {
  /// How many wrong tries there were lately, and when that was so.
  private var tries: [String: (count: Double, time: Double)] = [:]

  /// How many tries are free, and how many seconds each further one takes.
  static let (free, pause) = (10.0, 6.0)
  /// How many sources are told apart; those that come when there are more share a place.
  static let mostSources = 1024
  private static let shared = ""

  /// For how many seconds nothing of a source is looked at; nil where the next try is.
  func wait(_ source: String, now: Double) -> Int? {
    guard let known = tries[place(of: source)] else { return nil }
    let over = Self.left(known, now) - (Self.free - 1)
    return over > 0 ? Int((over * Self.pause).rounded(.up)) : nil
  }

  /// Notes a wrong try.
  mutating func note(_ source: String, now: Double) {
    if tries[source] == nil, tries.count >= Self.mostSources {
      tries = tries.filter { Self.left($0.value, now) > 0 }
    }
    let place = place(of: source)
    tries[place] = (min(tries[place].map { Self.left($0, now) } ?? 0, Self.free) + 1, now)
  }

  var sourceCount: Int { tries.count }

  private func place(of source: String) -> String {
    tries[source] != nil || tries.count < Self.mostSources ? source : Self.shared
  }

  private static func left(_ known: (count: Double, time: Double), _ now: Double) -> Double {
    max(0, known.count - (now - known.time) / pause)
  }
}
