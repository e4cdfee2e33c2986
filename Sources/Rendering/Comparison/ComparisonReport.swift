package import Model

/// The comparison of any two integrations as a folder of its own that opens from disk.
package struct ComparisonReport: Sendable {
  private let templates: ReportTemplates
  private let time: LocalTime

  package init(templates: ReportTemplates, time: LocalTime) {
    self.templates = templates
    self.time = time
  }

  /// The page `index.html`, with the style sheet and the script that it refers to.
  package func files(of comparison: IntegrationComparison) throws(TemplateError) -> [ReportPart.File] {
    let page = ComparisonPage(comparison, time: time)
    let frame = SiteFrame(
      title: page.title, root: "", trail: ["\(page.words.before) and \(page.words.after)"], turn: nil, time: time)
    let bytes = try templates.library.render("compare", .record(frame.record(with: page.record)))
    return templates.assets.map { ReportPart.File(path: $0.name, bytes: $0.bytes) }
      + [ReportPart.File(path: "index.html", bytes: bytes)]
  }
}
