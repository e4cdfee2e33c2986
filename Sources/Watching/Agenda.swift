/// The order in which repositories are read: those with news once they have been quiet for a moment, then the rest in
/// turn.
struct Agenda {
  private struct News {
    var first: Double
    var last: Double
  }

  /// The seconds without further news after which a repository is read, so that pushing several branches is handled once.
  private static let quiet = 0.004
  /// The most seconds between the first news and the reading.
  private static let longest = 0.025
  /// The seconds between readings of a repository that cannot be watched.
  private static let poll = 30.0
  /// The seconds after which all repositories are read in case the kernel missed a change. They double each time, up to
  /// `reconcileMost`, until the kernel misses a change.
  private static let reconcileFirst = 30.0
  private static let reconcileMost = 1800.0

  private var news: [String: News] = [:]
  /// Repositories without news that are due, in order; those before `position` are done.
  private var others: [String] = []
  private var position = 0
  private var waiting: Set<String> = []
  /// The repositories that were last handed out because of news.
  private var announced: Set<String> = []
  private var interval: Double
  private var nextReconciliation: Double
  private var nextPoll: Double
  private var startsAgain = false

  init(now: Double) {
    interval = Self.reconcileFirst
    nextReconciliation = now + interval
    nextPoll = now + Self.poll
  }

  /// Records that a repository changed.
  mutating func note(_ path: String, now: Double) {
    news[path, default: News(first: now, last: now)].last = now
  }

  /// Records that a repository is to be read when there is time.
  mutating func putOff(_ path: String) {
    if waiting.insert(path).inserted { others.append(path) }
  }

  mutating func forget(_ path: String) {
    news[path] = nil
    waiting.remove(path)
    announced.remove(path)
  }

  /// Removes and returns the next repository, or returns nil if all have to wait.
  mutating func next(now: Double) -> String? {
    let ready = news.filter { time($0.value) <= now }.min { ($0.value.first, $0.key) < ($1.value.first, $1.key) }
    if let path = ready?.key {
      news[path] = nil
      waiting.remove(path)
      announced.insert(path)
      return path
    }
    while position < others.count {
      let path = others[position]
      position += 1
      if waiting.remove(path) != nil {
        announced.remove(path)
        return path
      }
    }
    others.removeAll()
    position = 0
    return nil
  }

  /// Returns whether a repository was last handed out because of news.
  func wasAnnounced(_ path: String) -> Bool { announced.contains(path) }

  /// Resets the reconciliation interval because news was missed.
  mutating func startAgain() {
    interval = Self.reconcileFirst
    startsAgain = true
  }

  /// Returns whether all repositories are to be read now, and if so, schedules the next time.
  mutating func isTimeToReconcile(now: Double) -> Bool {
    if startsAgain {
      nextReconciliation = now + interval
      startsAgain = false
    }
    guard now >= nextReconciliation else { return false }
    interval = min(interval * 2, Self.reconcileMost)
    nextReconciliation = now + interval
    return true
  }

  /// Returns whether the repositories that cannot be watched are to be read now, and if so, schedules the next time.
  mutating func isTimeToPoll(now: Double) -> Bool {
    guard now >= nextPoll else { return false }
    nextPoll = now + Self.poll
    return true
  }

  /// Whether a repository is to be read now or in a moment.
  var hasWork: Bool { !waiting.isEmpty || !news.isEmpty }

  func nextTime(now: Double, isPolling: Bool) -> Double {
    if !waiting.isEmpty { return now }
    let times = news.values.map(time) + [nextReconciliation] + (isPolling ? [nextPoll] : [])
    return times.min() ?? nextReconciliation
  }

  private func time(_ news: News) -> Double {
    min(news.last + Self.quiet, news.first + Self.longest)
  }
}
