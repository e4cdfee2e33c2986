/// What became of the tests from one integration to another.
package struct TestChanges: Codable, Sendable, Hashable {
  /// When a test that passed in both counts as slower, or as faster: it takes more than `seconds` and `share` times longer
  /// than before and than usually, and more than `deviations` of its own.
  package struct PaceRule: Codable, Sendable, Hashable {
    package var seconds: Double
    package var share: Double
    /// How many median absolute deviations it must be away from its median.
    package var deviations: Double
    /// In how many earlier integrations it must have passed; without them nobody knows how much it varies.
    package var runs: Int

    package init(seconds: Double = 0.1, share: Double = 1.25, deviations: Double = 3, runs: Int = 5) {
      self.seconds = seconds
      self.share = share
      self.deviations = deviations
      self.runs = runs
    }
  }

  /// Why the tests are not compared: one of the integrations did not come to them.
  package var reason: String?
  /// What else must be known to read the lists rightly; sentences.
  package var remarks: [String] = []
  package var paceRule = PaceRule()
  /// Red now, and not before.
  package var broken: [TestChange] = []
  /// Red before, and came to a good end now.
  package var fixed: [TestChange] = []
  /// Not listed before; red ones first.
  package var added: [TestChange] = []
  /// Not listed any more.
  package var removed: [TestChange] = []
  /// Ended otherwise in another way: skipped now, crashed instead of failed, flaky now.
  package var changed: [TestChange] = []
  /// The largest difference first.
  package var slower: [TestChange] = []
  package var faster: [TestChange] = []
  package var measurementRule = MeasurementChange.Rule()
  /// What either measured, the largest rise first.
  package var measured: [MeasuredTest] = []
  /// How many tests are as they were.
  package var same = 0

  package init() {}
}

/// One test in both integrations.
package struct TestChange: Codable, Sendable, Hashable {
  /// What one integration says of the test.
  package struct Side: Codable, Sendable, Hashable {
    package var state: TestState
    package var isFlaky: Bool
    /// Seconds.
    package var duration: Double
    /// How it ended its process in its midst.
    package var quit: ProcessQuit?

    package init(_ test: IntegrationRecord.Case) {
      state = test.state
      quit = test.quit
      isFlaky = test.flaky ?? false
      duration = test.duration
    }

    private enum CodingKeys: String, CodingKey {
      case state, duration, quit
      case isFlaky = "flaky"
    }
  }

  package var id: TestID
  package var displayName: String?
  /// Nil where the test was not listed.
  package var before: Side?
  package var after: Side?
  package var file: String?
  package var line: Int?
  /// The first failure: of the second integration when it is red there, else of the first.
  package var failure: IntegrationRecord.Failure?

  package init(before: IntegrationRecord.Case?, after: IntegrationRecord.Case?, id: TestID) {
    self.id = id
    self.before = before.map(Side.init)
    self.after = after.map(Side.init)
    let newest = after ?? before
    displayName = newest?.displayName
    file = newest?.file
    line = newest?.line
    failure = (after?.state.isRed == true ? after : before)?.failures.first
  }

  /// What pages call the test by.
  package var title: String { displayName ?? id.name }

  /// Whether it passed before and needed another attempt after.
  package var becameFlaky: Bool { before?.isFlaky == false && after?.isFlaky == true }

  /// Seconds more than before; nil where it was not listed on one side.
  package var slowdown: Double? { before.flatMap { before in after.map { $0.duration - before.duration } } }
}
