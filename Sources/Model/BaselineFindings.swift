/// What an integration found apart from the states of its tests, for the next integration to compare against.
///
/// The issues cannot supply this: an issue stays open as long as nothing ran that could show that it is gone.
package struct BaselineFindings: Hashable, Sendable {
  /// Nil if the analyze action was not carried out.
  package var analyzerWarnings: Int?
  /// The number of warnings recorded by tests; nil if the tests were not reached.
  package var testWarnings: Int?
  /// The number of methods that look like tests but that XCTest never runs; nil if the tests were not reached.
  package var neverRun: Int?
  /// Tests that end differently alone; nil where none was run alone.
  package var orderDependent: Int?
  /// How long each test ran that finished; nil if the tests were not reached.
  package var durations: [TestID: OwnTime]?
  /// The bot's current threshold for slow tests, in seconds; nil for a baseline, whose tests are measured against
  /// today's.
  private var slowMark: Double?
  /// The number of shown practice hints that ask for a look; nil without a card.
  package var hints: Int?
  private var hintsOff: Set<PracticeHint.Name> = []

  /// How long a test ran without waiting for others.
  package struct OwnTime: Hashable, Sendable {
    fileprivate var seconds: Double
    fileprivate var library: TestLibrary

    /// Nil for a test that did not finish.
    fileprivate init?(_ seconds: Double?, of library: TestLibrary, _ state: TestState) {
      guard state.isEnd, let seconds else { return nil }
      (self.seconds, self.library) = (seconds, library)
    }
  }

  package init() {}

  package init(_ integration: Integration) {
    if integration.steps.contains(where: { $0.name == .analyzing }) { analyzerWarnings = integration.analysis.count }
    orderDependent = integration.tests.isolation?.differing.count
    note(integration.practice?.shown(beside: integration.outcome, integration.rhythm))
    guard !integration.tests.results.isEmpty else { return }
    testWarnings = integration.tests.results.reduce(0) { $0 + $1.warnings.count }
    neverRun = integration.tests.neverRun.count
    durations = Dictionary(
      integration.tests.results.compactMap { test in
        OwnTime(test.ownTime, of: test.library, test.state).map { (test.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
    slowMark = integration.slowMark
  }

  package init(_ document: IntegrationRecord) {
    analyzerWarnings = document.analyzerWarnings
    orderDependent = document.tests.isolation?.differing.count
    note(document.practice?.shown(beside: document.outcome, document.rhythm))
    guard document.tests.listed > 0 else { return }
    testWarnings = document.tests.cases.reduce(0) { $0 + ($1.warnings?.count ?? 0) }
    neverRun = document.tests.neverRun?.count ?? 0
    durations = Dictionary(
      document.tests.cases.compactMap { test in
        OwnTime(test.ownTime, of: test.library, test.state).map { (test.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func note(_ card: PracticeCard?) {
    hints = card?.looks
    hintsOff = Set(card?.off ?? [])
  }

  /// Returns the signed change of a count, or nil if it is unknown on either side.
  package func change(_ count: KeyPath<BaselineFindings, Int?>, from before: BaselineFindings?) -> Int? {
    guard let now = self[keyPath: count], let then = before?[keyPath: count] else { return nil }
    if count == \.hints, before?.hintsOff != hintsOff { return nil }
    return now - then
  }

  /// Returns the signed change of the number of slow tests, using the current threshold for both sides, or nil if
  /// either side did not reach its tests.
  package func slowChange(from before: BaselineFindings?) -> Int? {
    guard let slowMark, let now = durations, let then = before?.durations else { return nil }
    return now.slowCount(beyond: slowMark, beside: then) - then.slowCount(beyond: slowMark, beside: now)
  }
}

extension [TestID: BaselineFindings.OwnTime] {
  /// Returns the number of slow tests, but for those that XCTest may have kept, going by how long they ran in the other
  /// integration.
  fileprivate func slowCount(beyond mark: Double, beside other: Self) -> Int {
    count(where: { id, time in
      time.seconds.isLonger(than: mark)
        && !XCTestTick.mayExplain(time.seconds, beyond: mark, after: other[id]?.seconds, in: time.library)
    })
  }
}
