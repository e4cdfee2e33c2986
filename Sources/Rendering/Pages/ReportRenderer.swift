package import Model

/// Renders the report of one integration as a folder of static pages that opens from disk.
package struct ReportRenderer: Sendable {
  /// A file that is copied without changes.
  package struct Asset: Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  private let templates: TemplateLibrary
  private let assets: [Asset]
  private let time: LocalTime

  /// - Parameter assets: `style.css` and `martlet.js`, which all pages use.
  package init(templates: TemplateLibrary, assets: [Asset], time: LocalTime = .utc) {
    self.templates = templates
    self.assets = assets
    self.time = time
  }

  /// Passes each file of the report to `write`, with its path relative to the top of the report.
  ///
  /// The same report gives the same bytes in the same order. Throws errors of `write`, and template errors.
  package func render(_ report: Report, write: (String, [UInt8]) throws -> Void) throws {
    for part in parts(of: report) {
      for file in try part.files() { try write(file.path, file.bytes) }
    }
  }

  /// Returns the parts of the report in reading order; each may be made on a separate thread.
  package func parts(of report: Report) -> [ReportPart] {
    ownParts(of: report)
      + report.cells.flatMap { cell in
        ownParts(of: cell).map { $0.moved(into: ReportPaths.cell(cell.integration.destination?.name ?? "")) }
      }
  }

  /// Returns the parts about one destination.
  private func ownParts(of report: Report) -> [ReportPart] {
    let integration = report.integration
    let facts = ReportFacts(integration, hasComparison: report.comparison != nil, time: time)
    let results = integration.tests.results
    let paging = TestPaging(results)
    let paths = ReportPaths(tests: results.map(\.id), paging: paging)
    let withPages = Set(results.filter(TestPage.isNeeded).map(\.id))
    let listed = Set(results.map(\.id))
    let issues = Self.issues(of: integration)
    let issueIndex = IssueIndex(integration)
    let books = report.logs.map(LogBook.init)
    let coverage = CoveragePages(
      report, facts: facts, library: templates,
      testPage: { withPages.contains($0) ? paths.page(of: $0) : nil }, testRow: { paths.row(of: $0) })
    let sources = ShownSources(report, links: { coverage.link(to: $0, line: $1) })
    var parts = assets.map { asset in ReportPart(asset.name) { asset.bytes } }
    parts.append(ReportPart(FactSheet.path) { FactSheet(facts).bytes })
    parts.append(
      ReportPart("index.html") {
        let summary = IntegrationPage(
          integration, sources: sources, paths: paths, books: books, issues: issues, issueIndex: issueIndex, time: time)
        return try page("integration", summary.frame(facts), summary.record)
      })
    parts += stepParts(facts, of: integration)
    if let comparison = report.comparison {
      let links = ComparisonPage.Links(
        before: "../\(comparison.before.number)/index.html", after: "index.html",
        test: { withPages.contains($0) ? paths.page(of: $0) : listed.contains($0) ? paths.row(of: $0) : nil },
        source: { sources.link(to: $0, line: $1) })
      parts.append(
        ReportPart(ComparisonPage.path) {
          let page = ComparisonPage(comparison, links: links, time: time)
          let trail = [PageFrame.Crumb("compared with \(page.words.before)")]
          let frame = PageFrame(
            title: page.title, root: "", section: .comparison, trail: trail, facts: facts)
          return try self.page("compare", frame, page.record)
        })
    }
    parts += testListParts(of: integration, facts, paths: paths, issues: issues, paging: paging)
    parts += issueParts(issueIndex, of: integration, facts, sources: sources, paths: paths)
    for test in results where withPages.contains(test.id) {
      parts.append(
        ReportPart(paths.page(of: test.id)) {
          let page = TestPage(
            test, of: integration, sources: sources, paths: paths, issues: issues, issueIndex: issueIndex)
          return try self.page("test", page.frame(facts), page.record)
        })
    }
    for book in books {
      for number in 1...book.pages.count {
        let page = LogPage(book, number: number, of: integration)
        parts.append(ReportPart(page.path) { try self.page("log", page.frame(facts), page.record) })
      }
    }
    return parts + coverage.parts
  }

  private func testListParts(
    of integration: Integration, _ facts: ReportFacts, paths: ReportPaths, issues: [TestID: Issue], paging: TestPaging
  ) -> [ReportPart] {
    let pages = (1...paging.pages.count).map { number in
      ReportPart(TestPaging.path(number)) {
        let tests = TestsPage(integration, paths: paths, issues: issues, paging: paging, number: number)
        return try page("tests", tests.frame(facts), tests.record)
      }
    }
    let slowest = ReportPart(SlowestTestsPage.path) {
      let slowest = SlowestTestsPage(integration, paths: paths)
      return try page("tests-by-duration", slowest.frame(facts), slowest.record)
    }
    return pages + [slowest]
  }

  /// Returns the pages that lead to neighbouring integrations, which the site rewrites once these are known.
  private func stepParts(_ facts: ReportFacts, of integration: Integration) -> [ReportPart] {
    let sheet = ReportPart(NewestSheet.path) {
      NewestSheet.own(of: integration.branch, hasNext: false, hasPrevious: false)
    }
    let newest = ReportPart(NewestSheet.page) {
      let title = "The newest integration"
      let frame = PageFrame(title: title, root: "", section: .summary, facts: facts)
      let target = "../\(NewestSheet.names(of: integration.branch).page)"
      return try page("step", frame, ["sentence": .text(title), "target": .text(target)])
    }
    return [sheet, newest]
      + StepPage.Direction.allCases.map { direction in
        let step = StepPage(direction: direction, number: nil)
        return ReportPart(step.path) {
          let frame = PageFrame(title: step.title, root: "", section: .summary, facts: facts)
          return try page("step", frame, step.record)
        }
      }
  }

  /// Returns the pages of issues; empty if issues were not tracked.
  private func issueParts(
    _ issueIndex: IssueIndex, of integration: Integration, _ facts: ReportFacts, sources: ShownSources,
    paths: ReportPaths
  ) -> [ReportPart] {
    guard !issueIndex.entries.isEmpty else { return [] }
    let tests = integration.tests.byID
    let list = ReportPart(IssueIndex.path) {
      let list = IssueListPage(integration, issueIndex: issueIndex, tests: tests, sources: sources)
      return try page("issues", list.frame(facts), list.record)
    }
    return [list]
      + issueIndex.entries.compactMap { entry in
        issueIndex.page(of: entry.record.id).map { path in
          ReportPart(path) {
            let issue = IssuePage(
              entry.issue, entry.record, of: integration, tests: tests, sources: sources, paths: paths)
            return try page("issue", issue.frame(facts), issue.record)
          }
        }
      }
  }

  private func page(
    _ template: String, _ frame: PageFrame, _ content: [String: TemplateValue]
  ) throws(TemplateError) -> [UInt8] {
    try templates.render(template, .record(frame.record(with: content)))
  }

  /// Returns the open issue that represents each red test: one that counts, unless all of the test's failures are
  /// silenced; its failure rather than a sanitizer's finding, and the oldest of several.
  private static func issues(of integration: Integration) -> [TestID: Issue] {
    let open = integration.issues.filter {
      $0.status != .resolved && ($0.kind.isOfRedTest || $0.kind == .sanitizer) && $0.test != nil
    }
    let ofTests = Dictionary(grouping: open, by: \.test)
    var issues: [TestID: Issue] = [:]
    for test in integration.tests.results where test.state.isRed {
      let own = ofTests[test.id] ?? []
      let silenced = own.filter { $0.status == .silenced }
      let telling = test.isSilenced(by: silenced) ? silenced : own.filter { $0.status != .silenced }
      issues[test.id] = telling.min { one, other in
        (one.kind.isOfRedTest ? 0 : 1, other.age) < (other.kind.isOfRedTest ? 0 : 1, one.age)
      }
    }
    return issues
  }
}
