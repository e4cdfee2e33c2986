/// What became of the tests from one integration to another.
package struct TestChanges: Codable, Sendable, Hashable {
  /// When a test that passed in both integrations counts as slower or faster: its duration differs from the earlier one
  /// and from the usual one by at least `seconds` and more than a factor of `share`, and by more than `deviations` of its
  /// own.
  package struct PaceRule: Codable, Sendable, Hashable {
    package var seconds = 0.1
    package var share = 1.25
    /// The number of median absolute deviations by which the duration must differ from the test's median.
    package var deviations: Double = 3
    /// The number of earlier integrations in which the test must have passed; with fewer, its variation is unknown.
    package var runs = 5
  }

  /// Tests that ended as before, but now take longer than a test of their bot should.
  package struct SlowNow: Codable, Sendable, Hashable {
    /// The time in seconds.
    package var mark: Double
    /// Sorted by descending difference.
    package var tests: [TestChange]

    package init(mark: Double, tests: [TestChange]) {
      self.mark = mark
      self.tests = tests
    }
  }

  /// Why the tests are not compared: one of the integrations did not reach them.
  package var reason: String?
  /// Sentences with other information needed to interpret the lists.
  package var remarks: [String] = []
  package var paceRule = PaceRule()
  /// Red now, but not before.
  package var broken: [TestChange] = []
  /// Red before, and passed now.
  package var fixed: [TestChange] = []
  /// Red before and passed now, but known to fail by chance, so that it may not be fixed.
  package var passedByChance: [TestChange] = []
  /// Red in both, and ended alike.
  package var stillRed: [TestChange] = []
  /// Not listed before; red ones first.
  package var added: [TestChange] = []
  /// No longer listed.
  package var removed: [TestChange] = []
  /// Ended as before, under another name.
  package var renamed: [TestChange] = []
  /// Ended differently in other ways: skipped or marked as a known issue now, crashed instead of failed, flaky now.
  package var changed: [TestChange] = []
  /// Sorted by descending difference.
  package var slower: [TestChange] = []
  package var faster: [TestChange] = []
  /// Whether any test that passed in both has a known usual duration, so that no slower ones means that there are none;
  /// nil in older documents.
  package var isPaceKnown: Bool?
  /// Nil if there are none.
  package var slowNow: SlowNow?
  package var measurementRule = MeasurementChange.Rule()
  /// The metrics measured in either integration, by descending increase.
  package var measured: [MeasuredTest] = []
  /// The number of tests in none of the lists.
  package var same = 0

  package init() {}
}

/// A test in both integrations.
package struct TestChange: Codable, Sendable, Hashable {
  /// The result of the test in one integration.
  package struct Side: Codable, Sendable, Hashable {
    package var state: TestState
    package var isFlaky: Bool
    /// In seconds, without waiting for tests that ran at the same time.
    package var duration: Double
    /// How the test ended its process before finishing.
    package var quit: ProcessQuit?
    /// Whether it is red and does not count; nil if not.
    package var silenced: Bool?

    package init(_ test: IntegrationRecord.Case) {
      state = test.state
      quit = test.quit
      silenced = test.silenced == nil ? nil : true
      isFlaky = test.flaky ?? false
      duration = test.ownTime ?? test.duration
    }

    private enum CodingKeys: String, CodingKey {
      case state, duration, quit, silenced
      case isFlaky = "flaky"
    }
  }

  package var id: TestID
  /// The test's name in the first integration, if it was another.
  package var was: TestID?
  package var displayName: String?
  /// Nil if the test was not listed.
  package var before: Side?
  package var after: Side?
  package var file: String?
  package var line: Int?
  /// For one that became flaky, the first earlier integration in which it was red by chance; nil if none is known.
  package var flakySince: Int?
  /// The last earlier integration in which it was; nil if none is known.
  package var lastFlaky: Int?
  /// For one that went red, the last integration in which it was red before; nil if it was never.
  package var lastRed: Int?
  /// For one that became slower or faster, the median of its durations in earlier integrations, in seconds; nil in older
  /// documents.
  package var usual: Double?
  /// The first failure of the second integration if the test is red there, otherwise of the first.
  package var failure: IntegrationRecord.Failure?

  package init(before: IntegrationRecord.Case?, after: IntegrationRecord.Case?, id: TestID) {
    self.id = id
    was = before.flatMap { $0.id == id ? nil : $0.id }
    self.before = before.map(Side.init)
    self.after = after.map(Side.init)
    let newest = after ?? before
    displayName = newest?.displayName
    file = newest?.file
    line = newest?.line
    failure = (after?.state.isRed == true ? after : before)?.failures.first
  }

  /// The name of the test on pages.
  package var title: String { displayName ?? id.name }

  /// Whether the test was listed and not red before, and is red now.
  package var wentRed: Bool { before?.state.isRed == false && after?.state.isRed == true }

  /// Whether the test is red now and counts.
  package var isCountingRed: Bool { after.map { $0.state.isRed && $0.silenced != true } ?? false }

  /// Whether the test is red in the second integration, and silenced there.
  package var isSilencedRed: Bool { after?.state.isRed == true && !isCountingRed }

  /// Whether the test was not flaky before and is now.
  package var becameFlaky: Bool { before?.isFlaky == false && after?.isFlaky == true }

  /// The additional time in seconds; nil if the test was not listed on one side.
  package var slowdown: Double? { before.flatMap { before in after.map { $0.duration - before.duration } } }
}
