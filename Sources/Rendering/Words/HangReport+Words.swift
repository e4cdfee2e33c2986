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

  /// What the test waited for.
  var explanation: String? {
    switch kind {
    case nil: nil
    case .blockedPool:
      "Deadlock: every thread of Swift’s cooperative pool is blocked."
    case .lock: "Waits for a lock or a queue that is taken."
    case .signal: "Waits for a signal that nobody sends (a semaphore, a group or a condition)."
    case .child: "Waits for another process."
    case .input: "Waits for input that never comes."
    case .sleep: "Sleeps."
    case .events: "Waits for events that never come."
    case .busy: "Busy computing."
    case .stopped: "Stopped by a signal, and not continued."
    case .suspended: "Probably suspended at an await: no thread ran the package’s code."
    }
  }
}
