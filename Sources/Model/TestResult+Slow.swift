extension TestState {
  /// Whether the test came to its end by itself, so that its duration tells how long it takes.
  package var isEnd: Bool { [.passed, .failed, .expectedFailure].contains(self) }

  /// The seconds that a test of the state took; nil where it did not run, or nobody saw how long.
  package func time(_ seconds: Double) -> Double? {
    switch self {
    case .notRun: nil
    case .crashed, .timedOut, .canceled: seconds == 0 ? nil : seconds
    case .failed, .expectedFailure, .skipped, .passed: seconds
    }
  }
}

extension TestResult {
  /// The seconds that it took, up to the end of its process where it died; nil where that is not known.
  package var time: Double? { quit != nil && duration > 0 ? duration : state.time(duration) }
}

extension [TestResult] {
  /// The seconds that they took together, as far as that is known; nil where it is known of none.
  package var time: Double? {
    let times = compactMap(\.time)
    return times.isEmpty ? nil : times.reduce(0, +)
  }
}

extension TestAttempt {
  /// The seconds that it took; nil where that is not known.
  package var time: Double? { state.time(duration) }
}

extension TestVerdicts.Verdict {
  /// The seconds that the test took; nil where that is not known.
  package var time: Double? { state.time(Double(duration) / 1000) }
}

extension TestResult {
  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}

extension IntegrationDocument.Case {
  /// The seconds that it took; nil where that is not known.
  package var time: Double? { quit != nil && duration > 0 ? duration : state.time(duration) }

  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}
