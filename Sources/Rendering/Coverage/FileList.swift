import Model

/// All counted files in one order, on a page of its own, so that sorting needs no script.
struct FileList {
  enum Order: String, CaseIterable {
    /// In the order of the columns.
    case name, uncovered, lines, share, partly, functions, regions, branches

    /// Those that there is something to order by.
    static func shown(for totals: CoverageTotals) -> [Order] {
      totals.branches == nil ? allCases.filter { $0 != .branches } : allCases
    }

    var path: String { "files-by-\(rawValue).html" }

    /// What the template of the tree calls the address of the list.
    var key: String { "by\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }

    var words: String {
      switch self {
      case .name: "by name"
      case .uncovered: "by uncovered lines"
      case .lines: "by lines"
      case .share: "by uncovered share"
      case .partly: "by lines that ran partly"
      case .functions: "by functions never called"
      case .regions: "by regions that never ran"
      case .branches: "by branches never taken"
      }
    }

    /// What the column is called that the files are sorted by.
    var head: String {
      switch self {
      case .name: "File"
      case .uncovered: "Uncovered"
      case .lines: "Lines"
      case .share: "Uncovered share"
      case .partly: "Partly ran"
      case .functions: "Functions never called"
      case .regions: "Regions never ran"
      case .branches: "Branches never taken"
      }
    }
  }

  /// A page with more files than this would be slow to open.
  private static let mostFiles = 4000

  private let order: Order
  private let orders: [Order]
  private let files: [CoverageTree.Node]
  private let names: ShortPaths
  private let link: (String) -> String?

  /// - Parameters:
  ///   - names: what the files are called.
  ///   - link: the page of a file, by path.
  init(_ tree: CoverageTree, by order: Order, names: ShortPaths, link: @escaping (String) -> String?) {
    self.order = order
    self.names = names
    self.link = link
    let files = tree.files
    orders = Order.shown(for: tree.totals)
    switch order {
    case .name: self.files = files.sorted { ($0.name, $0.path ?? "") < ($1.name, $1.path ?? "") }
    case .uncovered: self.files = Self.sorted(files) { ($0.totals.lines.uncovered, 1) }
    case .lines: self.files = Self.sorted(files) { ($0.totals.lines.total, 1) }
    case .share: self.files = Self.sorted(files) { ($0.totals.lines.uncovered, $0.totals.lines.total) }
    case .partly: self.files = Self.sorted(files) { ($0.totals.lines.partial, 1) }
    case .functions: self.files = Self.sorted(files) { ($0.totals.functions.uncovered, 1) }
    case .regions: self.files = Self.sorted(files) { ($0.totals.regions.uncovered, 1) }
    case .branches: self.files = Self.sorted(files) { ($0.totals.branches?.uncovered ?? 0, 1) }
    }
  }

  /// Largest quotient first; equal ones keep their order, which is that of the tree.
  private static func sorted(
    _ files: [CoverageTree.Node], by quotient: (CoverageTree.Node) -> (Int, Int)
  ) -> [CoverageTree.Node] {
    let keys = files.map { file in
      let (part, whole) = quotient(file)
      return Double(part) / Double(max(whole, 1))
    }
    return keys.indices.sorted { (keys[$1], $0) < (keys[$0], $1) }.map { files[$0] }
  }

  func frame(_ facts: ReportFacts) -> PageFrame {
    PageFrame(
      title: "Files \(order.words)", root: "", section: .coverage,
      trail: [.init("Coverage", path: "coverage.html"), .init("Files \(order.words)")], facts: facts)
  }

  var record: [String: TemplateValue] {
    [
      "heading": .text("\(CountText.counted(files.count, "file")) \(order.words)"),
      "heads": .list(
        orders.map { other in
          .record([
            "words": .text(other.head), "link": other == order ? .missing : .text(other.path),
            "sorted": other == order ? .text(order == .name ? "ascending" : "descending") : .missing,
          ])
        }),
      "rows": .html(rows),
      "more": files.count > Self.mostFiles
        ? .text("and \(CountText.counted(files.count - Self.mostFiles, "more file"))") : .missing,
    ]
  }

  /// The rows of the table, written as bytes because there can be thousands.
  private var rows: SafeHTML {
    var html = SafeHTML()
    for file in files.prefix(Self.mostFiles) {
      let lines = file.totals.lines
      html.append("<tr><th scope=row>")
      let name = VisibleText.of(file.path.map { names[$0] } ?? file.name)
      if let link = file.path.flatMap(link) {
        html.append("<a href=\"")
        html.append(escaping: link)
        html.append("\">")
        html.append(escaping: name)
        html.append("</a>")
      } else {
        html.append(escaping: name)
      }
      var cells = [
        CountText.plain(lines.uncovered), CountText.plain(lines.total),
        CountText.percent(lines.uncovered, of: lines.total) ?? "no code", CountText.plain(lines.partial),
        Self.words(file.totals.functions), Self.words(file.totals.regions),
      ]
      if orders.contains(.branches) { cells.append(Self.words(file.totals.branches ?? Tally())) }
      for (index, cell) in cells.enumerated() {
        html.append("<td>")
        html.append(escaping: cell)
        if index == 0 { Self.appendChange(of: file, to: &html) }
      }
      html.append("\n")
    }
    return html
  }

  /// How many more lines are uncovered than in the baseline; nothing where there are as many.
  private static func appendChange(of file: CoverageTree.Node, to html: inout SafeHTML) {
    let uncovered = file.totals.lines.uncovered
    if file.isNew {
      html.append(" <span class=d>new</span>")
    } else if let before = file.before?.lines.uncovered, before != uncovered {
      html.append(uncovered > before ? " <span class=\"d worse\">" : " <span class=\"d better\">")
      html.append(escaping: CountText.signed(uncovered - before))
      html.append("</span>")
    }
  }

  private static func words(_ tally: Tally) -> String {
    tally.total == 0 ? "–" : "\(CountText.plain(tally.uncovered)) of \(CountText.plain(tally.total))"
  }
}
