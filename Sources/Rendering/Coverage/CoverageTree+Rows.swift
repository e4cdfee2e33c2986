import Model

extension CoverageTree {
  /// The rows of the tree as view data: one body per target, each row with its figures.
  /// - Parameter link: the page of a file, by path.
  func bodies(link: (String) -> String?) -> TemplateValue {
    .list(
      targets.map { target in
        var rows = [target.row(depth: 0, link: nil)]
        for entry in target.children {
          rows.append(entry.row(depth: 1, link: entry.path.flatMap(link)))
          rows += entry.children.map { $0.row(depth: 2, link: $0.path.flatMap(link)) }
        }
        return .record(["rows": .list(rows)])
      })
  }

  /// The anchor of a target in the tree.
  static func anchor(ofTarget name: String) -> String { "target-\(PageNames.slug(of: name))" }
}

extension CoverageTree.Node {
  func row(depth: Int, link: String?) -> TemplateValue {
    let lines = totals.lines
    let functions = totals.functions
    return .record([
      "name": .html(FunctionRows.breakable(name)),
      "link": link.map { .shown($0) } ?? .missing,
      "style": .text(style(depth: depth)),
      "anchor": kind == .target ? .text(CoverageTree.anchor(ofTarget: name)) : .missing,
      "isHead": .flag(kind == .target),
      "isStop": .flag(kind == .file && lines.uncovered > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "sortKey": .number(lines.uncovered),
      "uncoveredDelta": before.map { Delta(lines.uncovered, from: $0.lines.uncovered, .moreIsWorse) }.record,
      "lines": .text(CountText.plain(lines.total)),
      "linesDelta": before.map { Delta(lines.total, from: $0.lines.total, .neutral) }.record,
      "bar": .html(CoverageBar(lines: lines, width: 160).html()),
      "share": .text(CountText.percent(lines.uncovered, of: lines.total) ?? "no code"),
      "partly": .text(CountText.plain(lines.partial)),
      "partlyDelta": before.map { Delta(lines.partial, from: $0.lines.partial, .moreIsWorse) }.record,
      "functions": functions.total == 0
        ? .text("–") : .text("\(CountText.plain(functions.uncovered)) of \(CountText.plain(functions.total))"),
    ])
  }

  /// The classes by which the sheet indents and the filters hide a row.
  private func style(depth: Int) -> String {
    let isWhole = totals.lines.uncovered == 0 && totals.lines.partial == 0
    let whole = isWhole ? " whole" : ""
    return switch kind {
    case .target: "target"
    case .directory: "dir l1\(whole)"
    case .file: "t fileish l\(depth)\(whole)"
    }
  }
}
