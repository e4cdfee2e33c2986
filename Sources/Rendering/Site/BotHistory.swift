package import Model

/// What the site shows of one bot.
package struct BotHistory: Sendable {
  /// How many entries of its main branch the index of bots needs; a longer streak than that is not counted.
  package static let overviewLength = 100

  package var name: String
  /// Newest first.
  package var entries: [HistoryLine]
  /// The numbers whose report is there to be read.
  package var withReport: Set<Int>
  /// The numbers whose report has a page that compares them with their baseline.
  package var withComparison: Set<Int> = []
  /// The branches of the repository; nil where nobody knows them.
  package var branches: KnownBranches?
  /// Whether `entries` are all there ever were.
  package var isWhole: Bool
  /// The issues as the newest conclusive integration of the main branch knows them; nil where that is no longer kept.
  package var issues: BotIssueList?
  /// The flaky ones among the tests of the newest integration, the worst first.
  package var flakyTests: [FlakyTest] = []
  /// What a watcher knows about the bot; nil without a watcher, and for a bot that has gone.
  package var state: WatchState.BotState?
  package var running: [WatchState.Entry]
  package var waiting: [WatchState.Entry]
  /// The branch that all of this is of; nil for the bot as a whole.
  private(set) var onlyBranch: String?

  package init(
    name: String, entries: [HistoryLine], withReport: Set<Int>, branches: KnownBranches? = nil, isWhole: Bool = true,
    state: WatchState.BotState? = nil, running: [WatchState.Entry] = [], waiting: [WatchState.Entry] = []
  ) {
    self.name = name
    self.entries = entries
    self.withReport = withReport
    self.branches = branches
    self.isWhole = isWhole
    self.state = state
    self.running = running
    self.waiting = waiting
  }

  /// How its branches stand, told anew from the entries at each call.
  package var states: BranchStates<HistoryLine> { BranchStates(entries, isWhole: isWhole, of: branches) }

  /// What there is to show of one of its branches alone; what the bot is set to is not the branch's.
  func alone(_ state: BranchState<HistoryLine>) -> BotHistory {
    var history = BotHistory(
      name: name, entries: state.lines, withReport: withReport, isWhole: isWhole,
      running: running.filter { $0.branch == state.branch }, waiting: waiting.filter { $0.branch == state.branch })
    history.withComparison = withComparison
    history.onlyBranch = state.branch
    return history
  }

  /// How many reports of a branch have the pages to those beside them written anew.
  static let steppedReports = 3

  /// The numbers of the reports of each branch, newest first.
  var newestReports: [[Int]] {
    let there = entries.filter { withReport.contains($0.number) }
    return Dictionary(grouping: there, by: \.branch).values
      .map { $0.prefix(Self.steppedReports + 1).map(\.number).sorted(by: >) }.sorted {
        ($0.first ?? 0) > ($1.first ?? 0)
      }
  }

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
