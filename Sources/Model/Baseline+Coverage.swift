extension Baseline {
  /// The integration whose totals, files, targets and exclusions these are.
  package var coverageNumber: Int { coverageFrom ?? number }

  /// Takes the coverage of an earlier integration, where this one has no complete coverage: after a build that failed,
  /// the change of the totals would be known no more than that of each line.
  package mutating func takeCoverage(of earlier: Baseline) {
    guard totals == nil, earlier.totals != nil, earlier.number != number else { return }
    totals = earlier.totals
    files = earlier.files
    targets = earlier.targets
    exclusions = earlier.exclusions
    coverageFrom = earlier.coverageNumber
  }
}
