package import Model

/// What the site shows of one bot.
package struct BotHistory: Sendable {
  /// How many entries the index of bots needs; a longer streak than that is not counted.
  package static let overviewLength = 100

  package var name: String
  /// Newest first.
  package var entries: [HistoryLine]
  /// The numbers whose report is there to be read.
  package var withReport: Set<Int>
  /// The numbers whose report has a page that compares them with their baseline.
  package var withComparison: Set<Int> = []
  /// The issues as the newest conclusive integration knows them; nil where that is no longer kept.
  package var issues: BotIssueList?
  /// What a watcher knows about the bot; nil without a watcher, and for a bot that has gone.
  package var state: WatchState.BotState?
  package var running: [WatchState.Entry]
  package var waiting: [WatchState.Entry]

  package init(
    name: String, entries: [HistoryLine], withReport: Set<Int>, state: WatchState.BotState? = nil,
    running: [WatchState.Entry] = [], waiting: [WatchState.Entry] = []
  ) {
    self.name = name
    self.entries = entries
    self.withReport = withReport
    self.state = state
    self.running = running
    self.waiting = waiting
  }

  /// The newest entry that says something about the code.
  var newestConclusive: HistoryLine? { entries.first { $0.outcome.isConclusive } }

  /// The newest entry, when Martlet did not come to a result in it; one that somebody canceled tells nothing.
  var trouble: HistoryLine? {
    guard let newest = entries.first(where: { $0.outcome != .canceled }), !newest.outcome.isConclusive else {
      return nil
    }
    return newest
  }

  /// What a reader is told first of: the trouble, or else the newest result.
  var newestTold: HistoryLine? { trouble ?? newestConclusive }

  /// The newest green entry.
  var lastGreen: HistoryLine? { entries.first(where: \.outcome.isGreen) }

  /// The first red entry after the last green one; nil when the newest is not red.
  var redSince: HistoryLine? {
    let streak = entries.filter(\.outcome.isConclusive).prefix { !$0.outcome.isGreen }
    return streak.last
  }

  /// How many of the newest entries are green in a row.
  var greenStreak: Int { entries.filter(\.outcome.isConclusive).prefix(while: \.outcome.isGreen).count }

  /// The way from the site's top to an integration's report; nil when there is none.
  func link(_ number: Int) -> String? { withReport.contains(number) ? "\(number)/index.html" : nil }

  /// The way to the page that compares an integration with its baseline; nil when there is none.
  func comparisonLink(_ number: Int) -> String? {
    withComparison.contains(number) ? "\(number)/\(ComparisonPage.path)" : nil
  }
}

extension Outcome {
  /// What can be said of a bot that ended so the last time, after its name.
  var was: String {
    switch self {
    case .succeeded: "was green"
    case .warnings, .analyzerWarnings: "had warnings"
    case .buildErrors: "did not build"
    case .incomplete: "was incomplete"
    case .testFailures: "was red"
    case .canceled, .triggerError, .checkoutError, .internalError: "gave no result"
    }
  }

  /// How soon somebody should look; the smallest first.
  var urgency: Int {
    switch self {
    case .testFailures, .buildErrors: 0
    case .incomplete, .triggerError, .checkoutError, .internalError: 1
    case .warnings, .analyzerWarnings: 2
    case .canceled: 3
    case .succeeded: 4
    }
  }

  /// The name of the colours that a state has.
  var style: String {
    switch self {
    case .internalError, .checkoutError, .triggerError: "test-failures"
    case .analyzerWarnings: "warnings"
    default: rawValue
    }
  }
}
