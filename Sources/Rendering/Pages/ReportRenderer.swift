package import Model

/// Renders the report of one integration as a folder of static pages that opens from disk.
package struct ReportRenderer: Sendable {
  /// A file that is copied without changes.
  package struct Asset: Sendable {
    package var name: String
    package var bytes: [UInt8]
  }

  /// The files at the top of a report that lead to its neighbours, and so are of use only in the site.
  package static let stepPaths = StepPage.paths + [NewestSheet.path]

  private let templates: TemplateLibrary
  private let assets: [Asset]
  private let time: LocalTime

  /// - Parameter assets: `style.css` and `martlet.js`, which all pages use.
  package init(templates: TemplateLibrary, assets: [Asset], time: LocalTime = .utc) {
    self.templates = templates
    self.assets = assets
    self.time = time
  }

  /// Returns the parts of the report in reading order; each may be made on a separate thread. The same report gives the
  /// same bytes.
  package func parts(of report: Report) -> [ReportPart] {
    let context = ReportContext(report, library: templates, time: time)
    return ownParts(of: report, context)
      + zip(report.cells, context.cells).flatMap { cell, context in
        ownParts(of: cell, context)
          .map { $0.moved(into: ReportPaths.cell(cell.integration.destination?.name ?? "")) }
      }
  }

  /// Returns the parts about one destination.
  private func ownParts(of report: Report, _ context: ReportContext) -> [ReportPart] {
    let facts = context.facts
    var parts = assets.map { asset in ReportPart(asset.name) { asset.bytes } }
    parts.append(ReportPart(FactSheet.path) { FactSheet(facts).bytes })
    parts.append(part("index.html") { IntegrationPage(report: context) })
    // They are beside an integration, whatever the destination.
    if !context.integration.isCell { parts += stepParts(context) }
    parts += comparisonParts(of: report, context)
    parts += testListParts(context) + issueParts(context)
    for test in context.integration.tests.results where TestPage.isNeeded(for: test) {
      parts.append(part(context.paths.page(of: test.id)) { TestPage(test: test, report: context) })
    }
    for book in context.books {
      for number in 1...book.pages.count {
        let page = LogPage(book: book, number: number, report: context)
        parts.append(part(page.path) { page })
      }
    }
    return parts + context.coverage.parts
  }

  /// A comparison with its page, and the words of links to that.
  private typealias ComparedPage = (path: String, words: String, comparison: IntegrationComparison)

  /// Returns the pages that compare an integration with its baseline and with other ones, each with links to the others.
  private func comparisonParts(of report: Report, _ context: ReportContext) -> [ReportPart] {
    let own: [ComparedPage] =
      report.comparison.map { comparison -> [ComparedPage] in
        let before = comparison.before
        // So the other pages say why there is one that compares with what built.
        let reason = before.failedToBuild ? ", which did not build" : ""
        return [(ComparisonPage.path, "compare with \(before.number)\(reason)", comparison)]
      } ?? []
    let others = OtherReference.allCases.compactMap { reference -> ComparedPage? in
      report.otherComparisons[reference].map { (reference.path, reference.words(for: $0.before.number), $0) }
    }
    let pages = own + others
    return pages.map { path, _, comparison in
      let links = comparisonLinks(comparison, at: path, others: pages.filter { $0.path != path }, in: report, context)
      let time = time
      return ReportPart(path) {
        let page = ComparisonPage(comparison, links: links, time: time)
        let trail = [PageFrame.Crumb("vs. \(page.words.before)")]
        let frame = PageFrame(
          title: page.title, root: "", section: .comparison, trail: trail, facts: context.facts,
          tabs: context.facts.tabs(comparingWith: page.words.before, at: path))
        return try templates.render("compare", in: frame, page.record)
      }
    }
  }

  private func comparisonLinks(
    _ comparison: IntegrationComparison, at path: String, others: [ComparedPage], in report: Report,
    _ context: ReportContext
  ) -> ComparisonPage.Links {
    let package = PackagePlace(report.integration.packagePath)
    var links = ComparisonPage.Links(
      before: "../\(comparison.before.number)/index.html", after: "index.html",
      test: context.link, title: { context.tests[$0]?.title },
      testElsewhere: { context.integration.page(of: $0, for: $1) },
      durations: context.counts.listed > 0 ? SlowestTestsPage.path : nil,
      issue: { context.issueIndex.page(of: $0) }, source: { context.sources.link(to: $0, line: $1) },
      file: { context.sources.link(to: package.fromPackage($0)) }, integration: { "../\($0)/index.html" })
    let numbers = context.integration.numbersOfCommits
    links.number = { numbers[$0] }
    let issues = context.integration.issues.keyed(by: \.id)
    links.steps = StepsSection.others(in: context.integration)
    links.failure = { context.line(of: $0, for: $1) }
    links.lastSource = { issues[$0].flatMap { context.lastSource(of: $0) } }
    links.fix = { issues[$0].flatMap { context.fix(of: $0) } }
    links.fixer = { issues[$0].flatMap { context.fixer(of: $0) } }
    links.hunk = { issues[$0].flatMap { context.issueIndex.record(of: $0) }?.suspectedHunk }
    links.isFromBranchPoint = path == OtherReference.branchPoint.path
    let built = comparison.before.failedToBuild ? OtherReference.built.path : nil
    links.built = others.first { $0.path == built }.map {
      ($0.path, "Compare tests and coverage with \($0.comparison.before.number)")
    }
    links.others = others.filter { $0.path != built }.map { ($0.path, $0.words) }
    return links
  }

  private func testListParts(_ context: ReportContext) -> [ReportPart] {
    (1...context.paging.pages.count).map { number in
      part(TestPaging.path(number)) { TestsPage(context, number: number) }
    } + (context.counts.listed > 0 ? [part(SlowestTestsPage.path) { SlowestTestsPage(report: context) }] : [])
  }

  /// Returns the pages that lead to neighbouring integrations, which the site rewrites once these are known.
  private func stepParts(_ context: ReportContext) -> [ReportPart] {
    let (facts, branch) = (context.facts, context.integration.branch)
    let sheet = ReportPart(NewestSheet.path) { NewestSheet.own(of: branch) }
    return [sheet]
      + StepPage.all(of: branch).map { step in
        ReportPart(step.path) {
          let frame = PageFrame(title: step.title, root: "", section: .summary, facts: facts)
          return try templates.render("step", in: frame, step.record)
        }
      }
  }

  /// Returns the pages of issues; empty if issues were not tracked.
  private func issueParts(_ context: ReportContext) -> [ReportPart] {
    let index = context.issueIndex
    guard !index.entries.isEmpty else { return [] }
    return [part(IssueIndex.path) { IssueListPage(report: context) }]
      + index.entries.compactMap { issue, record in
        index.page(of: record.id).map { path in
          part(path) { IssuePage(issue: issue, past: record, report: context) }
        }
      }
  }

  private func part(_ path: String, _ page: @escaping @Sendable () -> some Page) -> ReportPart {
    ReportPart(path) { [templates] in try templates.render(page()) }
  }
}
