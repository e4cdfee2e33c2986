import Model

extension HangReport {
  /// Returns the end of a sentence about the limit: in how many runs it was reached, and how long these took.
  func extent(of test: TestResult) -> String {
    let isSingle = test.attempts.count < 2
    let runs = isSingle ? [] : test.attempts + [test.mapped].compactMap(\.self)
    let times = isSingle ? [test.time].compactMap(\.self) : runs.compactMap(\.time)
    let sum = times.isEmpty ? nil : DurationText.short(times.reduce(0, +))
    let often = FlakyWords.repetition(of: test) ?? ""
    return isSingle ? (sum.map { ", stopped after \($0)" } ?? "") + often : often + (sum.map { ", \($0) in all" } ?? "")
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
