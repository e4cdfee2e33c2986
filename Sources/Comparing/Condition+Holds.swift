package import Model

extension Trigger.Condition {
  /// Whether the condition is met by an integration that has been judged and compared.
  ///
  /// Success is every outcome that is not red; failure is every other but a cancellation, which says nothing.
  package func holds(for integration: Integration) -> Bool {
    switch self {
    case .always: true
    case .success: integration.outcome.isGreen
    case .failure: !integration.outcome.isGreen && integration.outcome != .canceled
    case .warnings: integration.outcome == .warnings
    case .analyzerWarnings: integration.outcome == .analyzerWarnings
    case .testFailures: integration.outcome == .testFailures
    case .buildErrors: integration.outcome == .buildErrors
    case .allResolved: Self.isAllResolved(integration)
    }
  }

  /// Whether the last open finding about the code has just gone from the branch; Martlet's own troubles are none.
  ///
  /// A new branch that lacks what is wrong where it came from has resolved nothing there.
  private static func isAllResolved(_ integration: Integration) -> Bool {
    guard integration.followsItsBranch else { return false }
    let findings = integration.issues.filter { ![.serviceError, .serviceWarning, .triggerError].contains($0.kind) }
    return findings.contains { $0.status == .resolved } && !findings.contains { $0.status.isOpen }
  }
}

extension Trigger.Script {
  /// Whether the script is to run after an integration: when one of its conditions holds, or it has none.
  package func isDue(after integration: Integration) -> Bool {
    moment == .after && (when.isEmpty || when.contains { $0.holds(for: integration) })
  }
}
