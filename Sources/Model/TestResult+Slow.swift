extension TestState {
  /// Whether the test came to its end by itself, so that its duration tells how long it takes.
  package var isEnd: Bool { [.passed, .failed, .expectedFailure].contains(self) }
}

extension TestResult {
  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}

extension IntegrationDocument.Case {
  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}
