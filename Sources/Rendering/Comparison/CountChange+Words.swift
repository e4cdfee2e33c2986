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
  /// - Parameters:
  ///   - red: how many more tests are red; a flaky test that is red now is no progress.
  ///   - lines: how many more lines never ran.
  ///   - byChance: the lost and gained lines that run by chance.
  func delta(besideRed red: Int, lines: Int, byChance: CategoryCounts) -> Delta? {
    guard let before, let after else { return nil }
    switch name {
    case .flaky: return Delta(after, from: before, red > 0 && after < before ? .neutral : name.direction)
    case .uncoveredLines:
      return Delta(after, from: before, name.direction, byChance: byChance.uncoveredChange)
    case .partialLines, .uncoveredRegions, .uncoveredFunctions:
      return Delta(uncovered: after, from: before, beside: lines, byChance: byChance)
    case .red, .listed, .passed, .expectedFailures, .skipped, .notRun, .canceled, .filteredOut, .warnings,
      .analyzerWarnings, .coveredLines:
      return Delta(after, from: before, name.direction)
    }
  }
}
