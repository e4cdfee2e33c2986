package import Model

/// All pages about source: the coverage of the package, a page for each counted file, and one for each source that
/// a failure points into.
package struct CoveragePages: Sendable {
  private let integration: Integration
  private let facts: ReportFacts
  private let library: TemplateLibrary
  private let tree: CoverageTree?
  /// Counted files in the order of the coverage page, then the others by path.
  private let plans: [SourcePlan]
  private let indices: [String: Int]
  private let failures: [String: Int]

  /// - Parameter testPage: the page of a test, relative to the top of the report; nil for a test without one.
  package init(
    _ report: Report, facts: ReportFacts, library: TemplateLibrary, testPage: (TestID) -> String? = { _ in nil }
  ) {
    integration = report.integration
    self.facts = facts
    self.library = library
    let notes = FailureNotes(report.integration.tests) { testPage($0).map { "../\($0)" } }
    failures = notes.failures
    let coverage = report.integration.coverage.coverage
    tree = coverage.map { CoverageTree($0, baseline: report.integration.baseline, changes: report.integration.changes) }
    let files = Dictionary((coverage?.files ?? []).map { ($0.path, $0) }) { first, _ in first }
    // Names are claimed in the order of the paths, so that they do not change with the figures.
    var names = PageNames(folder: "coverage")
    let first = files.values.sorted { $0.path < $1.path }.map { file in
      SourcePlan(
        path: file.path, coverage: file, bytes: report.sources[file.path], bubbles: notes.bubbles[file.path] ?? [:],
        marks: ChangeMarks(of: file.path, in: report.integration.changes), names: &names)
    }
    let counted = Dictionary(uniqueKeysWithValues: first.map { ($0.path, $0.completed(&names)) })
    let inOrder = tree?.files.compactMap { $0.path.flatMap { counted[$0] } } ?? []
    let plans = inOrder + Self.others(notes, sources: report.sources, counted: Set(counted.keys))
    self.plans = plans
    indices = Dictionary(plans.enumerated().map { ($1.path, $0) }) { first, _ in first }
  }

  private static func others(
    _ notes: FailureNotes, sources: [String: [UInt8]], counted: Set<String>
  ) -> [SourcePlan] {
    var names = PageNames(folder: "test-sources")
    let first = notes.bubbles.keys.sorted().filter { !counted.contains($0) && sources[$0] != nil }.map { path in
      SourcePlan(
        path: path, coverage: nil, bytes: sources[path], bubbles: notes.bubbles[path] ?? [:], names: &names)
    }
    return first.map { $0.completed(&names) }
  }

  /// The address of a source or of a line of it, relative to the top of the report; nil when no page shows it.
  package func link(to path: String, line: Int?) -> String? {
    indices[path].map { plans[$0].address(ofLine: line) }
  }

  /// How many sources have pages.
  package var fileCount: Int { plans.count }

  /// Makes all pages, one after the other.
  /// - Parameter write: takes the path of a page relative to the top of the report, and its bytes.
  package func write(_ write: (String, [UInt8]) throws -> Void) throws {
    let overview = try overview()
    try write(overview.path, overview.bytes)
    for index in plans.indices {
      for page in try pages(ofFile: index) { try write(page.path, page.bytes) }
    }
  }

  /// Makes the page about all counted files.
  package func overview() throws(TemplateError) -> (path: String, bytes: [UInt8]) {
    let sources = Dictionary(plans.map { ($0.path, $0) }) { first, _ in first }
    let page = CoverageOverview(
      integration: integration, tree: tree, link: { link(to: $0, line: $1) }, source: { sources[$0]?.source })
    return ("coverage.html", try library.render("coverage", .record(page.frame(facts).record(with: page.record))))
  }

  /// Makes the pages of one source, by its index up to `fileCount`; each call is independent of all others.
  package func pages(ofFile index: Int) throws(TemplateError) -> [(path: String, bytes: [UInt8])] {
    let plan = plans[index]
    let source = plan.source
    let surroundings = surroundings(of: index)
    let count = failures[plan.path] ?? 0
    var pages: [(path: String, bytes: [UInt8])] = []
    for part in plan.pages.indices {
      let page = SourcePage(
        plan: plan, source: source, part: part, surroundings: surroundings, integration: integration)
      let record = page.frame(facts, failures: count).record(with: page.record(failures: count))
      pages.append((plan.pages[part], try library.render("source", .record(record))))
    }
    return pages
  }

  /// Neighbours are of the same kind: counted files, or other sources.
  private func surroundings(of index: Int) -> SourcePage.Surroundings {
    let isCounted = plans[index].coverage != nil
    func isNeighbour(_ plan: SourcePlan) -> Bool { (plan.coverage != nil) == isCounted }
    let before = plans[..<index].last.flatMap { isNeighbour($0) ? $0 : nil }
    let after = plans[(index + 1)...].first.flatMap { isNeighbour($0) ? $0 : nil }
    return SourcePage.Surroundings(
      previous: before, next: after, previousGap: plans[..<index].last { !$0.blocks.isEmpty },
      nextGap: plans[(index + 1)...].first { !$0.blocks.isEmpty })
  }
}
