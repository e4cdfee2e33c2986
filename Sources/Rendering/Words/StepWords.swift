package import Model

/// What an integration does now.
package enum StepWords {
  /// The step in the middle of a sentence, such as `before triggers`.
  package static func phrase(_ step: Step) -> String { step.word.lowercased() }

  /// How many tests timed out, and the time of all their runs.
  static func timedOut(_ tests: [TestResult]) -> String {
    let time = tests.flatMap(\.timesOfRuns).reduce(0, +)
    return "\(CountText.counted(tests.count, "test")) timed out, \(DurationText.short(time)) in all"
  }

  /// The step, and how far the tests are.
  package static func sentence(_ step: Step, _ tests: RunningTests?) -> String {
    guard let tests else { return step.word }
    let red = tests.red > 0 ? ", \(tests.red) red" : ""
    let now = tests.running.map { ", now \(VisibleText.of($0))" } ?? ""
    return "\(step.word): \(CountText.counted(tests.ended, "test")) done\(red)\(now)"
  }
}
