extension IntegrationDocument {
  /// How many tests take longer than they should.
  package struct Slow: Codable, Sendable, Hashable {
    package var mark: Double
    package var count: Int
  }

  /// What the last integrations say about a test.
  package struct History: Codable, Sendable, Hashable {
    /// In how many it ran, this one included, and in how many of them it was red.
    package var runs: Int
    package var red: Int
    /// The integration that the red streak began with, and how many commits it covers; absent while it is not red.
    package var redSince: Int?
    package var redCommits: Int?
    /// The integrations that prove it flaky, newest first; absent when none does.
    package var flakyIn: [Int]?
  }
}

extension IntegrationDocument.Tests {
  /// Adds what issues and the integrations before say about the tests.
  mutating func tell(_ integration: Integration) {
    for index in cases.indices {
      cases[index].trends = integration.trends[cases[index].id]?.compactMap(IntegrationDocument.Trend.init)
      guard let history = integration.histories[cases[index].id], history.redCount > 0 || !history.flakyIn.isEmpty
      else { continue }
      cases[index].history = IntegrationDocument.History(history)
    }
    let silences = Dictionary(grouping: integration.issues.filter { $0.status == .silenced }, by: \.test)
    for (index, result) in integration.tests.results.enumerated() where result.state.isRed {
      let own = silences[result.id] ?? []
      guard result.isSilenced(by: own) else { continue }
      cases[index].silenced = (own.first { $0.kind == result.state.issueKind } ?? own.first)?.id
    }
    silenced = cases.count { $0.silenced != nil }
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
  /// The tests that came to an end and took longer than they should, the slowest first.
  package var slowTests: [TestResult] {
    tests.results.filter { $0.isSlow(beyond: slowMark) }
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
  }
}
