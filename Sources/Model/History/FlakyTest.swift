/// A test that ended differently on the same code, and how often it failed.
package struct FlakyTest: Hashable, Sendable {
  package let id: TestID
  package let history: TestHistory
  /// The number of the first integration in which it was red by chance.
  package let since: Int

  /// Nil for a test that is not proved flaky.
  ///
  /// - Parameter records: what is remembered of issues.
  package init?(_ id: TestID, _ history: TestHistory, _ records: [IssueRecord]) {
    guard let since = history.flakySince(id, records) else { return nil }
    (self.id, self.history, self.since) = (id, history, since)
  }

  /// Returns the flaky tests of the newest integration, the worst first.
  ///
  /// - Parameters:
  ///   - integrations: newest first.
  ///   - records: what is remembered of issues.
  package static func all(of integrations: [TestVerdicts], _ records: [IssueRecord] = []) -> [FlakyTest] {
    let tests = TestHistory.all(of: integrations).compactMap { FlakyTest($0.key, $0.value, records) }
    return tests.sorted { one, other in
      (other.rate.interval.lowerBound, one.id) < (one.rate.interval.lowerBound, other.id)
    }
  }

  /// How often it failed by chance; one that fails every time is another matter.
  package var rate: FailureRate { FailureRate(failures: history.failedByChance.count, runs: history.runs.count) }

  /// The number of the newest integration in which the test failed by chance, if only at first; where none is known, of the
  /// newest in which it failed.
  package var lastFailure: Int? {
    (history.failedByChance.first ?? history.failedSteadily.first)?.number
  }

  /// How many integrations in a row it has passed in at the first try, up to the newest.
  package var passedSince: Int { history.runs.prefix { $0.verdict.state.isGood && !$0.verdict.isFlaky }.count }
}

/// How often a test failed, and how often it may fail.
package struct FailureRate: Hashable, Sendable {
  package let failures: Int
  package let runs: Int

  /// The shares of failures, from 0 to 1, that are consistent with the observations at 95 % confidence: Wilson's score
  /// interval (https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval).
  package var interval: ClosedRange<Double> {
    guard runs > 0 else { return 0...1 }
    let (count, share, z) = (Double(runs), Double(failures) / Double(runs), 1.959964)
    let square = z * z / count
    let middle = share + square / 2
    let reach = z * (share * (1 - share) / count + square / (4 * count)).squareRoot()
    return max(0, (middle - reach) / (1 + square))...min(1, (middle + reach) / (1 + square))
  }
}
