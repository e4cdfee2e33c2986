extension Baseline {
  /// The number of the integration that the totals, files, targets and exclusions come from.
  package var coverageNumber: Int { coverageFrom ?? number }

  /// Takes over the coverage of an earlier integration if this one has no complete coverage.
  ///
  /// Otherwise, after a failed build, the change of the totals would be as unknown as that of each line.
  package mutating func takeCoverage(of earlier: Baseline) {
    guard totals == nil, earlier.totals != nil, earlier.number != number else { return }
    totals = earlier.totals
    files = earlier.files
    targets = earlier.targets
    exclusions = earlier.exclusions
    coverageFrom = earlier.coverageNumber
  }
}
