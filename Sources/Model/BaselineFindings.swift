/// What an integration itself found beside the states of its tests, for the changes of the next one.
///
/// Its issues do not say so: an issue stays open where nothing was reached that could show that it is gone.
package struct BaselineFindings: Hashable, Sendable {
  /// Nil where the analyze action was not carried out.
  package var analyzerWarnings: Int?
  /// Warnings that tests recorded; nil where the tests were not reached.
  package var testWarnings: Int?
  /// Methods named like tests that XCTest never runs; nil where the tests were not reached.
  package var neverRun: Int?
  /// Tests that end differently alone; nil where none was run alone.
  package var orderDependent: Int?
  /// Nil where the tests were not reached.
  package var slowTests: Int? { slowMark.flatMap(slowTests(beyond:)) }
  /// How long each test took that came to its end, in seconds; nil where the tests were not reached.
  package var durations: [Double]?
  /// When a test is slow, in seconds, as the bot says now; nil for a baseline, whose tests are measured by today's mark.
  private var slowMark: Double?
  /// Hints of the practice card to look at; nil without a card.
  package var hints: Int?
  /// Which hints were switched off.
  private var hintsOff: Set<PracticeHint.Name> = []

  package init() {}

  package init(_ integration: Integration) {
    if integration.steps.contains(where: { $0.name == .analyzing }) { analyzerWarnings = integration.analysis.count }
    orderDependent = integration.tests.isolation?.differing.count
    note(integration.practice)
    guard !integration.tests.results.isEmpty else { return }
    testWarnings = integration.tests.results.reduce(0) { $0 + $1.warnings.count }
    neverRun = integration.tests.neverRun.count
    // As the document has them, or a test at the mark would be slow on one side only.
    durations = integration.tests.results.filter(\.state.isEnd).map(\.duration.roundedToMilliseconds)
    slowMark = integration.slowMark
  }

  package init(_ document: IntegrationRecord) {
    analyzerWarnings = document.analyzerWarnings
    orderDependent = document.tests.isolation?.differing.count
    note(document.practice)
    guard document.tests.listed > 0 else { return }
    testWarnings = document.tests.cases.reduce(0) { $0 + ($1.warnings?.count ?? 0) }
    neverRun = document.tests.neverRun?.count ?? 0
    durations = document.tests.cases.filter(\.state.isEnd).map(\.duration)
  }

  private mutating func note(_ card: PracticeCard?) {
    hints = card?.looks
    hintsOff = Set(card?.off ?? [])
  }

  /// The signed change of one of them; nil where one side does not know it.
  package func change(_ count: KeyPath<BaselineFindings, Int?>, from before: BaselineFindings?) -> Int? {
    guard let now = self[keyPath: count], let then = before?[keyPath: count] else { return nil }
    if count == \.hints, before?.hintsOff != hintsOff { return nil }
    return now - then
  }

  /// The signed change of the number of slow tests, both by the same mark; nil where one side did not come to its tests.
  package func slowChange(from before: BaselineFindings?) -> Int? {
    guard let slowMark, let now = slowTests, let then = before?.slowTests(beyond: slowMark) else { return nil }
    return now - then
  }

  private func slowTests(beyond mark: Double) -> Int? { durations?.count { $0 > mark } }
}
