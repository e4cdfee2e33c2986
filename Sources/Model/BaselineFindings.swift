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
  /// Nil if the tests were not reached.
  package var slowTests: Int? { slowMark.flatMap(slowTests(beyond:)) }
  /// How long each test ran that finished, without waiting for others, in seconds; nil if the tests were not reached.
  package var durations: [Double]?
  /// The bot's current threshold for slow tests, in seconds; nil for a baseline, whose tests are measured against
  /// today's.
  private var slowMark: Double?
  /// The number of shown practice hints that ask for a look; nil without a card.
  package var hints: Int?
  private var hintsOff: Set<PracticeHint.Name> = []

  package init() {}

  package init(_ integration: Integration) {
    if integration.steps.contains(where: { $0.name == .analyzing }) { analyzerWarnings = integration.analysis.count }
    orderDependent = integration.tests.isolation?.differing.count
    note(integration.practice?.shown(beside: integration.outcome, integration.rhythm))
    guard !integration.tests.results.isEmpty else { return }
    testWarnings = integration.tests.results.reduce(0) { $0 + $1.warnings.count }
    neverRun = integration.tests.neverRun.count
    durations = integration.tests.results.filter(\.state.isEnd).compactMap(\.ownTime)
    slowMark = integration.slowMark
  }

  package init(_ document: IntegrationRecord) {
    analyzerWarnings = document.analyzerWarnings
    orderDependent = document.tests.isolation?.differing.count
    note(document.practice?.shown(beside: document.outcome, document.rhythm))
    guard document.tests.listed > 0 else { return }
    testWarnings = document.tests.cases.reduce(0) { $0 + ($1.warnings?.count ?? 0) }
    neverRun = document.tests.neverRun?.count ?? 0
    durations = document.tests.cases.filter(\.state.isEnd).compactMap(\.ownTime)
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
    guard let slowMark, let now = slowTests, let then = before?.slowTests(beyond: slowMark) else { return nil }
    return now - then
  }

  private func slowTests(beyond mark: Double) -> Int? { durations?.count { $0.isLonger(than: mark) } }
}
