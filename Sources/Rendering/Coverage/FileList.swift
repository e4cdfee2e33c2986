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
  private let rows: FileRows
  /// The indices of the rows in this order.
  private let indices: [Int]

  /// All files in an order.
  init(_ rows: FileRows, by order: Order) {
    self.order = order
    self.rows = rows
    switch order {
    case .name: indices = rows.byName
    case .uncovered: indices = rows.sorted { ($0.lines.uncovered, 1) }
    case .lines: indices = rows.sorted { ($0.lines.total, 1) }
    case .share: indices = rows.sorted { ($0.lines.uncovered, $0.lines.total) }
    case .partly: indices = rows.sorted { ($0.lines.partial, 1) }
    case .functions: indices = rows.sorted { ($0.functions.uncovered, 1) }
    case .regions: indices = rows.sorted { ($0.regions.uncovered, 1) }
    case .branches: indices = rows.sorted { ($0.branches?.uncovered ?? 0, 1) }
    }
  }

  func frame(_ facts: ReportFacts) -> PageFrame {
    PageFrame(
      title: "Files \(order.words)", root: "", section: .coverage,
      trail: [.init("Coverage", path: "coverage.html"), .init("Files \(order.words)")], facts: facts)
  }

  var record: [String: TemplateValue] {
    [
      "heading": .text("\(CountText.counted(indices.count, "file")) \(order.words)"),
      "heads": .list(
        rows.orders.map { other in
          .record([
            "words": .text(other.head), "link": other == order ? .missing : .text(other.path),
            "sorted": other == order ? .text(order == .name ? "ascending" : "descending") : .missing,
          ])
        }),
      "rows": .html(table),
      "more": indices.count > Self.mostFiles
        ? .text("and \(CountText.counted(indices.count - Self.mostFiles, "more file"))") : .missing,
    ]
  }

  /// The rows of the table.
  private var table: SafeHTML {
    var html = SafeHTML()
    for index in indices.prefix(Self.mostFiles) { html.append(rows.html[index]) }
    return html
  }
}
