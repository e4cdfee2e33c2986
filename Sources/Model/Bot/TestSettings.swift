/// A bot's settings for tests.
package struct TestSettings: Hashable, Sendable, Codable {
  /// Whether a package without tests is incomplete; false after `tests: none`.
  package var areExpected = true
  /// Regular expressions of the tests to run and to skip; empty for all.
  package var filter: [String] = []
  package var skip: [String] = []
  package var limits = TestLimits()
  /// How often a red test is retried.
  package var retries = 0
  package static let possibleRetries = 0...100
  /// Tests that take longer are slow.
  package var slow = Duration.milliseconds(100)
  /// A regular expression that the names of tests should match; empty for none.
  package var names = ""
  /// Whether each test is also run alone.
  package var isolation = false
  /// Which tests run before the others.
  package var first: FirstTests {
    get { saidFirst ?? .affected }
    set { saidFirst = newValue == .affected ? nil : newValue }
  }
  /// Which tests run at all.
  package var only: OnlyTests {
    get { saidOnly ?? .off }
    set { saidOnly = newValue == .off ? nil : newValue }
  }
  /// Each integration of so many runs everything, if only the affected tests run otherwise.
  package var every: Int {
    get { saidEvery ?? Self.usualEvery }
    set { saidEvery = newValue == Self.usualEvery ? nil : newValue }
  }
  /// Nil in orders from a watcher that does not know this setting, as are the next ones.
  private var saidFirst: FirstTests?
  private var saidOnly: OnlyTests?
  private var saidEvery: Int?

  private static let usualEvery = 10

  package init() {}
}

/// The tests that run at all.
package enum OnlyTests: String, CaseIterable, Codable, Sendable {
  /// Every one that is selected.
  case off
  /// Those that reach what changed, as far as that is known, and everything every so often.
  case affected
}

/// The tests that run before the others.
package enum FirstTests: String, CaseIterable, Codable, Sendable {
  /// None, so that the tests run in the order of their libraries.
  case off
  /// Those that reach what changed, if an earlier integration mapped the tests and the others take long enough.
  case affected
}

/// A bot's settings for coverage.
package struct CoverageSettings: Hashable, Sendable, Codable {
  /// Whether coverage is measured; false after `coverage: off`.
  package var isMeasured = true
  /// Globs of files, relative to the package, that do not count.
  package var exclude: [String] = []
  /// Whether to distinguish lines that run even without any test.
  package var incidental = false
  /// Whether to determine the lines that each test runs.
  package var map = false
  /// Which functions are tried without their bodies.
  package var mutants = MutationScope.off
  /// Whether source pages show who wrote each line, which takes time.
  package var blame = false
  package var gates: [CoverageGate] = []

  package init() {}
}

/// A condition on coverage that turns an integration red.
package enum CoverageGate: Hashable, Sendable, Codable {
  /// No line that the commits touched is uncovered.
  case patchFullyCovered
  /// At least this percentage of the lines that the commits touched is covered.
  case patch(atLeast: Double)
  /// No unchanged line that ran before has stopped running.
  case noLostCoverage
  /// The share of covered lines is not lower than the baseline's.
  case ratchet
  /// No function that the commits touched runs without being checked by any test.
  case noUncheckedChanges

  /// Its name beside the word gate, such as `80% patch`.
  package var shortName: String {
    switch self {
    case .patchFullyCovered: "full patch"
    case .patch: "\(rule.split(separator: "=").last ?? "")% patch"
    case .noLostCoverage: "lost-coverage"
    case .noUncheckedChanges: "unchecked-changes"
    case .ratchet: rule
    }
  }
}

/// How long tests may take before their process is stopped; the tests then running have timed out, and the rest
/// continue.
package struct TestLimits: Hashable, Sendable, Codable {
  /// For one test; if several run at once, the time during which none of them starts or ends.
  package var test: Duration
  /// Without any output; by default no shorter than for one test, since a long test may print nothing.
  package var silence: Duration
  /// For all tests of an integration together.
  package var step: Duration

  package init(test: Duration = .seconds(600), silence: Duration = .seconds(600), step: Duration = .seconds(7200)) {
    self.test = test
    self.silence = silence
    self.step = step
  }

  /// Lets a test print nothing for as long as it may take.
  package mutating func allowSilence() { silence = max(silence, test) }

  /// Whether at most the time for one test is not the usual one, from which the others follow.
  package var followFromTest: Bool {
    var usual = TestLimits(test: test)
    usual.allowSilence()
    return self == usual
  }
}
