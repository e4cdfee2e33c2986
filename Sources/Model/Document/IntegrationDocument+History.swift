extension IntegrationDocument.Tests {
  /// Adds what the integrations before say about the tests.
  mutating func tell(_ integration: Integration) {
    for index in cases.indices {
      guard let history = integration.histories[cases[index].id], history.redCount > 0 || !history.flakyIn.isEmpty
      else { continue }
      cases[index].history = IntegrationDocument.History(history)
    }
    changes = integration.testChanges.flatMap { $0.isEmpty ? nil : $0 }
    let count = integration.slowTests.count
    slow = count > 0 ? IntegrationDocument.Slow(mark: integration.slowMark, count: count) : nil
  }
}

extension IntegrationDocument.History {
  fileprivate init(_ history: TestHistory) {
    let flaky = history.flakyIn
    let streak = history.redStreak
    self.init(
      runs: history.runs.count, red: history.redCount, redSince: streak?.since, redCommits: streak?.commits,
      flakyIn: flaky.isEmpty ? nil : flaky)
  }
}

extension Integration {
  /// The tests that take longer than they should, the slowest first.
  package var slowTests: [TestResult] {
    tests.results.filter { $0.state != .notRun && $0.state != .skipped && $0.duration > slowMark }
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
  }
}
