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
    let context = ReportContext(report, library: templates, time: time)
    let facts = context.facts
    var parts = assets.map { asset in ReportPart(asset.name) { asset.bytes } }
    parts.append(ReportPart(FactSheet.path) { FactSheet(facts).bytes })
    parts.append(
      ReportPart("index.html") {
        let summary = IntegrationPage(report: context)
        return try page("integration", summary.frame, summary.record)
      })
    parts += stepParts(context)
    if let comparison = report.comparison {
      let links = ComparisonPage.Links(
        before: "../\(comparison.before.number)/index.html", after: "index.html",
        test: context.link, source: { context.sources.link(to: $0, line: $1) })
      parts.append(
        ReportPart(ComparisonPage.path) {
          let page = ComparisonPage(comparison, links: links, time: time)
          let trail = [PageFrame.Crumb("compared with \(page.words.before)")]
          let frame = PageFrame(
            title: page.title, root: "", section: .comparison, trail: trail, facts: facts)
          return try self.page("compare", frame, page.record)
        })
    }
    parts += testListParts(context) + issueParts(context)
    for test in context.integration.tests.results where TestPage.isNeeded(for: test) {
      parts.append(
        ReportPart(context.paths.page(of: test.id)) {
          let page = TestPage(test: test, report: context)
          return try self.page("test", page.frame, page.record)
        })
    }
    for book in context.books {
      for number in 1...book.pages.count {
        let page = LogPage(book: book, number: number, report: context)
        parts.append(ReportPart(page.path) { try self.page("log", page.frame, page.record) })
      }
    }
    return parts + context.coverage.parts
  }

  private func testListParts(_ context: ReportContext) -> [ReportPart] {
    let pages = (1...context.paging.pages.count).map { number in
      ReportPart(TestPaging.path(number)) {
        let tests = TestsPage(context, number: number)
        return try page("tests", tests.frame, tests.record)
      }
    }
    let slowest = ReportPart(SlowestTestsPage.path) {
      let slowest = SlowestTestsPage(report: context)
      return try page("tests-by-duration", slowest.frame, slowest.record)
    }
    return pages + [slowest]
  }

  /// Returns the pages that lead to neighbouring integrations, which the site rewrites once these are known.
  private func stepParts(_ context: ReportContext) -> [ReportPart] {
    let (facts, branch) = (context.facts, context.integration.branch)
    let sheet = ReportPart(NewestSheet.path) { NewestSheet.own(of: branch, hasNext: false, hasPrevious: false) }
    let newest = ReportPart(NewestSheet.page) {
      let title = "The newest integration"
      let frame = PageFrame(title: title, root: "", section: .summary, facts: facts)
      let target = "../\(NewestSheet.names(of: branch).page)"
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
  private func issueParts(_ context: ReportContext) -> [ReportPart] {
    guard !context.issueIndex.entries.isEmpty else { return [] }
    let list = ReportPart(IssueIndex.path) {
      let list = IssueListPage(report: context)
      return try page("issues", list.frame, list.record)
    }
    return [list]
      + context.issueIndex.entries.compactMap { entry in
        context.issueIndex.page(of: entry.record.id).map { path in
          ReportPart(path) {
            let issue = IssuePage(issue: entry.issue, past: entry.record, report: context)
            return try page("issue", issue.frame, issue.record)
          }
        }
      }
  }

  private func page(
    _ template: String, _ frame: PageFrame, _ content: [String: TemplateValue]
  ) throws(TemplateError) -> [UInt8] {
    try templates.render(template, .record(frame.record(with: content)))
  }
}
