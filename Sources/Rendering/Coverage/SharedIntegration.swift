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
  var isComplete: Bool { coverage?.isComplete ?? true }

  /// Why lines that did run may be shown as never run; nil if there are none.
  var incompleteReason: String? {
    coverage?.isComplete == false ? coverage?.reason ?? "A process left no coverage data." : nil
  }

  var isComparable: Bool { coverage?.isComplete == true && integration.baseline?.totals != nil }
}
