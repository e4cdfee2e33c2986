package import Model

/// A comparison of any two integrations as a self-contained folder that opens from disk.
package struct ComparisonReport: Sendable {
  private let templates: ReportTemplates
  private let time: LocalTime

  package init(templates: ReportTemplates, time: LocalTime) {
    self.templates = templates
    self.time = time
  }

  /// Returns the page `index.html`, the style sheet and the script that it uses, and the source pages.
  ///
  /// - Parameter sources: the coverage of the second integration, compared with that of the first, and the texts of the
  ///   files that get a page with their changes; nil if the lines were not compared.
  package func files(of comparison: IntegrationComparison, sources: Report? = nil) throws -> [ReportPart.File] {
    let facts = ReportFacts(of: comparison, time: time)
    let pages = sources.map { report in
      var report = report
      report.comparison = comparison
      return CoveragePages(report, facts: facts, library: templates.library, shown: Set(report.sources.keys))
    }
    let package = PackagePlace(sources?.integration.packagePath ?? ".")
    var links = ComparisonPage.Links(
      source: { pages?.link(to: $0, line: $1) }, file: { pages?.link(to: package.fromPackage($0), line: nil) })
    let records = sources?.integration.issueRecords.keyed(by: \.id) ?? [:]
    links.hunk = { records[$0]?.suspectedHunk }
    if let pages {
      links.filesLeft = comparison.coverage.files.count {
        $0.isChanged && $0.after != nil && pages.link(to: $0.path, line: nil) == nil
      }
    }
    let page = ComparisonPage(comparison, links: links, time: time)
    let frame = PageFrame(
      title: page.title, root: "", trail: ["\(page.words.before) and \(page.words.after)"], asOf: nil)
    var files = templates.assets.map { ReportPart.File(path: $0.name, bytes: $0.bytes) }
    if let pages {
      files.append(ReportPart.File(path: FactSheet.path, bytes: FactSheet(facts).bytes))
      for part in pages.sourceParts { files += try part.files() }
    }
    let bytes = try templates.library.render("compare", in: frame, page.record)
    return files + [ReportPart.File(path: "index.html", bytes: bytes)]
  }
}
