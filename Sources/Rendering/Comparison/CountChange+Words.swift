package import Model

extension CountName {
  /// The label of a row.
  package var label: String {
    switch self {
    case .red: "Red tests"
    case .listed: "Listed tests"
    case .passed: "Passed"
    case .expectedFailures: "Known issues"
    case .skipped: "Skipped"
    case .notRun: "Not run to the end"
    case .canceled: "Canceled"
    case .flaky: "Flaky"
    case .filteredOut: "Filtered out"
    case .warnings: "Warnings"
    case .analyzerWarnings: "Analyzer warnings"
    case .uncoveredLines: "Uncovered lines"
    case .coveredLines: "Lines that ran"
    case .partialLines: "Partly ran"
    case .uncoveredRegions: "Uncovered regions"
    case .uncoveredFunctions: "Functions never called"
    }
  }

  /// What an increase means.
  var direction: Delta.Direction {
    switch self {
    case .red, .notRun, .flaky, .warnings, .analyzerWarnings, .uncoveredLines, .partialLines,
      .uncoveredRegions, .uncoveredFunctions:
      .moreIsWorse
    case .passed: .moreIsBetter
    case .listed, .expectedFailures, .skipped, .canceled, .filteredOut, .coveredLines: .neutral
    }
  }
}

extension CountChange {
  /// - Parameter red: how many more tests are red; a flaky test that is red now is no progress.
  func delta(besideRed red: Int) -> Delta? {
    let isMoved = name == .flaky && red > 0 && change ?? 0 < 0
    return before.flatMap { before in after.flatMap { Delta($0, from: before, isMoved ? .neutral : name.direction) } }
  }
}
