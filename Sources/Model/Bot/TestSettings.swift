/// What a bot says about tests.
package struct TestSettings: Hashable, Sendable, Codable {
  /// Whether a package without tests is incomplete; false after `tests: none`.
  package var areExpected = true
  /// Regular expressions of the tests to run and to leave out; empty for all.
  package var filter: [String] = []
  package var skip: [String] = []
  package var limits = TestLimits()
  /// How often a red test is tried again.
  package var retries = 0
  /// Tests that take longer are slow.
  package var slow = Duration.milliseconds(100)
  /// A regular expression that names of tests should match; empty for none.
  package var names = ""
  /// Whether each test is also run alone.
  package var isolation = false

  package init() {}
}

/// What a bot says about coverage.
package struct CoverageSettings: Hashable, Sendable, Codable {
  /// Whether coverage is measured; false after `coverage: off`.
  package var isMeasured = true
  /// Globs of files, relative to the package, that do not count.
  package var exclude: [String] = []
  /// Whether lines that already run without any test are told apart.
  package var incidental = false
  /// Whether it is looked at which lines each test runs.
  package var map = false
  /// Which functions are tried without their bodies.
  package var mutants = MutationScope.off
  /// Whether the pages about source say who wrote each line, which takes time.
  package var blame = false
  package var gates: [CoverageGate] = []

  package init() {}
}

/// A condition on coverage that turns an integration red.
package enum CoverageGate: Hashable, Sendable, Codable {
  /// No line that the commits touched is uncovered.
  case patchFullyCovered
  /// At least so many per cent of the lines that the commits touched are covered.
  case patch(atLeast: Double)
  /// No line that ran before and is unchanged has stopped to run.
  case noLostCoverage
  /// The share of covered lines is not lower than the baseline's.
  case ratchet
  /// No function that the commits touched runs without any test checking it.
  case noUncheckedChanges
}
