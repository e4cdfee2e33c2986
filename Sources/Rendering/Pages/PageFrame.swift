/// The frame that all pages share: title, breadcrumb, and for those of a report tabs and footer.
struct PageFrame {
  /// A tab of a report.
  enum Section {
    case summary, tests, coverage, issues, logs, comparison
  }

  /// One step of the path to the page.
  struct Crumb {
    var label: String
    /// Relative to the top of the report; nil for the page itself.
    var path: String?
    /// Whether a narrow screen shows it although it lies between the report and the page, as no tab has it.
    var isKept = false

    init(_ label: String, path: String? = nil, isKept: Bool = false) {
      self.label = label
      self.path = path
      self.isKept = isKept
    }

    /// Returns the same for a page in a folder.
    fileprivate func moved(below root: String) -> Crumb {
      Crumb(label, path: path.map { root + $0 }, isKept: isKept)
    }
  }

  private let title: String
  private let root: String
  /// From the top to the page, with paths relative to the page.
  private let crumbs: [Crumb]
  /// The path to the top of the site, or of a comparison in a folder of its own.
  private let top: String
  private let turn: String?
  /// Where these words lead to; nil if they are no link.
  private let turnLink: String?
  /// Of when a page of the site is, in words and for machines; nil if that is not known.
  private let asOf: (words: String, machine: String)?
  private let section: Section?
  /// Nil for a page of the site.
  private let facts: ReportFacts?
  private let isShared: Bool
  private let tabs: [ReportFacts.Tab]

  /// Creates the frame of a page of a report.
  ///
  /// - Parameters:
  ///   - root: the path from the page's folder to the top of the report: empty, `../` and so on.
  ///   - trail: the breadcrumb after the integration; the last crumb is the page itself.
  ///   - isShared: whether to leave out what differs between integrations, so that a page with the same contents has
  ///     the same bytes in both; the page gets it from the `FactSheet`.
  ///   - tabs: the tabs, if they are not those of all pages.
  init(
    title: String, root: String, section: Section?, trail: [Crumb] = [], facts: ReportFacts, isShared: Bool = false,
    tabs: [ReportFacts.Tab]? = nil
  ) {
    self.tabs = tabs ?? facts.tabs
    self.title = title
    self.root = root
    top = root + (facts.pathToSite ?? "")
    crumbs = (facts.beginning + trail).map { $0.moved(below: root) }
    turn = isShared ? nil : facts.comparison
    turnLink = facts.comparedPage.map { root + $0 }
    asOf = nil
    self.section = section
    self.facts = facts
    self.isShared = isShared
  }

  /// Creates the frame of a page of the site.
  ///
  /// - Parameters:
  ///   - root: the path to the folder of the style sheet.
  ///   - top: the path to the site's top; nil if it is the same.
  ///   - trail: the breadcrumb; the bot of a page in its folder is one level below the top.
  init(title: String, root: String, top: String? = nil, trail: [String], asOf: (words: String, machine: String)?) {
    self.title = title
    self.root = root
    let top = top ?? root
    self.top = top
    crumbs = trail.enumerated().map { Crumb($1, path: $0 == 0 ? "\(top.dropFirst(3))index.html" : nil) }
    (turn, turnLink) = (nil, nil)
    self.asOf = asOf
    section = nil
    tabs = []
    facts = nil
    isShared = false
  }

  /// Whether the site is around the page's folder, and missing around a copy of it: a report's, and the pages beside it that
  /// lead to its neighbours.
  private var leadsOut: Bool { facts.map { $0.top == nil } ?? (top != root) }

  /// Returns the page's own values, with the common ones added under the name `page`.
  func record(with content: [String: TemplateValue]) -> [String: TemplateValue] {
    var record = content
    let footer = facts?.footer ?? []
    record["page"] = .record([
      "title": .shown(title), "root": .text(root), "top": .text(top),
      "isInSite": .flag(leadsOut),
      "isReport": .flag(facts.map { $0.top == nil && $0.cell == nil } ?? false),
      "crumbs": .list(
        crumbs.enumerated().map { index, crumb in
          let isCurrent = index == crumbs.count - 1
          return .record([
            "label": isShared && index == 1 && facts?.top == nil ? .missing : .shown(crumb.label),
            "link": isCurrent ? .missing : .optional(crumb.path),
            "isCurrent": .flag(isCurrent), "isKept": .flag(crumb.isKept), "leadsOut": .flag(leadsOut && index == 0),
          ])
        }),
      "turn": .shown(ifAny: turn), "turnLink": .optional(turnLink),
      "asOf": asOf.map { date in
        // A watcher writes the pages at the top of the site even without news, so that their age tells whether it runs.
        .record([
          "words": .text(date.words), "machineDate": .text(date.machine), "isKeptUp": .flag(root.isEmpty),
        ])
      } ?? .missing,
      "tabs": .list(tabs.map(record(of:))),
      "footer": .list(isShared ? [] : footer.map { .shown($0) }),
      "facts": .list(isShared ? footer.indices.map { .text("fact-\($0 + 1)") } : []),
    ])
    return record
  }

  private func record(of tab: ReportFacts.Tab) -> TemplateValue {
    .record([
      "label": .text(tab.label),
      "link": .text(root + tab.path),
      "count": isShared ? .missing : .optional(tab.count),
      "isRed": .flag(tab.isRed), "isAmber": .flag(tab.isAmber),
      "isCurrent": .flag(tab.section == section),
    ])
  }
}

/// A page in its frame.
protocol Page: Sendable {
  static var template: String { get }
  var frame: PageFrame { get }
  var record: [String: TemplateValue] { get }
}

extension TemplateLibrary {
  func render(_ page: some Page) throws(TemplateError) -> [UInt8] {
    try render(type(of: page).template, in: page.frame, page.record)
  }

  func render(
    _ template: String, in frame: PageFrame, _ record: [String: TemplateValue]
  ) throws(TemplateError) -> [UInt8] {
    try render(template, .record(frame.record(with: record)))
  }
}
