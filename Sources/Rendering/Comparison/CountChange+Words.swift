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
    case .uncoveredFunctions: "Functions and closures never called"
    }
  }

  /// Returns a number of it, as a phrase.
  func counted(_ count: Int) -> String {
    switch self {
    case .partialLines: CountText.counted(count, "line partly ran", "lines partly ran")
    case .uncoveredRegions: CountText.counted(count, "uncovered region")
    case .uncoveredFunctions:
      CountText.counted(count, "function or closure never called", "functions and closures never called")
    case .red, .listed, .passed, .expectedFailures, .skipped, .notRun, .canceled, .flaky, .filteredOut, .warnings,
      .analyzerWarnings, .uncoveredLines, .coveredLines:
      "\(CountText.plain(count)) \(label.lowercasedFirst)"
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
  /// Returns what it means in a comparison; nil if one of the numbers is unknown, or there is no change.
  func delta(in comparison: IntegrationComparison) -> Delta? {
    guard let before, let after else { return nil }
    let (coverage, lines) = (comparison.coverage, comparison.count(.uncoveredLines)?.change ?? 0)
    let byChance = coverage.byChance ?? CategoryCounts()
    switch name {
    case .red:
      let notRun = comparison.count(.notRun)?.change ?? 0
      return .ofRed(after, from: before, silenced: comparison.tests.silencedChange, notRun: notRun)
    // A flaky test that passed at once is none that was mended.
    case .flaky: return Delta(after, from: before, after < before ? .neutral : name.direction)
    case .uncoveredLines:
      return Delta(after, from: before, name.direction, byChance: byChance.uncoveredChange)
    case .partialLines:
      return Delta(after, from: before, name.direction, byChance: coverage.partlyRanByChance)
    // Nothing tells which of them run by chance in each file.
    case .uncoveredRegions, .uncoveredFunctions:
      return Delta(
        after, from: before, name.direction, byChance: byChance.chance(of: after - before, beside: lines))
    case .listed, .passed, .expectedFailures, .skipped, .notRun, .canceled, .filteredOut, .warnings,
      .analyzerWarnings, .coveredLines:
      return Delta(after, from: before, name.direction)
    }
  }
}

extension TestChanges {
  /// How many more red tests do not count.
  fileprivate var silencedChange: Int {
    let tests = [broken, fixed, passedByChance, stillRed, added, removed, renamed, changed].joined()
    return tests.count { $0.after?.silenced == true } - tests.count { $0.before?.silenced == true }
  }
}

extension CoverageSides {
  /// How much of the change of lines that ran partly is chance: the sum of what is in each file.
  fileprivate var partlyRanByChance: Int {
    files.reduce(0) { sum, file in
      guard let before = file.before, let after = file.after, let byChance = file.linesByChance else { return sum }
      return sum
        + byChance.chance(of: after.partial - before.partial, beside: after.uncovered - before.uncovered)
    }
  }
}
