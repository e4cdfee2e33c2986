/// A test that a bot runs without counting its failures, until a day.
package struct QuarantinedTest: Hashable, Sendable, Codable {
  package var test: TestID
  package var reason: String
  /// The last day on which it does not count, such as `2026-12-24`.
  package var lastDay: String

  package init(test: TestID, reason: String, lastDay: String) {
    self.test = test
    self.reason = reason
    self.lastDay = lastDay
  }
}

extension QuarantinedTest {
  /// What an integration found about a quarantined test.
  package struct Finding: Hashable, Sendable, Codable {
    /// Whether the quarantine has an effect.
    package enum State: String, Sendable, Codable {
      case holds
      /// The last day is over, so that the test counts.
      case ended
      /// No such test is listed.
      case unlisted
    }

    package var test: TestID
    package var reason: String
    package var until: String
    package var state: State
    /// The number of integrations, up to this one, in which the test passed at once for each required destination, as
    /// far as they are read; absent if it did not now.
    package var passed: Int?
    /// True if the test ended its process, which counts all the same; otherwise absent.
    package var quit: Bool?

    package init(_ entry: QuarantinedTest, _ state: State, passed: Int? = nil, quit: Bool? = nil) {
      (test, reason, until) = (entry.test, entry.reason, entry.lastDay)
      (self.state, self.passed, self.quit) = (state, passed, quit)
    }

    /// Whether the test has passed often enough for the quarantine to end.
    package var isDone: Bool { state == .holds && (passed ?? 0) >= Self.enough }

    /// A test that fails once in four times passes that often in one of twenty cases.
    package static let enough = 10
  }

  /// Returns what an integration found about the quarantined tests.
  ///
  /// - Parameters:
  ///   - isOver: whether a last day is over.
  ///   - histories: those of the tests that each required destination lists; empty for one in which no test ran.
  ///   - quitters: the tests that ended their process.
  package static func findings(
    of entries: [QuarantinedTest], isOver: (String) -> Bool, _ histories: [[TestID: TestHistory]],
    quitters: Set<TestID> = []
  ) -> [Finding] {
    guard histories.contains(where: { !$0.isEmpty }) else { return [] }
    // Where no test ran, it is unknown which there are.
    let isWhole = histories.allSatisfy { !$0.isEmpty }
    return entries.compactMap { entry in
      let passed = histories.compactMap { $0[entry.test] }.map { history in
        history.runs.prefix { $0.verdict.state == .passed && !$0.verdict.isFlaky }.count
      }
      guard let fewest = passed.min() else { return isWhole ? Finding(entry, .unlisted) : nil }
      return Finding(
        entry, isOver(entry.lastDay) ? .ended : .holds, passed: fewest > 0 ? fewest : nil,
        quit: quitters.contains(entry.test) ? true : nil)
    }
  }
}
