package import Model

/// The facts about one integration that all pages of its report repeat, formatted once.
///
/// The pages share one instance; a package has hundreds of pages.
package final class ReportFacts: Sendable {
  struct Tab: Sendable {
    var section: PageFrame.Section?
    var label: String
    /// Relative to the top of the report.
    var path: String
    /// What differs between integrations, behind the label: a count, or the integration compared with.
    var count: String?
    var isRed = false
    var isAmber = false
  }

  /// The local time used on the pages.
  package let time: LocalTime
  let bot: String
  let number: Int
  /// The branch, if it came from another one.
  let asideBranch: String?
  let tabs: [Tab]
  /// What it is compared with, as a phrase, unless a tab tells.
  let comparison: String?
  /// What a destination after the first one is compared with, which has no tab, relative to the top; otherwise nil.
  let comparedPage: String?
  /// The short id of the commit, after the word "commit".
  let commit: String
  let footer: [String]
  /// The destination of the report if it is not the leading one; otherwise nil.
  let cell: String?
  /// The first crumb of every breadcrumb; nil for the bot and number of an integration in a site.
  let top: PageFrame.Crumb?
  /// The page with all targets and files, relative to the top.
  let coveragePage: String

  /// Creates the facts for a comparison of two integrations in a folder of its own.
  init(of comparison: IntegrationComparison, time: LocalTime) {
    self.time = time
    let words = ComparisonWords(comparison)
    (bot, number) = (comparison.after.bot, comparison.after.number)
    top = PageFrame.Crumb("\(words.before) and \(words.after)", path: "index.html")
    coveragePage = "index.html"
    tabs = []
    asideBranch = nil
    cell = nil
    (self.comparison, comparedPage) = (nil, nil)
    commit = "commit \(comparison.after.commit.id.short)"
    footer = [comparison.before, comparison.after].map { "\($0.bot) \($0.number), commit \($0.commit.id.short)" }
  }

  /// - Parameters:
  ///   - hasComparison: whether the report has a page that compares the integration with its baseline.
  ///   - comparesCommits: whether that page lists all its commits.
  ///   - hasSteps: whether any step left a log, or several a time.
  package init(
    _ integration: Integration, hasComparison: Bool = false, comparesCommits: Bool = false, hasSteps: Bool = true,
    time: LocalTime = .utc
  ) {
    self.time = time
    top = nil
    coveragePage = "coverage.html"
    bot = integration.bot
    number = integration.number
    asideBranch = integration.branchPoint == nil ? nil : integration.branch
    cell = integration.isCell ? integration.destination?.name : nil
    var tabs = Self.tabs(of: integration, commits: comparesCommits ? ComparisonPage.commits : "index.html#commits")
    if hasComparison {
      let other = integration.baseline.map { "with \($0.number)" }
      tabs.append(Tab(section: .comparison, label: "Compare", path: ComparisonPage.path, count: other))
    }
    self.tabs = tabs.filter { hasSteps || $0.section != .logs }
    comparison = hasComparison ? nil : integration.baseline.map { "compared with \($0.number)" }
    comparedPage = (integration.isCell ? integration.baseline : nil).map { before in
      let page = before.cell.map { "?page=\(ReportPaths.cell($0))/index.html" } ?? ""
      return "\(integration.wayOut)\(before.number)/index.html\(page)"
    }
    commit = "commit \(integration.commit.id.short)"
    footer = Self.footer(of: integration)
  }

  /// Returns the tabs of a page that compares with another integration than the tab of all pages.
  func tabs(comparingWith other: String, at path: String) -> [Tab] {
    tabs.map { tab in
      guard tab.section == .comparison else { return tab }
      return Tab(section: .comparison, label: tab.label, path: path, count: "with \(other)")
    }
  }

  /// The number of the integration, with its branch if that is another one.
  var name: String { "\(number)" + (asideBranch.map { " on \($0)" } ?? "") }

  /// The crumbs before the trail of a page: the bot and the integration, followed by the destination unless it is the
  /// leading one.
  var beginning: [PageFrame.Crumb] {
    if let top { return [top] }
    guard let cell else { return [.init(bot, path: "../index.html"), .init(name, path: "index.html")] }
    return [
      .init(bot, path: "../../../index.html"), .init(name, path: "../../index.html"),
      .init(cell, path: "index.html", isKept: true),
    ]
  }

  /// The path from the top of the report to that of its site; nil for a comparison in a folder of its own.
  var pathToSite: String? { top != nil ? nil : cell == nil ? "../../" : "../../../../" }

  /// - Parameter commits: the path of the list of commits.
  private static func tabs(of integration: Integration, commits list: String) -> [Tab] {
    let judged = JudgedTests(integration)
    let (counts, red) = (judged.counts, judged.red)
    let bad = TestSum.bad(in: counts, silenced: judged.silenced.count).first
    let tests = Tab(
      section: .tests, label: "Tests", path: "tests.html",
      count: bad ?? (counts.listed > 0 ? CountText.plain(counts.listed) : nil),
      isRed: red > 0, isAmber: bad != nil && red == 0)
    var tabs = [Tab(section: .summary, label: "Summary", path: "index.html")]
    let uncovered = integration.coverage.coverage.map {
      "\(CoverageWords.uncovered($0.totals.lines, isWhole: $0.isWhole)) uncovered"
    }
    // Where nothing was tested, the summary has all there is to say.
    if !integration.all.allSatisfy({ $0.isUntested || $0.isStopped || $0.isWithoutTests }) {
      tabs += [tests, Tab(section: .coverage, label: "Coverage", path: "coverage.html", count: uncovered)]
    }
    let entries = IssueIndex(integration).entries
    if !entries.isEmpty {
      let open = entries.count(where: \.issue.status.isOpen)
      tabs.append(Tab(section: .issues, label: "Issues", path: IssueIndex.path, count: CountText.plain(open)))
    }
    // A single commit is all in the heading.
    if integration.commits.count > 1 {
      let commits = CountText.plain(integration.commits.count)
      tabs.append(Tab(section: nil, label: "Commits", path: list, count: commits))
    }
    tabs.append(Tab(section: .logs, label: "Logs", path: "index.html#logs"))
    return tabs
  }

  private static func footer(of integration: Integration) -> [String] {
    // Of all destinations, as the report begins with all.
    func each(_ fact: (Integration) -> String) -> String {
      var met: Set<String> = []
      return integration.all.map(fact).filter { !$0.isEmpty && met.insert($0).inserted }.joined(separator: ", ")
    }
    let machine = integration.circumstances.machine.map { "on \($0)" } ?? ""
    // What ended before its toolchain was known has none.
    let all = [
      "commit \(integration.commit.id.short)", each { ToolchainName.short($0.toolchain) }, each(\.configuration),
      each { $0.circumstances.sanitizers.map { "\($0) sanitizer" } ?? "" }, "sandbox \(integration.sandbox)", machine,
    ]
    var facts = all.filter { !$0.isEmpty }
    if case .available(let coverage) = integration.coverage, !coverage.isComplete {
      facts.append("coverage incomplete: \(coverage.reason ?? "reason unknown")")
    }
    return facts
  }
}
