package import Model

extension Trigger.Condition {
  /// Whether the condition is met by an integration that has been judged and compared.
  ///
  /// Every outcome that is not red counts as success, and every other as failure, except a cancellation, which is
  /// neither.
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

  /// Whether the branch is green and has just lost its last open finding about the code, or what made it red without one;
  /// Martlet's own problems do not count.
  ///
  /// A new branch without the findings of the branch that it was created from has resolved nothing.
  private static func isAllResolved(_ integration: Integration) -> Bool {
    guard integration.followsItsBranch, integration.outcome.isGreen else { return false }
    let findings = integration.issues.filter(isOfCode)
    guard !findings.contains(where: \.status.isOpen) else { return false }
    return findings.contains { $0.status == .resolved } || integration.baseline.map(wasRedWithoutFinding) == true
  }

  private static func wasRedWithoutFinding(_ baseline: Baseline) -> Bool {
    [.testFailures, .incomplete].contains(baseline.wholeOutcome)
      && !baseline.issues.contains { isOfCode($0) && $0.status != .resolved }
  }

  private static func isOfCode(_ issue: Issue) -> Bool {
    ![.serviceError, .serviceWarning, .triggerError].contains(issue.kind)
  }
}

extension Trigger.Script {
  /// Whether the script should run after an integration: if it has no conditions, or if at least one of them holds.
  package func isDue(after integration: Integration) -> Bool {
    moment == .after && (when.isEmpty || when.contains { $0.holds(for: integration) })
  }
}
