import Model

/// Coverage in Codecov's own format: https://docs.codecov.com/docs/codecov-custom-coverage-format
///
/// A line with conditions of which not all branches were taken is written as how many were, as `3/4`; any other line that
/// ran partly as `1/2`. Codecov shows both as partial.
enum CodecovExport {
  static func text(_ coverage: CoverageDocument) -> String {
    JSONText.of(
      .object([
        "coverage": .members(
          coverage.files.map { file in
            let conditions = Dictionary(grouping: file.conditions, by: \.line)
            return (file.path, .members(file.lines.map { ("\($0.line)", hits(of: $0, conditions[$0.line] ?? [])) }))
          })
      ]), openLevels: 2)
  }

  private static func hits(of line: LineCoverage, _ conditions: [ConditionCoverage]) -> JSONValue {
    guard line.count > 0 else { return .count(0) }
    let branches = conditions.branches ?? Tally()
    guard line.state == .partlyRan || branches.uncovered > 0 else { return .count(line.count.fittingReaders) }
    // Codecov takes 0/2 for missed, but a line whose call in a condition does not return has run.
    let isShare = branches.uncovered > 0 && branches.covered > 0
    return .text(isShare ? "\(branches.covered)/\(branches.total)" : "1/2")
  }
}
