import Model

/// The rows of all counted files in the lists of files, each rendered once for all orders.
struct FileRows {
  /// In tree order.
  private let files: [CoverageTree.Node]
  /// The row of each file.
  let html: [SafeHTML]
  let orders: [FileList.Order]
  /// Those of all files.
  let lines: LineTally
  let choices: TemplateValue
  /// Whether it is known which lines of a file changed.
  let hasChanges: Bool

  /// - Parameter link: the page of a file, by path.
  init(_ tree: CoverageTree, link: (String) -> String?) {
    (files, lines) = (tree.files, tree.totals.lines)
    choices = files.choices
    let orders = FileList.Order.shown(for: tree.totals)
    self.orders = orders
    let hasChanges = tree.change != nil
    self.hasChanges = hasChanges
    html = files.map { file in
      var row = Self.row(of: file, link: file.path.flatMap(link), hasBranches: orders.contains(.branches))
      if hasChanges { Self.appendChangedLines(of: file, to: &row) }
      row.append("\n")
      return row
    }
  }

  /// The indices of the rows by file name.
  var byName: [Int] {
    let keys = files.map { (NameOrder($0.name), NameOrder($0.path ?? "")) }
    return keys.indices.sorted { keys[$0] < keys[$1] }
  }

  /// Returns the indices of the rows, largest quotient first, equal ones by path.
  func sorted(by quotient: (CoverageTotals) -> (part: Int, whole: Int)) -> [Int] {
    let keys = files.map { file in
      let (part, whole) = quotient(file.totals)
      return (Double(part) / Double(max(whole, 1)), NameOrder(file.path ?? file.name))
    }
    return keys.indices.sorted { (keys[$1].0, keys[$0].1) < (keys[$0].0, keys[$1].1) }
  }

  private static func row(of file: CoverageTree.Node, link: String?, hasBranches: Bool) -> SafeHTML {
    let lines = file.totals.lines
    let name = VisibleText.of(file.name)
    let classes = [file.isWhole ? "whole" : nil, file.change == nil ? nil : "changed"].compactMap(\.self)
    var html = SafeHTML("<tr")
    if !classes.isEmpty {
      html.append(" class=\"")
      html.append(escaping: classes.joined(separator: " "))
      html.append("\"")
    }
    html.append("><th scope=row>")
    if let link { html.append(linkTo: link) }
    html.append(escaping: name)
    if link != nil { html.append("</a>") }
    if let folder = file.path.flatMap(SourceLocation.folder(of:)) {
      html.append(" <span class=faint>")
      html.append(.name(folder))
      html.append("</span>")
    }
    var cells: [(words: String, count: CoverageTree.Node.Count?)] = [
      (CountText.plain(lines.uncovered), .uncovered), (CountText.plain(lines.total), .lines),
      (CountText.percent(lines.uncovered, of: lines.total) ?? "no code", nil),
      (CountText.plain(lines.partial), .partly),
      (CoverageWords.uncovered(file.totals.functions), .functions),
      (CoverageWords.uncovered(file.totals.regions), .regions),
    ]
    if hasBranches { cells.append((CoverageWords.uncovered(file.totals.branches ?? Tally()), .branches)) }
    for cell in cells {
      html.append("<td>")
      if cell.count == nil, lines.total > 0 { html.append(CoverageBar(lines: lines, width: 80).html()) }
      html.append(escaping: cell.words)
      if let count = cell.count { appendChange(in: count, of: file, to: &html) }
    }
    return html
  }

  /// Appends how many of its changed lines never ran, as the tree has it.
  private static func appendChangedLines(of file: CoverageTree.Node, to html: inout SafeHTML) {
    html.append("<td data-l=\"this change\">")
    guard let words = file.change?.words else { return html.append("<span class=faint>–</span>") }
    html.append(escaping: words)
  }

  /// Appends the change of a count against the baseline, as the tree has it; nothing if there is none.
  private static func appendChange(
    in count: CoverageTree.Node.Count, of file: CoverageTree.Node, to html: inout SafeHTML
  ) {
    if file.isNew, count == .uncovered {
      html.append(" <span class=d>new</span>")
    } else if let delta = file.delta(of: count) {
      html.append(" <span class=\"d ")
      html.append(escaping: delta.tone)
      html.append("\">")
      html.append(escaping: delta.text)
      html.append("</span>")
    }
  }
}

extension [CoverageTree.Node] {
  /// How many of these files each choice above a table of them leaves in it.
  var choices: TemplateValue {
    .record([
      "all": .text(CountText.plain(count)), "gaps": .text(CountText.plain(self.count { !$0.isWhole })),
      "changed": .text(CountText.plain(self.count { $0.change != nil })),
    ])
  }
}
