import Model

extension HangReport {
  /// Returns the limit that was reached, how often, and how long the test was waited for.
  func limit(of test: TestResult) -> String { "\(rule.capitalizedFirst)\(extent(of: test))" }

  /// Returns the end of a sentence about the limit: in how many runs it was reached, and how long these took; of a single
  /// one only that limit tells.
  func extent(of test: TestResult) -> String {
    let times = test.timesOfRuns
    let sum = times.isEmpty ? nil : DurationText.short(times.reduce(0, +))
    guard let often = FlakyWords.repetition(of: test) else { return "" }
    return often + (sum.map { ", \($0) in all" } ?? "")
  }

  /// Returns what the test waited for, and the call in which it did.
  func explanation(of test: TestResult) -> String? {
    let call = isInCall && !goesOn(test) ? self.call : nil
    return reason(of: test).map { reason in call.map { "\(reason): \($0)" } ?? reason }
  }

  /// Returns what the test waited for; whether that would have come, nobody knows.
  func reason(of test: TestResult) -> String? {
    switch kind {
    case nil: nil
    case .blockedPool: "Deadlock: every thread of Swift’s cooperative pool is blocked"
    case .lock: "Waiting for a lock or a queue that is taken"
    case .signal: "Waiting for a signal"
    case .child: "Waiting for another process"
    case .input: "Waiting for input"
    case .sleep: goesOn(test) ? "Still running" : "Sleeping"
    case .events: "Waiting for events"
    case .busy: "Still computing"
    case .stopped: "Stopped by a signal"
    case .suspended: "Probably suspended at an await: no thread ran the package’s code"
    }
  }

  /// What is said of a test that waits for what is told of another one, in the same line.
  static let alike = "Same place"

  /// Returns whether the test did more than sleep: it printed, and not only before a silence that was too long.
  private func goesOn(_ test: TestResult) -> Bool {
    kind == .sleep && !isSilent && TranscriptSection(test.transcript).saysMore
  }

  /// Whether a call is what it waits in.
  private var isInCall: Bool {
    switch kind {
    case .lock, .signal, .child, .input, .sleep, .events: true
    case .blockedPool, .busy, .stopped, .suspended, nil: false
    }
  }

  /// What the package's code calls, as its source has it; nil for what only the compiler has a name for.
  private var call: String? {
    guard let frames = threads.first?.frames, let own = frames.firstIndex(where: \.isOwn), own > 0 else { return nil }
    let words = frames[own - 1].plainFunction.split(separator: " ")
    if words.count == 2, words[0] == "static" { return String(words[1]) }
    return words.count == 1 ? String(words[0]) : nil
  }
}
