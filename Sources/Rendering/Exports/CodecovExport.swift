import Model

/// Coverage in Codecov's own format: https://docs.codecov.com/docs/codecov-custom-coverage-format
///
/// A partly run line is written as `1/2`, which Codecov shows as partial.
enum CodecovExport {
  static func text(_ coverage: CoverageDocument) -> String {
    JSONText.of(
      .object([
        "coverage": .members(
          coverage.files.map { file in
            (file.path, .members(file.lines.map { ("\($0.line)", hits(of: $0)) }))
          })
      ]), openLevels: 2)
  }

  private static func hits(of line: LineCoverage) -> JSONValue {
    line.state == .partlyRan ? .text("1/2") : .count(line.count.fittingReaders)
  }
}
