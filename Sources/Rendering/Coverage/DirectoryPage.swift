import Model

/// The page of a directory or a target, or a part of it, with rows that are not on the page about all files.
struct DirectoryPage {
  /// The index of the directory or target among those that have pages.
  let index: Int
  /// The index of this page among those of the branch, from 0.
  let part: Int
  /// The choice of rows, which determines the directories that have pages.
  let cut: TreeCut
  let report: SharedIntegration
  /// The address of a file or of one of its lines, relative to the top of the report.
  let link: (String, Int?) -> String?

  private var branch: TreeCut.Branch { cut.branches[index] }
  private var node: CoverageTree.Node { branch.node }
  private var isTarget: Bool { node.kind == .target }

  func frame(_ facts: ReportFacts) -> PageFrame {
    let target = PageFrame.Crumb(
      branch.target.name, path: "\(facts.coveragePage)#\(CoverageTree.anchor(ofTarget: branch.target.name))")
    let trail = [.init("Coverage", path: facts.coveragePage)] + (isTarget ? [] : [target]) + [.init(node.plainName)]
    return PageFrame(
      title: "\(facts.bot): \(heading)", root: "../", section: .coverage, trail: trail, facts: facts,
      isShared: true)
  }

  var record: [String: TemplateValue] {
    let lines = node.totals.lines
    return [
      "heading": .text(heading),
      "glyph": .text(CoverageWords.glyph(of: lines)),
      "symbol": .text(CoverageWords.symbol(of: lines)),
      "incomplete": .shown(ifAny: report.incompleteReason),
      "files": .text(CountText.counted(node.files.count, "file")),
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "patchFigure": .optional(
        node.change.flatMap { $0.patch.uncovered > 0 ? CoverageWords.changed($0.patch) : nil }),
      "isNew": .flag(isNew),
      "path": .shown(ifAny: node.path.flatMap { $0.isEmpty ? nil : $0 }),
      "contents": .text(node.children.contains { $0.kind == .directory } ? "Directories and files" : "Files"),
      "hasBranches": .flag(report.coverage?.totals.branches != nil),
      "hasChanges": .flag(node.change != nil),
      "hasFolders": .missing, "opensFolders": .missing, "choices": node.files.choices,
      "rows": .list(rows),
      "total": total,
      "pager": Pager.record(branch.pages.map { "../\($0)" }, current: part, of: "the files"),
      "previous": neighbour(index - 1), "next": neighbour(index + 1),
    ].merging(FileList.Order.allCases.map { ($0.key, .missing) }) { value, _ in value }
  }

  private var heading: String {
    let phrase = CoverageWords.phrase(
      node.totals.lines, isComplete: report.isComplete, lost: node.change?.lost ?? 0)
    return "\(VisibleText.of(node.plainName)): \(phrase)"
  }

  /// Returns a link to another directory or target; missing if there is none.
  private func neighbour(_ index: Int) -> TemplateValue {
    guard cut.branches.indices.contains(index), let page = cut.branches[index].pages.first else { return .missing }
    return .record([
      "name": .shown(cut.branches[index].node.plainName), "address": .text("../\(page)"),
    ])
  }

  /// Whether the baseline knows no file of it, which is then said once.
  private var isNew: Bool { node.files.allSatisfy(\.isNew) }

  private var total: TemplateValue {
    var whole = node
    whole.kind = .target
    whole.name = "All of \(node.name)"
    return whole.row(depth: 0, link: nil)
  }

  /// The files and directories of this part; a directory's files are on its own page.
  private var rows: [TemplateValue] {
    let paths = Set(branch.parts[part].lazy.filter { $0.kind == .file }.compactMap(\.path))
    let files = (report.coverage?.files ?? []).filter { paths.contains($0.path) }
    let functions = FunctionLists(files, changes: report.integration.changes) {
      link($0, $1).map { "../\($0)" }
    }
    return branch.parts[part].map { entry in
      var entry = entry
      if isNew { entry.isNew = false }
      guard entry.kind == .file else {
        let page = cut.page(of: entry, in: branch.target).map { "../\($0)" }
        return entry.row(depth: 1, link: page, count: CoverageTree.count(entry.children))
      }
      return entry.row(
        depth: 1, functions: { functions.html(of: $0) }, link: { link($0, nil).map { "../\($0)" } })
    }
  }
}
