import Model

/// The counted files by target and directory, worst first, with the baseline's figures for the same places.
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
    /// Nil if the baseline has no coverage, or does not know the place.
    var before: CoverageTotals?
    /// Whether there is a baseline that does not know this file.
    var isNew = false
    /// The path of a file, or the folder of a directory or a target; nil for several.
    var path: String?
    /// The effect of this change here; nil if there is none.
    var change: Change?
    /// The lost and gained lines that run by chance.
    var byChance = CategoryCounts()
    var children: [Node] = []

    /// The name without the slash of a directory.
    var plainName: String { name.hasSuffix("/") ? String(name.dropLast()) : name }

    /// Whether all of its lines ran, none of them only partly.
    var isWhole: Bool { totals.lines.uncovered == 0 && totals.lines.partial == 0 }

    var rank: Rank { Rank(lines: totals.lines, isInChange: change != nil, name: name) }

    /// All files in it, in row order.
    var files: [Node] { children.flatMap { $0.kind == .file ? [$0] : $0.children } }
  }

  let targets: [Node]

  init(_ coverage: Coverage, baseline: Baseline?, changes: CoverageChanges? = nil) {
    let changed = Self.changes(changes)
    let comparison = changes?.comparison.value
    let groups = Dictionary(grouping: coverage.files, by: \.target)
    let roots = groups.mapValues { Self.commonFolder(of: $0.map(\.path)) }
    // If counters or tests are missing, a change says nothing about the code.
    let isComparable = coverage.isWhole && baseline?.totals != nil
    let known = isComparable ? baseline.map(Known.init) : nil
    targets = groups.map { target, files in
      let entries = Self.entries(
        of: files, in: target, below: roots[target] ?? "", known: known, changed: changed, comparison)
      return Node(
        kind: .target, name: target, totals: files.reduce(CoverageTotals()) { $0 + $1.totals },
        before: known?.targets[target], path: roots[target], change: Self.sum(of: entries),
        byChance: Self.byChance(entries), children: entries)
    }.sorted { $0.rank < $1.rank }
  }

  /// All files in row order.
  var files: [Node] {
    targets.flatMap(\.files)
  }

  var totals: CoverageTotals { targets.reduce(CoverageTotals()) { $0 + $1.totals } }

  /// The effect of this change on all files.
  var change: Change? { Self.sum(of: targets) }

  private static func entries(
    of files: [FileCoverage], in target: String, below root: String, known: Known?, changed: [String: Change],
    _ comparison: CoverageComparison?
  ) -> [Node] {
    let folders = Dictionary(grouping: files) { SourceLocation.folder(of: $0.path) ?? "" }
    return folders.flatMap { folder, files -> [Node] in
      let rows = files.map { file in
        Node(
          kind: .file, name: file.fileName, totals: file.totals, before: known?.files[file.path],
          isNew: known != nil && known?.files[file.path] == nil, path: file.path, change: changed[file.path],
          byChance: comparison?.file(at: file.path)?.countsByChance ?? CategoryCounts())
      }.sorted { $0.rank < $1.rank }
      guard folder != root else { return rows }
      let name = root.isEmpty ? folder : String(folder.dropFirst(root.count + 1))
      return [
        Node(
          kind: .directory, name: "\(name)/", totals: files.reduce(CoverageTotals()) { $0 + $1.totals },
          before: known?.folders[target]?[folder], path: folder, change: Self.sum(of: rows),
          byChance: Self.byChance(rows), children: rows)
      ]
    }.sorted { $0.rank < $1.rank }
  }

  /// Returns the effect of this change on some rows together; nil if there is none.
  static func sum(of nodes: [Node]) -> Change? {
    let changes = nodes.compactMap(\.change)
    return changes.isEmpty ? nil : changes.reduce(Change()) { $0 + $1 }
  }

  private static func byChance(_ nodes: [Node]) -> CategoryCounts {
    nodes.reduce(CategoryCounts()) { $0 + $1.byChance }
  }

  /// The baseline's counts by file, by target, and by the folders of each target, as the files belonged then.
  private struct Known {
    var files: [String: CoverageTotals]
    var folders: [String: [String: CoverageTotals]] = [:]
    var targets: [String: CoverageTotals] = [:]

    init(_ baseline: Baseline) {
      files = baseline.files
      for (path, totals) in files {
        guard let target = baseline.targets[path] else { continue }
        let folder = SourceLocation.folder(of: path) ?? ""
        folders[target, default: [:]][folder, default: CoverageTotals()] += totals
        targets[target, default: CoverageTotals()] += totals
      }
    }
  }

  /// Returns the deepest folder that contains all of some paths.
  private static func commonFolder(of paths: [String]) -> String {
    guard let first = paths.first else { return "" }
    var common = Array((SourceLocation.folder(of: first) ?? "").utf8)
    for path in paths {
      let path = path.utf8
      var shared = zip(common, path).prefix { $0 == $1 }.count
      // Only whole path components are shared.
      if shared < common.count || path.dropFirst(shared).first != UInt8(ascii: "/") {
        shared = common[..<shared].lastIndex(of: UInt8(ascii: "/")) ?? 0
      }
      common.removeSubrange(shared...)
    }
    return String(decoding: common, as: UTF8.self)
  }
}

extension CoverageTree {
  /// The order of rows: most uncovered lines first, then what a change touched, then most partly run lines, then by name.
  struct Rank: Comparable {
    var lines: LineTally
    var isInChange: Bool
    var name: String

    static func < (one: Rank, other: Rank) -> Bool {
      let (change, otherChange) = (one.isInChange ? 1 : 0, other.isInChange ? 1 : 0)
      return (other.lines.uncovered, otherChange, other.lines.partial, NameOrder(one.name))
        < (one.lines.uncovered, change, one.lines.partial, NameOrder(other.name))
    }
  }

  /// The effect of this change, as shown in a row.
  struct Change: Sendable {
    /// The touched lines that hold code, how many of them ran, and how many ran only partly.
    var patch = LineTally()
    /// The unchanged lines that no longer run.
    var lost = 0
    /// Those that run only now.
    var gained = 0

    static func + (one: Change, other: Change) -> Change {
      Change(patch: one.patch + other.patch, lost: one.lost + other.lost, gained: one.gained + other.gained)
    }

    /// The key by which rows are sorted: touched lines that never ran, then lost lines.
    var sortKey: Int { patch.uncovered * 1_000_000 + lost }

    /// `2 of 7 never ran`, or without any how many ran whole, how many ran partly, and how many were lost and gained; nil
    /// if the change touched nothing here.
    var words: String? {
      let never = "\(CountText.plain(patch.uncovered)) of \(CountText.plain(patch.total)) never ran"
      let whole = patch.covered - patch.partial
      let touched = patch.uncovered > 0 ? never : whole > 0 ? "\(CountText.plain(whole)) ran" : nil
      let partly = patch.partial > 0 ? "\(CountText.plain(patch.partial)) partly" : nil
      let parts = [
        touched, partly, lost > 0 ? "\(CountText.plain(lost)) lost" : nil,
        gained > 0 ? "\(CountText.plain(gained)) gained" : nil,
      ].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
  }

  /// Returns the changes of files by path; empty if nothing is known about them.
  static func changes(_ changes: CoverageChanges?) -> [String: Change] {
    var found: [String: Change] = [:]
    if let patch = changes?.patch.value, patch.origin != .nothing {
      for file in patch.files {
        found[file.path] = Change(patch: file.tally)
      }
    }
    for file in changes?.comparison.value?.files ?? [] {
      let (lost, gained) = (file.lines(.lost).count, file.lines(.gained).count)
      guard lost + gained > 0 else { continue }
      found[file.path, default: Change()].lost = lost
      found[file.path, default: Change()].gained = gained
    }
    return found
  }
}

extension CoverageTree {
  /// Returns the rows of the tree as view data: one body per target, with the figures of each row.
  ///
  /// Entries without a row of their own are summed up at the end of their directory or target. That row and the name are
  /// links to the page that has the rows.
  /// - Parameters:
  ///   - functions: the functions of a file, by path.
  ///   - link: the page of a file, by path.
  func bodies(
    _ cut: TreeCut, functions: (String) -> SafeHTML? = { _ in nil }, link: (String) -> String?
  ) -> TemplateValue {
    .list(
      targets.map { target in
        if let file = target.onlyFile, cut.shows(file, in: target) {
          return .record(["rows": .list([target.row(of: file, functions: functions, link: link)])])
        }
        let page = cut.page(of: target, in: target)
        var rows = [
          page == nil
            ? target.row(depth: 0, link: nil) : target.row(depth: 0, link: page, count: Self.count(target.children))
        ]
        for entry in target.children where cut.shows(entry, in: target) {
          guard entry.kind == .directory else {
            rows.append(entry.row(depth: 1, functions: functions, link: link))
            continue
          }
          let files = entry.children.filter { cut.shows($0, in: target) }
          let page = files.count < entry.children.count ? cut.page(of: entry, in: target) : nil
          rows.append(entry.row(depth: 1, link: page, count: Self.count(entry.children)))
          rows += files.map { $0.row(depth: 2, functions: functions, link: link) }
          if !files.isEmpty, let rest = Self.rest(entry, cut, target) { rows.append(rest.row(depth: 2, link: page)) }
        }
        if let rest = Self.rest(target, cut, target) { rows.append(rest.row(depth: 1, link: page)) }
        return .record(["rows": .list(rows)])
      })
  }

  /// Returns the sum of the entries without a row below a target or a directory; nil if all have one.
  private static func rest(_ node: Node, _ cut: TreeCut, _ target: Node) -> Node? {
    let left = node.children.filter { !cut.shows($0, in: target) }
    guard !left.isEmpty else { return nil }
    let isCompared = left.contains { $0.before != nil }
    return Node(
      kind: .rest, name: count(left, "more "), totals: left.reduce(CoverageTotals()) { $0 + $1.totals },
      before: isCompared ? left.reduce(CoverageTotals()) { $0 + ($1.before ?? CoverageTotals()) } : nil,
      change: sum(of: left), byChance: byChance(left), children: left)
  }

  /// Returns `3 directories and 1 file`.
  static func count(_ nodes: [Node], _ more: String = "") -> String {
    let directories = nodes.count { $0.kind == .directory }
    let counts = [(directories, "directory", "directories"), (nodes.count - directories, "file", "files")]
    return CountText.list(
      counts.filter { $0.0 > 0 }.map { CountText.counted($0.0, more + $0.1, more + $0.2) })
  }

  static func anchor(ofTarget name: String) -> String { "target-\(PageNames.slug(of: name))" }
}

extension CoverageTree.Node {
  /// Returns the row of a file.
  func row(
    depth: Int, functions: (String) -> SafeHTML?, link: (String) -> String?
  ) -> TemplateValue {
    row(depth: depth, link: path.flatMap(link), inside: path.flatMap(functions))
  }

  /// The only file of a target, which has the same figures.
  fileprivate var onlyFile: CoverageTree.Node? {
    kind == .target && children.count == 1 && children[0].kind == .file ? children[0] : nil
  }

  /// Returns the row of a target together with its only file.
  fileprivate func row(
    of file: CoverageTree.Node, functions: (String) -> SafeHTML?, link: (String) -> String?
  ) -> TemplateValue {
    var inside = SafeHTML(" ")
    let address = file.path.flatMap(link)
    if let address { inside.append(linkTo: VisibleText.of(address)) }
    inside.append(.name(file.name))
    if address != nil { inside.append("</a>") }
    if let functions = file.path.flatMap(functions) { inside.append(functions) }
    return row(depth: 0, link: nil, inside: inside)
  }

  /// Returns the row of a directory, or of a target.
  /// - Parameters:
  ///   - link: the page that has the rows of what it contains; nil if all of them follow.
  ///   - count: what it contains.
  func row(depth: Int, link: String?, count: String) -> TemplateValue {
    var words = SafeHTML(" <small class=faint>")
    words.append(escaping: count)
    words.append("</small>")
    return row(depth: depth, link: link, inside: words)
  }

  func row(depth: Int, link: String?, inside: SafeHTML? = nil) -> TemplateValue {
    let lines = totals.lines
    return .record([
      "name": .name(name),
      "inside": inside.map { .html($0) } ?? .missing,
      "link": .shown(ifAny: link),
      "style": .text(style(depth: depth)),
      "anchor": kind == .target ? .text(CoverageTree.anchor(ofTarget: name)) : .missing,
      "isHead": .flag(kind == .target),
      "isStop": .flag((onlyFile?.kind ?? kind) == .file && lines.uncovered > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "uncoveredDelta": isNew ? .record(["text": "new", "tone": ""]) : delta(of: .uncovered).record,
      "lines": .text(CountText.plain(lines.total)),
      "linesDelta": delta(of: .lines).record,
      "bar": .html(CoverageBar(lines: lines, width: 160).html()),
      "share": .text(CountText.percent(lines.uncovered, of: lines.total) ?? "no code"),
      "inChange": .optional(change?.words),
      "changeKey": change.map { .number($0.sortKey) } ?? .missing,
      "partly": .text(CountText.plain(lines.partial)),
      "partlyDelta": delta(of: .partly).record,
      "functions": .text(CoverageWords.uncovered(totals.functions)),
      "functionsDelta": delta(of: .functions).record,
      "regions": .text(CoverageWords.uncovered(totals.regions)),
      "regionsDelta": delta(of: .regions).record,
      "branches": .text(CoverageWords.uncovered(totals.branches ?? Tally())),
      "branchesDelta": delta(of: .branches).record,
    ])
  }

  /// The counts of a row that are compared with the baseline.
  enum Count {
    case uncovered, lines, partly, functions, regions, branches
  }

  /// Returns the change of a count against the baseline; nil if there is none.
  func delta(of count: Count) -> Delta? {
    guard let before else { return nil }
    let lines = totals.lines
    func follows(_ count: (CoverageTotals) -> Int?) -> Delta? {
      guard let now = count(totals), let earlier = count(before) else { return nil }
      return Delta(now, from: earlier, .moreIsWorse, byChance: chance(in: count))
    }
    return switch count {
    case .uncovered:
      Delta(lines.uncovered, from: before.lines.uncovered, .moreIsWorse, byChance: byChance.uncoveredChange)
    case .lines: Delta(lines.total, from: before.lines.total, .neutral)
    case .partly: follows { $0.lines.partial }
    case .functions: follows { $0.functions.uncovered }
    case .regions: follows { $0.regions.uncovered }
    case .branches: follows { $0.branches?.uncovered }
    }
  }

  /// Returns how much of the change of a count is chance.
  func chance(in count: (CoverageTotals) -> Int?) -> Int {
    kind == .file
      ? byChance.chance(in: count, from: before, to: totals) : files.reduce(0) { $0 + $1.chance(in: count) }
  }

  /// Returns the classes by which the style sheet indents a row and the filters hide it.
  private func style(depth: Int) -> String {
    let whole = (isWhole ? " whole" : "") + (change == nil ? "" : " changed")
    return switch kind {
    case .target: onlyFile == nil ? change == nil ? "target" : "target changed" : "target t\(whole)"
    case .directory: "dir l1\(whole)"
    case .rest: "dir rest fileish l\(depth)\(whole)"
    case .file: "t fileish l\(depth)\(whole)"
    }
  }
}
