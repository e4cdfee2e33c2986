/// The table of targets in `CONTRIBUTING.md`: which target may import which.
struct TargetTable {
  static let file = GuideRules.file

  /// What a target may import.
  enum Permission: Equatable {
    case only(Set<String>)
    /// The table says so in words, such as `any`.
    case any
  }

  private(set) var permissions: [String: Permission] = [:]
  /// The lines of the table that name each target, from 1.
  private(set) var lines: [String: Int] = [:]

  /// Reads the first table with the columns `target`, `one line` and `may import`; targets are set in code style.
  init(_ text: String) {
    var isInside = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
      if cells == ["target", "oneline", "mayimport"] {
        isInside = true
      } else if isInside, line.first != "|" {
        return
      } else if isInside, let names = cells.first.map(Self.names), cells.count == 3, let last = cells.last {
        let allowed = Self.names(in: last)
        for name in names {
          permissions[name] = allowed.isEmpty && last != "–" ? .any : .only(Set(allowed))
          lines[name] = number + 1
        }
      }
    }
  }

  /// The words between grave accents.
  private static func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }

  func allows(_ target: String, toImport module: String) -> Bool {
    switch permissions[target] {
    case .only(let modules): modules.contains(module)
    case .any: permissions[module] != nil
    case nil: false
    }
  }
}
