import Model

/// The counted files by target and directory, with what the baseline says about the same places; the worst come first.
struct CoverageTree: Sendable {
  /// A row of the tree.
  struct Node: Sendable {
    enum Kind: Sendable {
      case target, directory, file
      /// Several directories and files.
      case rest
    }

    var kind: Kind
    var name: String
    var totals: CoverageTotals
    /// Nil when the baseline has no coverage, or does not know the place.
    var before: CoverageTotals?
    /// Whether there is a baseline, and it does not know this file.
    var isNew = false
    /// Of a file, or the folder of a directory or a target; nil for what is no single one.
    var path: String?
    /// What this change did here; nil when nothing.
    var change: Change?
    var children: [Node] = []

    /// All files below a target or a directory, in the order of the rows.
    var files: [Node] { children.flatMap { $0.kind == .file ? [$0] : $0.children } }
  }

  let targets: [Node]

  init(_ coverage: Coverage, baseline: Baseline?, changes: CoverageChanges? = nil) {
    let changed = Self.changes(changes)
    let groups = Dictionary(grouping: coverage.files, by: \.target)
    let roots = groups.mapValues { Self.commonFolder(of: $0.map(\.path)) }
    // Where counters are missing, a change says nothing about the code.
    let isComparable = coverage.isComplete && baseline?.totals != nil
    let known = isComparable ? baseline.map(Known.init) : nil
    targets = groups.map { target, files in
      let entries = Self.entries(of: files, in: target, below: roots[target] ?? "", known: known, changed: changed)
      return Node(
        kind: .target, name: target, totals: files.reduce(CoverageTotals()) { $0 + $1.totals },
        before: known?.targets[target], path: roots[target], change: Self.sum(of: entries), children: entries)
    }.sorted(by: Self.isWorse)
  }

  /// All files in the order of the rows.
  var files: [Node] {
    targets.flatMap(\.files)
  }

  var totals: CoverageTotals { targets.reduce(CoverageTotals()) { $0 + $1.totals } }

  /// What this change did in all files.
  var change: Change? { Self.sum(of: targets) }

  // MARK: - How it is made

  private static func entries(
    of files: [FileCoverage], in target: String, below root: String, known: Known?, changed: [String: Change]
  ) -> [Node] {
    let folders = Dictionary(grouping: files) { folder(of: $0.path) }
    return folders.flatMap { folder, files -> [Node] in
      let rows = files.map { file in
        Node(
          kind: .file, name: file.fileName, totals: file.totals, before: known?.files[file.path],
          isNew: known != nil && known?.files[file.path] == nil, path: file.path, change: changed[file.path])
      }.sorted(by: isWorse)
      guard folder != root else { return rows }
      let name = root.isEmpty ? folder : String(folder.dropFirst(root.count + 1))
      return [
        Node(
          kind: .directory, name: "\(name)/", totals: files.reduce(CoverageTotals()) { $0 + $1.totals },
          before: known?.folders[target]?[folder], path: folder, change: Self.sum(of: rows), children: rows)
      ]
    }.sorted(by: isWorse)
  }

  /// What this change did in some rows together; nil when nothing.
  static func sum(of nodes: [Node]) -> Change? {
    let changes = nodes.compactMap(\.change)
    return changes.isEmpty ? nil : changes.reduce(Change()) { $0 + $1 }
  }

  /// What the baseline counted, by file, by target, and by the folders of each target, as its files belonged then.
  private struct Known {
    var files: [String: CoverageTotals]
    var folders: [String: [String: CoverageTotals]] = [:]
    var targets: [String: CoverageTotals] = [:]

    init(_ baseline: Baseline) {
      files = baseline.files
      for (path, totals) in files {
        guard let target = baseline.targets[path] else { continue }
        let folder = CoverageTree.folder(of: path)
        folders[target, default: [:]][folder, default: CoverageTotals()] += totals
        targets[target, default: CoverageTotals()] += totals
      }
    }
  }

  /// The order of rows: most uncovered lines first, then most partly ran ones, then by name.
  private static func isWorse(_ one: Node, _ other: Node) -> Bool {
    let (left, right) = (one.totals.lines, other.totals.lines)
    return (right.uncovered, right.partial, one.name) < (left.uncovered, left.partial, other.name)
  }

  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The folder that holds all of some paths, directly or further below.
  private static func commonFolder(of paths: [String]) -> String {
    guard let first = paths.first else { return "" }
    var common = Array(folder(of: first).utf8)
    for path in paths {
      let path = path.utf8
      var shared = zip(common, path).prefix { $0 == $1 }.count
      // Only whole names are shared.
      if shared < common.count || path.dropFirst(shared).first != UInt8(ascii: "/") {
        shared = common[..<shared].lastIndex(of: UInt8(ascii: "/")) ?? 0
      }
      common.removeSubrange(shared...)
    }
    return String(decoding: common, as: UTF8.self)
  }
}
