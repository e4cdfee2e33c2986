import Model

extension HangReport {
  /// Returns the end of a sentence about the limit: how many attempts reached it, and how long they took.
  func extent(of test: TestResult) -> String {
    let (all, hung) = (test.attempts.count, test.attempts.count { $0.state == .timedOut })
    let times = all > 1 ? test.attempts.compactMap(\.time) : [test.time].compactMap(\.self)
    let sum = times.isEmpty ? nil : DurationText.short(times.reduce(0, +))
    if all < 2 { return sum.map { ", stopped after \($0)" } ?? "" }
    let time = sum.map { ", \($0) in all" } ?? ""
    if hung < all { return " in \(CountText.plain(hung)) of \(CountText.counted(all, "attempt"))\(time)" }
    return (all == 2 ? " in both attempts" : " in each of \(CountText.plain(all)) attempts") + time
  }

  /// What the test waited for, as a sentence.
  var explanation: String? {
    switch kind {
    case nil: nil
    case .blockedPool:
      "Deadlock: every thread of Swift’s cooperative pool is blocked."
    case .lock: "It waits for a lock or a queue that is taken."
    case .signal: "It waits for a signal that nobody sends (a semaphore, a group or a condition)."
    case .child: "It waits for another process."
    case .input: "It waits for input that never comes."
    case .sleep: "It sleeps."
    case .events: "It waits for events that never come."
    case .busy: "It is busy computing."
    case .stopped: "The process was stopped by a signal, and nobody continued it."
    case .suspended: "It was suspended, probably at an await: no thread ran the package's code."
    }
  }
}
