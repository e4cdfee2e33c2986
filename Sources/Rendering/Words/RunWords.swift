import Model

/// How one library's process ended, and the source of its results.
enum RunWords {
  /// What is known of a test without a result that had started; nil for any other.
  static func cutOff(_ test: TestResult) -> String? {
    test.wasCutOff ? "was running when the process ended" : nil
  }

  /// Returns why a process that a test ended with status 0 is no success.
  ///
  /// - Parameter how: how it was ended; nil where that is said already.
  static func seemsGreen(_ how: String? = nil) -> String {
    how.map { "\($0); swift test alone would report success." }
      ?? "swift test alone would report success (exit status 0)."
  }

  /// Returns since when a test has had no result; nil if there is nothing to compare with.
  static func missing(_ test: TestResult, before baseline: Baseline?) -> String? {
    guard let baseline, !baseline.states.isEmpty else { return nil }
    return switch baseline.states[test.id] {
    case nil: "new test"
    case .notRun: "none in \(baseline.number) either"
    case .some: "ran in \(baseline.number)"
    }
  }

  /// - Parameter isRetried: whether tests ran again in processes of their own, of which the run knows nothing.
  static func sentence(_ run: LibraryRun, isRetried: Bool) -> String {
    var end =
      if let signal = run.signal {
        "ended by \(SignalText.of(signal))"
      } else if let status = run.exitStatus {
        "exit status \(status)"
      } else {
        "end unknown"
      }
    if isRetried { end += " in the first run" }
    let source = run.source.split(separator: "-").joined(separator: " ")
    let reason = run.sourceReason.map { " (\($0))" } ?? ""
    let record = run.sawTerminalRecord ? "" : ", closing record missing"
    return "results from the \(source)\(reason), \(end)\(record)"
  }
}
