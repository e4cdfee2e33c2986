import Model

/// The integration of a report, which its many pages refer to and do not copy.
final class SharedIntegration: Sendable {
  let integration: Integration
  let coverage: Coverage?

  init(_ integration: Integration) {
    self.integration = integration
    coverage = integration.coverage.coverage
  }

  /// Without coverage nothing is missing from it.
  var isComplete: Bool { coverage?.isComplete ?? true }

  /// Why lines may be shown as never run that did run; nil when none are.
  var incompleteReason: String? {
    coverage?.isComplete == false ? coverage?.reason ?? "A process left no coverage data." : nil
  }

  /// Whether its figures can be held against those of the baseline.
  var isComparable: Bool { coverage?.isComplete == true && integration.baseline?.totals != nil }
}
