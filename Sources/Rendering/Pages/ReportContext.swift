import Model

/// What all pages of a report are made from, worked out once and shared.
final class ReportContext: Sendable {
  let integration: Integration
  let facts: ReportFacts
  /// The results by test.
  let tests: [TestID: TestResult]
  let counts: TestCounts
  /// How each test ended over all destinations.
  let judgedTests: JudgedTests
  /// The tests as their page lists them.
  let tree: TestTree
  let paging: TestPaging
  let paths: ReportPaths
  let books: [LogBook]
  let logLines: TestLogLines
  let diagnosticPlaces: DiagnosticPlaces
  let issueIndex: IssueIndex
  /// The open issue that represents each test that is red or ended its process.
  let issues: [TestID: Issue]
  let coverage: CoveragePages
  let sources: ShownSources
  let logPlaces: LogPlaces
  /// The pages that compare it with other integrations than its baseline, by their numbers.
  let comparisonPages: [Int: String]
  /// The comparison with the integration that built last, where the baseline did not.
  let sinceBuilt: IntegrationComparison?
  /// The commits since the baseline; nil without a comparison.
  let commitsSince: CommitsBetween?
  /// What each of them touched; empty without a comparison.
  let commitChanges: [CommitID: CommitChange]
  /// What the commit changed in its parent, without a comparison.
  let parentChange: CommitChange?
  /// The tests whose durations differ from those of the baseline by more than they usually vary.
  let slower: Set<TestID>
  let faster: Set<TestID>
  /// How long those usually take, in seconds.
  let usualTimes: [TestID: Double]
  /// The names that the authors gave to tests that were deleted since the baseline.
  let deletedNames: [TestID: String]
  /// Those of the other destinations that have their pages in this report, in their order.
  let cells: [ReportContext]
  /// How the tests ended for each destination of the whole report.
  let destinations: TestDestinations
  /// The names of the destinations for which a test ended badly, also of those without pages here.
  let redFor: [TestID: [String]]
  /// Whether the comparison lists all of several commits, so that the first page does not.
  let comparesCommits: Bool
  /// What the report around that of another destination than the leading one has; nil for any other.
  let whole: Whole?
  private let withPages: Set<TestID>

  /// What the report of a destination leaves to the one around it.
  struct Whole: Sendable {
    let coverage: CoveragePages
    /// Those that the comparison lists.
    let commits: Set<CommitID>
    let destinations: TestDestinations
  }

  /// - Parameter whole: that of the report around it; nil if there is none.
  init(_ report: Report, library: TemplateLibrary, time: LocalTime, in whole: Whole? = nil) {
    let report = report.knowingMissingTests
    integration = report.integration
    self.whole = whole
    let logs = report.logs.filter { !$0.bytes.isEmpty }
    let commitChanges = Dictionary(report.comparison?.commits.added.map { ($0.id, $0) } ?? []) { first, _ in first }
    let commits = integration.commits
    comparesCommits = commits.count > 1 && commits.allSatisfy { commitChanges[$0.id] != nil }
    facts = ReportFacts(
      integration, hasComparison: report.comparison != nil, comparesCommits: comparesCommits,
      hasSteps: integration.steps.count > 1 || !logs.isEmpty, time: time)
    let results = integration.tests.results
    tests = integration.tests.byID
    counts = integration.tests.counts
    let withPages = Set(results.filter(TestPage.isNeeded).map(\.id))
    let issues = integration.issuesOfBadEnds
    let judgedTests = JudgedTests(integration)
    let tree = TestTree(judgedTests.results, ages: Self.ages(of: judgedTests, in: integration, issues))
    let paging = TestPaging(tree)
    let paths = ReportPaths(tests: judgedTests.results.map(\.id), paging: paging)
    let coverage = CoveragePages(
      report, facts: facts, library: library,
      testPage: { withPages.contains($0) ? paths.page(of: $0) : nil }, testRow: { paths.row(of: $0) })
    books = logs.map(LogBook.init)
    logLines = TestLogLines(results, in: books)
    diagnosticPlaces = DiagnosticPlaces(books)
    issueIndex = IssueIndex(integration)
    (commitsSince, self.commitChanges) = (report.comparison?.commits, commitChanges)
    comparisonPages = report.comparisonPages
    sinceBuilt = report.otherComparisons[.built]
    parentChange = report.parentChange
    slower = Set((report.comparison?.tests.slower ?? []).map(\.id))
    faster = Set((report.comparison?.tests.faster ?? []).map(\.id))
    deletedNames = (report.comparison?.tests.removed ?? []).filter { $0.displayName != nil }.keyed(by: \.id, \.title)
    let paced = report.comparison.map { $0.tests.slower + $0.tests.faster } ?? []
    usualTimes = Dictionary(paced.compactMap { test in test.usual.map { (test.id, $0) } }) { first, _ in first }
    sources = ShownSources(
      report, books: books,
      links: { path, line in
        coverage.link(to: path, line: line)
          ?? whole?.coverage.link(to: path, line: line).map { ReportPaths.outOfCell + $0 }
      })
    logPlaces = LogPlaces(
      integration, issues: issueIndex, sources: sources,
      link: { path, line in
        coverage.link(to: path, near: line)
          ?? whole?.coverage.link(to: path, near: line).map { ReportPaths.outOfCell + $0 }
      })
    (self.withPages, self.paths, self.coverage) = (withPages, paths, coverage)
    (self.issues, self.judgedTests, self.tree, self.paging) = (issues, judgedTests, tree, paging)
    let destinations = whole?.destinations ?? TestDestinations(integration)
    let own = Whole(coverage: coverage, commits: Set(commitChanges.keys), destinations: destinations)
    self.destinations = destinations
    cells = report.cells.map { ReportContext($0, library: library, time: time, in: own) }
    redFor = Self.redFor(in: integration)
  }

  private static func redFor(in integration: Integration) -> [TestID: [String]] {
    var names: [TestID: [String]] = [:]
    for cell in integration.all {
      guard let name = cell.destination?.name else { continue }
      for test in cell.tests.results where test.endsBadly { names[test.id, default: []].append(name) }
    }
    return names
  }

  /// The list of the commits.
  var commitsPath: String { comparesCommits ? ComparisonPage.commits : "index.html#commits" }

  /// - Parameter issues: those of the first destination.
  private static func ages(
    of tests: JudgedTests, in integration: Integration, _ issues: [TestID: Issue]
  ) -> [TestID: FindingAge] {
    var ages: [TestID: FindingAge] = [:]
    let judged = integration.judged
    for (cell, issues) in zip(judged, [issues] + judged.dropFirst().map(\.issuesOfBadEnds)) {
      let name = cell.destination?.name
      for test in cell.tests.results where test.state.isRed && tests.destination(of: test.id) == name {
        ages[test.id] = FindingAge(
          test, baseline: cell.baseline, issues: issues, history: cell.histories[test.id])
      }
    }
    return ages
  }

  /// Returns the page of a test, or its row if it has none; nil for a test that is not listed.
  func link(to test: TestID) -> String? {
    guard tests[test] != nil else { return nil }
    return withPages.contains(test) ? paths.page(of: test) : paths.row(of: test)
  }

  /// Returns the display name of a test, as far as it is known.
  func title(of test: TestID) -> String { tests[test]?.title ?? test.name }

  /// Returns the values of the template `test-name`.
  func name(of test: TestID) -> TemplateValue {
    .record([
      "name": .shown(title(of: test)), "suite": .shown(test.home), "link": .optional(link(to: test)),
    ])
  }

  /// An earlier run of a test.
  struct EarlierRun {
    let number: Int
    /// In seconds.
    let time: Double
    /// Whether the test came to its own end then and now, so that the times can be compared.
    let isLike: Bool
  }

  /// Returns the last earlier run of a test whose duration is known.
  func runBefore(of test: TestResult) -> EarlierRun? {
    let runs = integration.histories[test.id]?.runs ?? []
    let before =
      runs.first { $0.number != integration.number && $0.branch == integration.branch }
      ?? runs.first { $0.number == integration.baseline?.number }
    guard let before, let time = before.verdict.time else { return nil }
    return EarlierRun(number: before.number, time: time, isLike: test.state.isEnd && before.verdict.state.isEnd)
  }

  /// Returns the age of a bad end; nil if there is nothing to compare with.
  func age(of test: TestResult) -> FindingAge? {
    FindingAge(test, baseline: integration.baseline, issues: issues, history: integration.histories[test.id])
  }

  /// Returns the age of a bad end, which is that of the first test of its class for one that did not begin because the
  /// process ended before that: both have one issue.
  ///
  /// - Parameter first: that first test; nil for a test that ended badly by itself.
  func age(of test: TestResult, keptFromBeginningWith first: TestResult?) -> FindingAge? {
    guard let first else { return age(of: test) }
    // What is new of the first one as a test is not new of all.
    return age(of: first).flatMap { $0.age == .newTest && !isNew(test.id) ? age(of: issues[first.id]) : $0 }
  }

  /// Returns since when a test is flaky; nil if it is not known to be.
  func flakyAge(of test: TestID) -> FindingAge? {
    FindingAge(
      ofFlakySince: integration.flakySince(test), in: integration.number, baseline: integration.baseline,
      isNewTest: isNew(test))
  }

  /// Returns how often a test failed in the known integrations, such as `flaky in 3 of 10 integrations`; nil for one that did
  /// not, and if only this one is known.
  ///
  /// - Parameter isTold: whether what stands beside it says that the test is flaky.
  func failureRate(of test: TestID, isTold: Bool = false) -> String? {
    integration.histories[test].flatMap { history in
      history.runs.count > 1 && history.failedAtFirst > 0 ? FlakyWords.rate(history, isTold: isTold) : nil
    }
  }

  /// Whether a test did not stay red, but contradicts itself, or another integration of the same commit.
  func isFlakyHere(_ test: TestResult) -> Bool {
    test.isFlaky || !test.state.isRed && integration.histories[test.id]?.flakyIn.contains(integration.number) == true
  }

  /// Whether the baseline has no such test, or, if its tests did not run, no earlier integration that ran others.
  func isNew(_ test: TestID) -> Bool {
    if let states = integration.baseline?.states, !states.isEmpty { return states[test] == nil }
    let histories = integration.histories
    return histories[test]?.runs.count == 1 && histories.values.contains { $0.runs.count > 1 }
  }
}

/// A page of a report, or a section of one.
protocol ReportSection {
  var report: ReportContext { get }
}

extension ReportSection {
  var integration: Integration { report.integration }
  var counts: TestCounts { report.counts }
  var paths: ReportPaths { report.paths }
  var issueIndex: IssueIndex { report.issueIndex }
  var sources: ShownSources { report.sources }
  var time: LocalTime { report.facts.time }
}

extension ShownSources {
  /// Returns the page of a source at a place, relative to the top of the report; missing if there is none.
  func link(to place: SourceLocation?) -> TemplateValue {
    .optional(place.flatMap { link(to: $0.file, line: $0.line) })
  }

  /// Returns the first of some places with their pages, each with what stands before and after it, for the template
  /// `line-places`; a file's name stands once for consecutive places in it.
  ///
  /// - Parameters:
  ///   - root: the path from the page to the top of the report; nil where something else may stand in their lines.
  ///   - elsewhere: the page that has all of them instead.
  func links(
    to lines: LinePlaces, first count: Int, from root: String? = "", elsewhere: String? = nil
  ) -> TemplateValue {
    let places = lines.places.prefix(count)
    return .list(
      places.indices.map { index in
        let place = places[index]
        let isSame = index > 0 && places[index - 1].path == place.path
        let next = index + 1 < places.endIndex ? places[index + 1] : nil
        return .record([
          "glue": .text(index == 0 ? "" : " "),
          "text": .name(isSame ? place.range : "\(SourceLocation.fileName(of: place.path)):\(place.range)"),
          "link": .optional(
            elsewhere
              ?? root.flatMap { root in link(to: place.path, line: place.lines.lowerBound).map { root + $0 } }),
          "isUp": .flag(elsewhere != nil),
          "after": .optional(next.map { $0.path == place.path ? "," : ";" }),
        ])
      })
  }
}

extension Integration {
  /// The open issue that represents each test that ended badly: one that counts, unless all of the test's failures are
  /// silenced; its failure rather than a sanitizer's finding, and the oldest of several. Of several destinations, the first
  /// tells its own.
  var issuesOfBadEnds: [TestID: Issue] {
    let issues = issues.map { issue in destination.flatMap { issue.told(for: $0.name) } ?? issue }
    let open = issues.filter {
      !$0.status.isOver && ($0.kind.isOfRedTest || [.quit, .sanitizer].contains($0.kind)) && $0.test != nil
    }
    let ofTests = Dictionary(grouping: open, by: \.test)
    var ofRed: [TestID: Issue] = [:]
    for test in tests.results where test.endsBadly {
      let own = ofTests[test.id] ?? []
      let silenced = own.filter { $0.status == .silenced }
      let telling = test.isSilenced(by: silenced) ? silenced : own.filter { $0.status != .silenced }
      ofRed[test.id] = telling.min { one, other in
        (one.kind == .sanitizer ? 1 : 0, other.age) < (other.kind == .sanitizer ? 1 : 0, one.age)
      }
    }
    return ofRed
  }
}

extension Report {
  /// The same, with coverage that knows whether tests are missing to it, and then is compared with nothing: any of them
  /// may run what no longer runs.
  fileprivate var knowingMissingTests: Report {
    var report = self
    report.integration.coverage = integration.coverageOfTests
    if let counts = report.integration.coverage.coverage?.testsMissing {
      report.integration.changes?.comparison = .unknown(reason: MissingTestsWords.missing(of: counts))
    } else if let baseline = integration.baseline, baseline.totals == nil,
      let lack = MissingTestsWords.lack(of: baseline.tests, in: "\(baseline.number)")
    {
      report.integration.changes?.comparison = .unknown(reason: lack)
    }
    return report
  }
}

extension [TestResult] {
  /// Returns tests that ended badly in the order in which rows and headings tell them.
  func inOrder(_ isNew: (TestResult) -> Bool) -> [TestResult] {
    map { test in (rank: FindingRank(test, isNew: isNew(test)), test: test) }
      .sorted { ($0.rank, $0.test.id) < ($1.rank, $1.test.id) }.map { $0.test }
  }

  /// The tests that wait for the same as another one before them, in the same line.
  var waitingAlike: Set<TestID> {
    var first: [[String]: TestID] = [:]
    let alike = filter { test in
      guard let reason = test.hang?.reason(of: test), let place = test.hang?.location else { return false }
      let key = [reason, place.description]
      if let known = first[key] { return known != test.id }
      first[key] = test.id
      return false
    }
    return Set(alike.map(\.id))
  }
}

extension TestID {
  /// The suite, or the target of a test outside suites.
  var home: String { suite.isEmpty ? module : suite }
}
