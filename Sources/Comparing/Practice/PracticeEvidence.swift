package import Model

/// What the card of an integration is made of.
package struct PracticeEvidence: Sendable {
  package var tests: TestReport
  package var changes: CoverageChanges?
  /// Whether red tests were tried again.
  package var hasRetries: Bool
  package var settings: PracticeSettings
  /// What `measure` gave in the integrations before, too, by test.
  package var trends: [TestID: [MeasurementTrend]] = [:]
  /// The number of the baseline.
  package var baseline: Int?
  /// What the integration did to the colour of its baseline.
  package var rhythm: Rhythm?
  /// The tests that the baseline does not have.
  package var added: [TestID] = []
  /// How many integrations of the branch are red in a row, this one included.
  package var redStreak = 0
  /// How the tests ended in the integrations before, too.
  package var histories: [TestID: TestHistory] = [:]
  /// How many commits the integration covers.
  package var commitCount = 1

  /// The coverage of the test sources; nil where it says nothing, because it is missing or incomplete, or because only some
  /// tests were asked for.
  package var testSources: [FileCoverage]?

  package init(
    tests: TestReport, changes: CoverageChanges? = nil, hasRetries: Bool = false,
    settings: PracticeSettings = PracticeSettings(), baseline: Int? = nil
  ) {
    self.tests = tests
    self.changes = changes
    self.hasRetries = hasRetries
    self.settings = settings
    self.baseline = baseline
  }
}

extension PracticeCard {
  /// How many entries a hint has at most.
  static let mostEntries = 50

  /// Makes the card; nil when no test is listed.
  package init?(_ evidence: PracticeEvidence) {
    guard !evidence.tests.results.isEmpty else { return nil }
    let off = evidence.settings.off
    let hints = PracticeHint.Name.allCases.filter { !off.contains($0) }.compactMap { evidence.hint($0) }
    self.init(hints: hints, off: off.isEmpty ? nil : off)
  }
}

extension PracticeEvidence {
  fileprivate func hint(_ name: PracticeHint.Name) -> PracticeHint? {
    switch name {
    case .fast: fast
    case .isolated: isolated
    case .repeatable: repeatable
    case .selfValidating: selfValidating
    case .thorough: thorough
    case .rhythm: beat
    case .names: names
    case .templates: templates
    case .sources: sources
    case .totals: totals
    case .measurements: measurements
    }
  }

  static func tests(_ number: Int) -> String { number == 1 ? "1 test" : "\(number) tests" }
}
