import Model

/// Coverage in Codecov's own format: https://docs.codecov.com/docs/codecov-custom-coverage-format
///
/// For a line with conditions, some of whose branches were not taken, the number that were is written, such as `3/4`;
/// any other line that ran partly is written as `1/2`. Codecov shows both as partial.
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
    // Codecov takes 0/2 for missed, but a line has run even if a call in its condition does not return.
    let isShare = branches.uncovered > 0 && branches.covered > 0
    return .text(isShare ? "\(branches.covered)/\(branches.total)" : "1/2")
  }
}
