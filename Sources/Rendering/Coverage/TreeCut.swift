import Model

/// Which rows of the tree the page about all files has, and the pages of the targets and directories that have others.
///
/// A tree that is too long for one page keeps the rows of all targets, then those of directories in up to two thirds of
/// what is left, then those of files. What a change touched comes first, then what has the most uncovered lines.
package struct TreeCut: Sendable {
  /// A page holds up to this many bytes of rows: with the functions about 2000 of them, and below 1 MB with all else.
  package static let longestPage = 500_000

  /// A target or a directory that has rows which are not on the page about all files.
  struct Branch: Sendable {
    var node: CoverageTree.Node
    /// The target itself, or the one that the directory belongs to.
    var target: CoverageTree.Node
    /// The children of the node that have their rows on each of its pages.
    var parts: [[CoverageTree.Node]]
    /// The pages, relative to the top of the report.
    var pages: [String]
  }

  /// A file, a directory or a target by its name, and the target that it belongs to.
  private struct Place: Hashable {
    var target: String
    var kind: CoverageTree.Node.Kind
    var path: String?

    init(_ node: CoverageTree.Node, in target: CoverageTree.Node) {
      self.target = target.name
      kind = node.kind
      path = node.path
    }
  }

  /// The directories and files with a row; nil for all of them.
  private let shown: Set<Place>?
  /// In the order of the tree.
  let branches: [Branch]
  private let indices: [Place: Int]

  /// - Parameter longest: how many bytes of rows a page holds.
  init(_ tree: CoverageTree, longest: Int = longestPage) {
    let shown = Self.shown(in: tree, longest: longest)
    var branches: [Branch] = []
    for target in shown == nil ? [] : tree.targets {
      func isCut(_ node: CoverageTree.Node) -> Bool { node.children.contains { !Self.isShown($0, target, shown) } }
      func add(_ node: CoverageTree.Node) {
        let parts = Self.parts(of: node.children, longest: longest)
        branches.append(Branch(node: node, target: target, parts: parts, pages: []))
      }
      if isCut(target) { add(target) }
      // The page of a target has only the names of its directories.
      for entry in target.children where entry.kind == .directory && (isCut(target) || isCut(entry)) { add(entry) }
    }
    Self.name(&branches)
    self.shown = shown
    self.branches = branches
    indices = Dictionary(
      uniqueKeysWithValues: branches.indices.map { (Place(branches[$0].node, in: branches[$0].target), $0) })
  }

  /// Whether a directory or a file has a row on the page about all files.
  func shows(_ node: CoverageTree.Node, in target: CoverageTree.Node) -> Bool { Self.isShown(node, target, shown) }

  /// The page of a target or a directory; nil for one without, all of whose rows are on the page about all files.
  func page(of node: CoverageTree.Node, in target: CoverageTree.Node) -> String? {
    indices[Place(node, in: target)].flatMap { branches[$0].pages.first }
  }

  // MARK: - How it is made

  private static func isShown(
    _ node: CoverageTree.Node, _ target: CoverageTree.Node, _ shown: Set<Place>?
  ) -> Bool {
    shown?.contains(Place(node, in: target)) ?? true
  }

  /// The directories and files that fit; nil for all of them.
  private static func shown(in tree: CoverageTree, longest: Int) -> Set<Place>? {
    let directories = tree.targets.flatMap { target in
      target.children.filter { $0.kind == .directory }.map { Row(node: $0, target: target, holder: target) }
    }
    let files = tree.targets.flatMap { target in
      target.children.flatMap { entry in
        entry.kind == .file
          ? [Row(node: entry, target: target, holder: target)]
          : entry.children.map { Row(node: $0, target: target, holder: entry) }
      }
    }
    let room = longest - tree.targets.reduce(0) { $0 + weight(of: $1) }
    guard (directories + files).reduce(0, { $0 + weight(of: $1.node) }) > room else { return nil }
    var choice = Choice(shown: Set(tree.targets.map { Place($0, in: $0) }))
    let used = choice.take(directories, room: room * 2 / 3)
    _ = choice.take(files, room: room - used)
    return choice.shown
  }

  /// A directory or a file, and what it has its row below.
  private struct Row {
    var node: CoverageTree.Node
    var target: CoverageTree.Node
    var holder: CoverageTree.Node

    func isBefore(_ other: Row) -> Bool {
      if (node.change == nil) != (other.node.change == nil) { return node.change != nil }
      return (other.node.totals.lines.uncovered, node.path ?? "")
        < (node.totals.lines.uncovered, other.node.path ?? "")
    }
  }

  /// The rows that were found room for.
  private struct Choice {
    var shown: Set<Place>
    /// What has rows of files, behind which one more sums up the others.
    private var holders: Set<Place> = []

    init(shown: Set<Place>) {
      self.shown = shown
    }

    /// Takes the first rows, as many as there is room for; says how much of it they need.
    mutating func take(_ rows: [Row], room: Int) -> Int {
      var used = 0
      for row in rows.sorted(by: { $0.isBefore($1) }) {
        let holder = Place(row.holder, in: row.target)
        guard shown.contains(holder) else { continue }
        let opens = row.node.kind == .file && !holders.contains(holder)
        let cost = TreeCut.weight(of: row.node) * (opens ? 2 : 1)
        guard used + cost <= room else { break }
        used += cost
        shown.insert(Place(row.node, in: row.target))
        if opens { holders.insert(holder) }
      }
      return used
    }
  }

  /// About how many bytes a row takes: figures and their picture, a name that may be broken, and a link.
  private static func weight(of node: CoverageTree.Node) -> Int {
    450 + 3 * node.name.utf8.count + (node.path?.utf8.count ?? 0)
  }

  private static func parts(of nodes: [CoverageTree.Node], longest: Int) -> [[CoverageTree.Node]] {
    var parts: [[CoverageTree.Node]] = []
    var size = 0
    for node in nodes {
      size += weight(of: node)
      if parts.isEmpty || size > longest {
        parts.append([])
        size = weight(of: node)
      }
      parts[parts.count - 1].append(node)
    }
    return parts
  }

  /// Names are claimed in the order of the paths, so that they do not change with the figures.
  private static func name(_ branches: inout [Branch]) {
    var names = PageNames(folder: "directories")
    let order = branches.indices.sorted { one, other in
      let (left, right) = (branches[one], branches[other])
      return (left.node.path ?? "", left.target.name, left.node.kind == .target ? 0 : 1)
        < (right.node.path ?? "", right.target.name, right.node.kind == .target ? 0 : 1)
    }
    for index in order {
      let (node, target) = (branches[index].node, branches[index].target)
      let path = node.path.flatMap { $0.isEmpty ? nil : $0 } ?? target.name
      branches[index].pages = branches[index].parts.indices.map { names.claim(path, part: $0 + 1) }
    }
  }
}
