import Model

/// All counted files in one order, each order on a page of its own, so that sorting needs no script.
struct FileList {
  enum Order: String, CaseIterable {
    /// In column order.
    case name, uncovered, lines, share, partly, functions, regions, branches

    /// Returns the orders for which there are figures.
    static func shown(for totals: CoverageTotals) -> [Order] {
      totals.branches == nil ? allCases.filter { $0 != .branches } : allCases
    }

    var path: String { "files-by-\(rawValue).html" }

    /// The template's key for the address of the list.
    var key: String { "by\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }

    var words: String {
      switch self {
      case .name: "by name"
      case .uncovered: "by uncovered lines"
      case .lines: "by lines"
      case .share: "by uncovered share"
      case .partly: "by lines that partly ran"
      case .functions: "by functions never called"
      case .regions: "by regions that never ran"
      case .branches: "by branches never taken"
      }
    }

    /// The heading of the column by which the files are sorted.
    var head: String {
      switch self {
      case .name: "File"
      case .uncovered: "Uncovered"
      case .lines: "Lines"
      case .share: "Uncovered %"
      case .partly: "Partly ran"
      case .functions: "Functions never called"
      case .regions: "Regions never ran"
      case .branches: "Branches never taken"
      }
    }
  }

  /// The maximum bytes of rows on a page: about 2500 files.
  static let longestPage = 900_000

  private let order: Order
  private let rows: FileRows
  /// The indices of the rows in this order.
  private let indices: [Int]
  /// The number of rows on the page.
  private let shownCount: Int

  /// Whether it has all files.
  var isWhole: Bool { shownCount == indices.count }

  /// Takes the files in an order, as many as fit on the page.
  init(_ rows: FileRows, by order: Order, longest: Int = longestPage) {
    self.order = order
    self.rows = rows
    let indices = Self.indices(rows, by: order)
    self.indices = indices
    var room = longest
    shownCount =
      indices.firstIndex { index in
        room -= rows.html[index].bytes.count
        return room < 0
      } ?? indices.count
  }

  private static func indices(_ rows: FileRows, by order: Order) -> [Int] {
    switch order {
    case .name: rows.byName
    case .uncovered: rows.sorted { ($0.lines.uncovered, 1) }
    case .lines: rows.sorted { ($0.lines.total, 1) }
    case .share: rows.sorted { ($0.lines.uncovered, $0.lines.total) }
    case .partly: rows.sorted { ($0.lines.partial, 1) }
    case .functions: rows.sorted { ($0.functions.uncovered, 1) }
    case .regions: rows.sorted { ($0.regions.uncovered, 1) }
    case .branches: rows.sorted { ($0.branches?.uncovered ?? 0, 1) }
    }
  }

  func frame(_ facts: ReportFacts) -> PageFrame {
    PageFrame(
      title: "\(facts.bot) \(facts.number): files \(order.words)", root: "", section: .coverage,
      trail: [.init("Coverage", path: "coverage.html"), .init("Files \(order.words)")], facts: facts)
  }

  var record: [String: TemplateValue] {
    [
      "heading": .text("\(CountText.counted(indices.count, "file")) \(order.words)"),
      "total": .text(
        "\(CountText.plain(rows.lines.uncovered)) of \(CountText.counted(rows.lines.total, "line")) never ran"),
      "heads": .list(
        rows.orders.map { other in
          .record([
            "words": .text(other.head), "link": other == order ? .missing : .text(other.path),
            "sorted": other == order ? .text(order == .name ? "ascending" : "descending") : .missing,
          ])
        }),
      "hasChanges": .flag(rows.hasChanges), "hasFolders": false, "opensFolders": false,
      "choices": rows.choices, "rows": .html(table),
      "more": isWhole ? .missing : .text("and \(CountText.counted(indices.count - shownCount, "more file"))"),
    ]
  }

  private var table: SafeHTML {
    var html = SafeHTML()
    for index in indices.prefix(shownCount) { html.append(rows.html[index]) }
    return html
  }
}
