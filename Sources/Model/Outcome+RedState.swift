extension Outcome {
  /// Returns the state of all red tests, if they have one in common and nothing else made an integration red.
  ///
  /// - Parameter codes: the codes of its reasons; nil if they are unknown.
  func redState(of tests: TestCounts, _ codes: [OutcomeReason.Code]?) -> TestState? {
    guard self == .testFailures, tests.red > 0, codes?.contains(where: { $0.gate != nil }) != true else { return nil }
    return switch tests.red {
    case tests.failed: .failed
    case tests.crashed: .crashed
    case tests.timedOut: .timedOut
    default: nil
    }
  }
}

extension Integration {
  /// The state of all red tests, if they have one in common and nothing else made the integration red.
  package var redState: TestState? { outcome.redState(of: tests.counts, reasons.map(\.code)) }

  /// Whether nothing but flaky tests kept the integration from succeeding.
  package var isOnlyFlaky: Bool { outcome.isOnlyFlaky(reasons.map(\.code)) }
}

extension IntegrationRecord {
  /// The state of all red tests, if they have one in common and nothing else made the integration red.
  package var redState: TestState? { outcome.redState(of: tests.counts, reasonCodes) }
}

extension HistoryLine {
  /// The state of all red tests, if they have one in common and nothing else made the integration red.
  package var redState: TestState? { outcome.redState(of: tests, reasonCodes) }
}
