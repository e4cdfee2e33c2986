import Model

/// The choice of rows for the page about all files, and the pages of the targets and directories with further rows.
///
/// A tree that is too long for one page keeps the rows of all targets, then directories in up to two thirds of the
/// remaining space, then files that did not run whole. Rows that a change touched come first, then those with the most
/// uncovered lines.
package struct TreeCut: Sendable {
  /// The maximum bytes of rows on a page: about 2000 rows with their functions, and below 1 MB in all.
  package static let longestPage = 500_000

  /// A target or a directory with rows that are not on the page about all files.
  struct Branch: Sendable {
    var node: CoverageTree.Node
    /// The target itself, or the target of the directory.
    var target: CoverageTree.Node
    /// The node's children, by the page that has their rows.
    var parts: [[CoverageTree.Node]]
    /// The pages, relative to the top of the report.
    var pages: [String]
  }

  /// A file, a directory or a target by path, and its target.
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

  /// The directories and files with a row; nil for all.
  private let shown: Set<Place>?
  /// In tree order.
  let branches: [Branch]
  private let indices: [Place: Int]
  /// The directories with pages, by the files in them.
  private let directories: [String: Directory]

  /// A directory with a page.
  struct Directory: Sendable {
    var name: String
    var page: String
  }

  /// - Parameter longest: the maximum bytes of rows on a page.
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
      // The page of a target lists its directories without their files.
      for entry in target.children where entry.kind == .directory && (isCut(target) || isCut(entry)) { add(entry) }
    }
    Self.name(&branches)
    self.shown = shown
    self.branches = branches
    indices = Dictionary(
      uniqueKeysWithValues: branches.indices.map { (Place(branches[$0].node, in: branches[$0].target), $0) })
    directories = Self.directories(branches)
  }

  private static func directories(_ branches: [Branch]) -> [String: Directory] {
    var directories: [String: Directory] = [:]
    for branch in branches where branch.node.kind == .directory {
      for (part, page) in zip(branch.parts, branch.pages) {
        let directory = Directory(name: branch.node.plainName, page: page)
        for file in part { if let path = file.path { directories[path] = directory } }
      }
    }
    return directories
  }

  /// Returns the directory that a file is in, with the page that has its row; nil if it has no page.
  func directory(ofFile path: String) -> Directory? { directories[path] }

  /// Returns whether a directory or a file has a row on the page about all files.
  func shows(_ node: CoverageTree.Node, in target: CoverageTree.Node) -> Bool { Self.isShown(node, target, shown) }

  /// Returns the page of a target or a directory; nil if all of its rows are on the page about all files.
  func page(of node: CoverageTree.Node, in target: CoverageTree.Node) -> String? {
    indices[Place(node, in: target)].flatMap { branches[$0].pages.first }
  }

  private static func isShown(
    _ node: CoverageTree.Node, _ target: CoverageTree.Node, _ shown: Set<Place>?
  ) -> Bool {
    shown?.contains(Place(node, in: target)) ?? true
  }

  /// Returns the directories and files that fit; nil for all.
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
    _ = choice.take(files.filter { $0.node.change != nil || !$0.node.isWhole }, room: room - used)
    return choice.shown
  }

  /// A directory or a file, and the node below which its row is placed.
  private struct Row {
    var node: CoverageTree.Node
    var target: CoverageTree.Node
    var holder: CoverageTree.Node

    func isBefore(_ other: Row) -> Bool {
      if (node.change == nil) != (other.node.change == nil) { return node.change != nil }
      return (other.node.totals.lines.uncovered, NameOrder(node.path ?? ""))
        < (node.totals.lines.uncovered, NameOrder(other.node.path ?? ""))
    }
  }

  /// The rows that fit.
  private struct Choice {
    var shown: Set<Place>
    /// The nodes with rows of files, each of which may need one more row for the sum of the rest.
    private var holders: Set<Place> = []

    init(shown: Set<Place>) {
      self.shown = shown
    }

    /// Takes the first rows that fit, and returns the bytes that they need.
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

  /// Returns the approximate bytes of a row: figures and their picture, a breakable name, and a link.
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

  /// Names are claimed in path order, so that they do not depend on the figures.
  private static func name(_ branches: inout [Branch]) {
    var names = PageNames(folder: .directories)
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
