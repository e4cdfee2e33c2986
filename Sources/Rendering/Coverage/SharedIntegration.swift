import Model

/// The integration of a report, shared by its many pages without copies.
final class SharedIntegration: Sendable {
  let integration: Integration
  let coverage: Coverage?
  /// The pages that compare it with other integrations than its baseline, by their numbers.
  let comparisonPages: [Int: String]

  init(_ report: Report) {
    integration = report.integration
    comparisonPages = report.comparisonPages
    coverage = report.integration.coverage.coverage
  }

  /// Without coverage, nothing is missing from it.
  var isComplete: Bool { coverage?.isWhole ?? true }

  /// Why lines that are shown as never run may run; nil if there are none.
  var incompleteReason: String? { coverage.flatMap(CoverageWords.note) }

  var isComparable: Bool { coverage?.isWhole == true && integration.baseline?.totals != nil }
}
