import Model

extension CoverageTree {
  /// The rows of the tree as view data: one body per target, each row with its figures.
  ///
  /// What has no row of its own is summed up at the end of its directory or target, with a link to the page that has it.
  /// - Parameters:
  ///   - cut: which rows there are.
  ///   - functions: the functions of a file, by path.
  ///   - link: the page of a file, by path.
  func bodies(
    _ cut: TreeCut, functions: (String) -> SafeHTML? = { _ in nil }, link: (String) -> String?
  ) -> TemplateValue {
    .list(
      targets.map { target in
        let page = cut.page(of: target, in: target)
        var rows = [target.row(depth: 0, link: page)]
        for entry in target.children where cut.shows(entry, in: target) {
          guard entry.kind == .directory else {
            rows.append(entry.row(depth: 1, functions: functions, link: link))
            continue
          }
          let files = entry.children.filter { cut.shows($0, in: target) }
          let page = cut.page(of: entry, in: target)
          rows.append(entry.row(depth: 1, link: page, count: files.isEmpty ? entry.children.count : nil))
          rows += files.map { $0.row(depth: 2, functions: functions, link: link) }
          if !files.isEmpty, let rest = Self.rest(entry, cut, target) { rows.append(rest.row(depth: 2, link: page)) }
        }
        if let rest = Self.rest(target, cut, target) { rows.append(rest.row(depth: 1, link: page)) }
        return .record(["rows": .list(rows)])
      })
  }

  /// The sum of what has no row below a target or a directory; nil where everything has one.
  private static func rest(_ node: Node, _ cut: TreeCut, _ target: Node) -> Node? {
    let left = node.children.filter { !cut.shows($0, in: target) }
    guard !left.isEmpty else { return nil }
    let directories = left.count { $0.kind == .directory }
    let counts = [(directories, "directory", "directories"), (left.count - directories, "file", "files")]
    let words = counts.filter { $0.0 > 0 }.map { CountText.counted($0.0, "more \($0.1)", "more \($0.2)") }
    let isCompared = left.contains { $0.before != nil }
    return Node(
      kind: .rest, name: CountText.list(words), totals: left.reduce(CoverageTotals()) { $0 + $1.totals },
      before: isCompared ? left.reduce(CoverageTotals()) { $0 + ($1.before ?? CoverageTotals()) } : nil,
      change: sum(of: left))
  }

  /// The anchor of a target in the tree.
  static func anchor(ofTarget name: String) -> String { "target-\(PageNames.slug(of: name))" }
}

extension CoverageTree.Node {
  /// The row of a file.
  func row(
    depth: Int, functions: (String) -> SafeHTML?, link: (String) -> String?
  ) -> TemplateValue {
    row(depth: depth, link: path.flatMap(link), inside: path.flatMap(functions))
  }

  /// The row of a directory.
  /// - Parameter count: how many files it has, where none of them has a row below it.
  func row(depth: Int, link: String?, count: Int?) -> TemplateValue {
    guard let count else { return row(depth: depth, link: link) }
    var words = SafeHTML(" <small class=faint>")
    words.append(escaping: CountText.counted(count, "file"))
    words.append("</small>")
    return row(depth: depth, link: link, inside: words)
  }

  func row(depth: Int, link: String?, inside: SafeHTML? = nil) -> TemplateValue {
    let lines = totals.lines
    return .record([
      "name": .html(FunctionRows.breakable(name)),
      "inside": inside.map { .html($0) } ?? .missing,
      "link": link.map { .shown($0) } ?? .missing,
      "style": .text(style(depth: depth)),
      "anchor": kind == .target ? .text(CoverageTree.anchor(ofTarget: name)) : .missing,
      "isHead": .flag(kind == .target),
      "isStop": .flag(kind == .file && lines.uncovered > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "sortKey": .number(lines.uncovered),
      "uncoveredDelta": isNew
        ? .record(["text": "new", "tone": ""])
        : Self.change(lines.uncovered, from: before?.lines.uncovered),
      "lines": .text(CountText.plain(lines.total)),
      "linesDelta": Self.change(lines.total, from: before?.lines.total, .neutral),
      "bar": .html(CoverageBar(lines: lines, width: 160).html()),
      "share": .text(CountText.percent(lines.uncovered, of: lines.total) ?? "no code"),
      "inChange": .optional(change?.words),
      "changeKey": change.map { .number($0.sortKey) } ?? .missing,
      "partly": .text(CountText.plain(lines.partial)),
      "partlyDelta": Self.change(lines.partial, from: before?.lines.partial),
      "functions": Self.words(totals.functions),
      "functionsDelta": Self.change(totals.functions.uncovered, from: before?.functions.uncovered),
      "regions": Self.words(totals.regions),
      "regionsDelta": Self.change(totals.regions.uncovered, from: before?.regions.uncovered),
      "branches": Self.words(totals.branches ?? Tally()),
      "branchesDelta": totals.branches.map { Self.change($0.uncovered, from: before?.branches?.uncovered) } ?? .missing,
    ])
  }

  private static func words(_ tally: Tally) -> TemplateValue {
    .text(tally.total == 0 ? "–" : "\(CountText.plain(tally.uncovered)) of \(CountText.plain(tally.total))")
  }

  /// A change against the baseline; among hundreds of rows only what is not as it was is worth a word.
  private static func change(
    _ now: Int, from before: Int?, _ direction: Delta.Direction = .moreIsWorse
  ) -> TemplateValue {
    guard let before, before != now else { return .missing }
    return Delta(now, from: before, direction).record
  }

  /// The classes by which the sheet indents and the filters hide a row.
  private func style(depth: Int) -> String {
    let isWhole = totals.lines.uncovered == 0 && totals.lines.partial == 0
    let whole = (isWhole ? " whole" : "") + (change == nil ? "" : " changed")
    return switch kind {
    case .target: change == nil ? "target" : "target changed"
    case .directory: "dir l1\(whole)"
    case .rest: "dir rest fileish l\(depth)\(whole)"
    case .file: "t fileish l\(depth)\(whole)"
    }
  }
}
