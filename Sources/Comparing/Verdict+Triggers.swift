import Model

extension Verdict {
  /// The verdict when after-triggers have failed: never plain success any more.
  ///
  /// - Parameter failures: sentences about the triggers that failed.
  package func adding(triggerFailures failures: [String]) -> Verdict {
    guard !failures.isEmpty else { return self }
    return Verdict(outcome == .succeeded ? .warnings : outcome, reasons + failures, onlyGatesFailed: onlyGatesFailed)
  }
}
