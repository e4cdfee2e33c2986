package import Model

/// The data of one bot for the site.
package struct BotHistory: Sendable {
  /// The number of entries of its main branch that the index of bots needs; longer streaks are not counted.
  package static let overviewLength = 100

  package var name: String
  /// Newest first.
  package var entries: [HistoryLine]
  /// The numbers of the integrations whose reports exist.
  package var withReport: Set<Int>
  /// The numbers of the integrations whose reports have a page that compares them with their baseline.
  package var withComparison: Set<Int> = []
  /// The numbers of the integrations whose reports have the page that compares them with the branch point.
  package var withBranchComparison: Set<Int> = []
  /// The numbers of the integrations whose reports have the page that compares them with the last one that was built.
  package var withBuiltComparison: Set<Int> = []
  /// The branches of the repository; nil if unknown.
  package var branches: KnownBranches?
  /// Whether `entries` is the complete history.
  package var isWhole: Bool
  /// The issues in the newest conclusive integration of the main branch; nil if that is no longer kept, and in an
  /// overview where the branch is not red.
  package var issues: BotIssueList?
  /// The flaky tests among those of the newest integration, worst first.
  package var flakyTests: [FlakyTest] = []
  /// What is known of these tests apart from how they ended.
  package var flakyCases: [TestID: FlakyCase] = [:]
  /// The issues of branches other than the main one, each as of the newest conclusive integration; in an overview those of
  /// the only other red one.
  package var branchIssues: [String: BotIssueList] = [:]
  /// A watcher's data about the bot; nil without a watcher, and for a bot that no longer exists.
  package var state: WatchState.BotState?
  /// Whether a watcher integrated it that no longer knows it.
  package var isForgotten = false
  package var running: [WatchState.Entry]
  package var waiting: [WatchState.Entry]
  /// How many more wait.
  package var unlisted = 0
  /// The branch that the data is limited to; nil for the whole bot.
  private(set) var onlyBranch: String?
  /// The states of all branches, for the data of one of them.
  private(set) var allStates: BranchStates<HistoryLine>?
  /// The integration that the other branch came from; nil if that is not known.
  private(set) var ownBranchPoint: HistoryLine?

  /// Returns the change of the number of tests that make an integration red, since an earlier one; nil if there is none, and
  /// if it is not known.
  func redDelta(of entry: HistoryLine, since base: Int?) -> Delta? {
    if let before = entries.first(where: { $0.number == base }), before.tests.listed > 0 {
      return entry.redDelta(since: before)
    }
    // That of the document is of all red ones.
    guard base == entry.baseline, entry.countingRed == entry.tests.red else { return nil }
    return entry.redChange.flatMap { Delta($0, from: 0, .moreIsWorse) }
  }

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

  /// Whether nobody can tell whether its repository has new commits.
  var isUnreadable: Bool { state?.source == .unreadable }

  /// Returns what keeps it from running; nil if it is running, or if there is a result to tell.
  func hindrance(beside main: BranchState<HistoryLine>) -> WatchState.Hindrance? {
    isUnreadable || isForgotten || !running.isEmpty || main.told != nil ? nil : state?.hindrance
  }

  /// The states of its branches, computed from the entries at each call.
  package var states: BranchStates<HistoryLine> { BranchStates(entries, isWhole: isWhole, of: branches) }

  /// Whether the data is limited to a branch other than the main one.
  var isBesideMain: Bool { allStates.map { $0.main.branch != onlyBranch } ?? false }

  /// What made its main branch red; nil unless that is the state to report and the report is kept.
  func finding(of main: BranchState<HistoryLine>) -> LeadingFinding? {
    guard !isForgotten, main.isRed, main.trouble == nil, issues?.number == main.result?.number else { return nil }
    return issues?.finding
  }

  /// Returns what made another branch red; nil under the same conditions.
  func finding(ofOther state: BranchState<HistoryLine>) -> LeadingFinding? {
    guard state.trouble == nil, let issues = state.branch.flatMap({ branchIssues[$0] }),
      issues.number == state.result?.number
    else { return nil }
    return issues.finding
  }

  /// Returns who made its main branch incomplete, such as `Ada, only commit`; nil if an issue names somebody, or if it was
  /// not green just before that one commit.
  func onlyAuthor(of main: BranchState<HistoryLine>) -> String? {
    guard let newest = main.result, newest.outcome == .incomplete, newest.commitCount == 1, main.trouble == nil,
      main.since?.number == newest.number, main.lastGreen != nil, finding(of: main) == nil
    else { return nil }
    return "\(newest.author), only commit"
  }

  /// Returns the integration of another branch that a branch came from, or last took over; nil if that is not known.
  func branchPoint(of state: BranchState<HistoryLine>) -> HistoryLine? {
    state.result?.branchPoint.flatMap { number in entries.first { $0.number == number } }
  }

  /// Returns the data of one of its branches; the bot's settings are not included.
  ///
  /// - Parameter states: those of all branches, of which it is one.
  func alone(_ state: BranchState<HistoryLine>, among states: BranchStates<HistoryLine>) -> BotHistory {
    var history = BotHistory(
      name: name, entries: state.lines, withReport: withReport, isWhole: isWhole,
      running: running.filter { $0.branch == state.branch }, waiting: waiting.filter { $0.branch == state.branch })
    (history.withComparison, history.withBranchComparison) = (withComparison, withBranchComparison)
    history.withBuiltComparison = withBuiltComparison
    (history.onlyBranch, history.allStates) = (state.branch, states)
    history.flakyCases = flakyCases
    if state.branch == states.main.branch {
      (history.issues, history.branchIssues) = (issues, branchIssues)
    } else {
      history.issues = state.branch.flatMap { branchIssues[$0] }
      history.ownBranchPoint = branchPoint(of: state)
    }
    history.flakyTests = flakyTests.filter { test in
      test.history.runs.contains {
        $0.branch == state.branch && ($0.verdict.isFlaky || $0.verdict.state.isRed)
      }
    }
    return history
  }

  /// The number of reports per branch whose pages to neighbouring reports are rewritten.
  static let steppedReports = 3

  /// The numbers of the newest reports of each branch, newest first.
  var newestReports: [(branch: String?, numbers: [Int])] {
    let there = entries.filter { withReport.contains($0.number) }
    return Dictionary(grouping: there, by: \.branch)
      .map { (branch: $0, numbers: $1.prefix(Self.steppedReports + 1).map(\.number).sorted(by: >)) }
      .sorted { ($0.numbers.first ?? 0) > ($1.numbers.first ?? 0) }
  }

  /// Returns the path from the site's top to an integration's report; nil if there is none.
  func link(_ number: Int) -> String? { link(number, to: "index.html") }

  /// Returns the path to another page of an integration's report; nil if there is no report.
  func link(_ number: Int, to page: String) -> String? { withReport.contains(number) ? "\(number)/\(page)" : nil }

  /// Returns the path to the page of an integration's tests; nil if none ran or the report is gone.
  func testsLink(_ entry: HistoryLine) -> String? {
    entry.tests.listed > 0 ? link(entry.number, to: TestPaging.path(1)) : nil
  }

  /// Returns the path to the page of an integration's coverage; nil if it was not measured or the report is gone.
  func coverageLink(_ entry: HistoryLine) -> String? {
    entry.lines != nil ? link(entry.number, to: "coverage.html") : nil
  }

  /// Returns the path to the page that compares an integration with its branch point; nil if there is none.
  ///
  /// - Parameter point: the branch point, which may be what the integration was compared with anyway.
  func comparisonLink(_ entry: HistoryLine, with point: Int) -> String? {
    if entry.baseline == point { return comparisonLink(entry.number) }
    return withBranchComparison.contains(entry.number) ? "\(entry.number)/\(OtherReference.branchPoint.path)" : nil
  }

  /// Returns the path to the page that compares an integration with its baseline; nil if there is none.
  func comparisonLink(_ number: Int) -> String? {
    withComparison.contains(number) ? "\(number)/\(ComparisonPage.path)" : nil
  }
}

extension HistoryLine {
  /// The predicate for a bot of which it was the last integration.
  var was: String { isOnlyFlaky ? "was flaky" : warningWords.map { "had \($0)" } ?? outcome.was }
}

extension Outcome {
  /// The predicate for a bot whose last integration had this outcome.
  var was: String {
    switch self {
    case .succeeded: "was green"
    case .warnings: "had warnings"
    case .analyzerWarnings: "had analyzer warnings"
    case .buildErrors: "did not build"
    case .incomplete: "was incomplete"
    case .testFailures: "was red"
    case .canceled, .triggerError, .checkoutError, .internalError: "gave no result"
    }
  }

  /// How soon people should look; the smallest value is the most urgent.
  var urgency: Int {
    switch self {
    case .buildErrors: 0
    case .testFailures: 1
    case .triggerError, .checkoutError, .internalError: 2
    case .incomplete: 3
    case .warnings, .analyzerWarnings: 6
    case .canceled: 7
    case .succeeded: 8
    }
  }

  /// The name of the colours for the state.
  var style: String {
    switch self {
    case .internalError, .checkoutError, .triggerError: "test-failures"
    case .analyzerWarnings: "warnings"
    default: rawValue
    }
  }
}
