/// The frame that all pages of an integration's report share: title, breadcrumb, tabs and footer.
package struct PageFrame: Sendable {
  /// A tab of a report.
  package enum Section: Sendable {
    case summary, tests, coverage, issues, logs, comparison
  }

  /// One step of the path from the top of the report to the page.
  package struct Crumb: Sendable {
    package var label: String
    /// Relative to the top of the report; nil for the page itself.
    package var path: String?

    package init(_ label: String, path: String? = nil) {
      self.label = label
      self.path = path
    }
  }

  private let title: String
  private let root: String
  private let section: Section
  private let trail: [Crumb]
  private let facts: ReportFacts
  private let isShared: Bool

  /// - Parameters:
  ///   - root: the path from the page's folder to the top of the report: empty, `../` and so on.
  ///   - trail: the breadcrumb after the integration; the last crumb is the page itself.
  ///   - isShared: whether to leave out what differs between integrations, so that a page with the same contents has
  ///     the same bytes in both; the page gets it from the `FactSheet`.
  package init(
    title: String, root: String, section: Section, trail: [Crumb] = [], facts: ReportFacts, isShared: Bool = false
  ) {
    self.title = title
    self.root = root
    self.section = section
    self.trail = trail
    self.facts = facts
    self.isShared = isShared
  }

  /// Returns the page's own values, with the common ones added under the name `page`.
  package func record(with content: [String: TemplateValue] = [:]) -> [String: TemplateValue] {
    var record = content
    record["page"] = .record([
      "title": .shown(title),
      "root": .text(root), "isReport": .flag(facts.top == nil && facts.cell == nil),
      "crumbs": .list(crumbs),
      "turn": isShared ? .missing : .shown(ifAny: facts.comparison),
      "turnLink": section == .comparison ? .missing : .optional(facts.comparisonPage.map { root + $0 }),
      "tabs": .list(tabs),
      "footer": isShared ? .list([]) : .list(facts.footer.map { .shown($0) }),
      "facts": isShared ? .list(facts.footer.indices.map { .text("fact-\($0 + 1)") }) : .list([]),
    ])
    return record
  }

  private var crumbs: [TemplateValue] {
    if let top = facts.top { return ([top] + trail).enumerated().map { crumb($1, isCurrent: $0 == trail.count) } }
    let all = beginning + trail
    return all.enumerated().map { index, crumb in
      .record([
        "label": isShared && index == 1 ? .missing : .shown(crumb.label),
        "link": crumb.path.map { .text(root + $0) } ?? .missing,
        "isCurrent": .flag(index == all.count - 1),
        "leadsOut": .flag(index == 0),
      ])
    }
  }

  /// The bot and the integration, followed by the destination unless it is the leading one.
  private var beginning: [Crumb] {
    let own = trail.isEmpty ? nil : "index.html"
    guard let cell = facts.cell else {
      return [Crumb(facts.bot, path: "../index.html"), Crumb("\(facts.number)", path: own)]
    }
    return [
      Crumb(facts.bot, path: "../../../index.html"), Crumb("\(facts.number)", path: "../../index.html"),
      Crumb(cell, path: own),
    ]
  }

  private func crumb(_ crumb: Crumb, isCurrent: Bool) -> TemplateValue {
    .record([
      "label": .shown(crumb.label), "link": isCurrent ? .missing : .optional(crumb.path.map { root + $0 }),
      "isCurrent": .flag(isCurrent), "leadsOut": .flag(false),
    ])
  }

  private var tabs: [TemplateValue] {
    facts.tabs.map { tab in
      .record([
        "label": .text(tab.label),
        "link": .text(root + tab.path),
        "count": isShared ? .missing : .optional(tab.count),
        "isRed": .flag(tab.isRed),
        "isCurrent": .flag(tab.section == section),
      ])
    }
  }
}
