import Model

extension CoverageTree {
  /// A page with more files than this would be slow to open.
  static let mostFiles = 900

  /// The rows of the tree as view data: one body per target, each row with its figures.
  ///
  /// Of very many files the worst are shown; the others are summed up under their target.
  /// - Parameters:
  ///   - functions: the functions of a file, by path.
  ///   - link: the page of a file, by path.
  func bodies(
    most: Int = mostFiles, functions: (String) -> SafeHTML? = { _ in nil }, link: (String) -> String?
  ) -> TemplateValue {
    let shown = shownPaths(most: most)
    return .list(
      targets.map { target in
        var rows = [target.row(depth: 0, link: nil)]
        var left: [Node] = []
        for entry in target.children {
          let files = entry.kind == .file ? [entry] : entry.children
          let kept = files.filter { shown?.contains($0.path ?? "") ?? true }
          left += files.filter { !(shown?.contains($0.path ?? "") ?? true) }
          if entry.kind == .directory, !kept.isEmpty { rows.append(entry.row(depth: 1, link: nil)) }
          rows += kept.map { file in
            file.row(
              depth: entry.kind == .file ? 1 : 2, link: file.path.flatMap(link), functions: file.path.flatMap(functions)
            )
          }
        }
        if !left.isEmpty { rows.append(Self.rest(left).row(depth: 1, link: nil)) }
        return .record(["rows": .list(rows)])
      })
  }

  /// The files that are shown; nil for all of them.
  private func shownPaths(most: Int) -> Set<String>? {
    let files = files
    guard files.count > most else { return nil }
    let worst = files.sorted { one, other in
      (other.totals.lines.uncovered, one.path ?? "") < (one.totals.lines.uncovered, other.path ?? "")
    }
    return Set(worst.prefix(most).compactMap(\.path))
  }

  private static func rest(_ files: [Node]) -> Node {
    Node(
      kind: .directory, name: CountText.counted(files.count, "more file"),
      totals: files.reduce(CoverageTotals()) { $0 + $1.totals })
  }

  /// The anchor of a target in the tree.
  static func anchor(ofTarget name: String) -> String { "target-\(PageNames.slug(of: name))" }
}

extension CoverageTree.Node {
  func row(depth: Int, link: String?, functions listed: SafeHTML? = nil) -> TemplateValue {
    let lines = totals.lines
    return .record([
      "name": .html(FunctionRows.breakable(name)),
      "inside": listed.map { .html($0) } ?? .missing,
      "link": link.map { .shown($0) } ?? .missing,
      "style": .text(style(depth: depth)),
      "anchor": kind == .target ? .text(CoverageTree.anchor(ofTarget: name)) : .missing,
      "isHead": .flag(kind == .target),
      "isStop": .flag(kind == .file && lines.uncovered > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "sortKey": .number(lines.uncovered),
      "uncoveredDelta": isNew
        ? .record(["text": "new", "tone": ""])
        : Self.change(lines.uncovered, from: before?.lines.uncovered),
      "lines": .text(CountText.plain(lines.total)),
      "linesDelta": Self.change(lines.total, from: before?.lines.total, .neutral),
      "bar": .html(CoverageBar(lines: lines, width: 160).html()),
      "share": .text(CountText.percent(lines.uncovered, of: lines.total) ?? "no code"),
      "inChange": .optional(change?.words),
      "changeKey": change.map { .number($0.sortKey) } ?? .missing,
      "partly": .text(CountText.plain(lines.partial)),
      "partlyDelta": Self.change(lines.partial, from: before?.lines.partial),
      "functions": Self.words(totals.functions),
      "functionsDelta": Self.change(totals.functions.uncovered, from: before?.functions.uncovered),
      "regions": Self.words(totals.regions),
      "regionsDelta": Self.change(totals.regions.uncovered, from: before?.regions.uncovered),
      "branches": Self.words(totals.branches ?? Tally()),
      "branchesDelta": totals.branches.map { Self.change($0.uncovered, from: before?.branches?.uncovered) } ?? .missing,
    ])
  }

  private static func words(_ tally: Tally) -> TemplateValue {
    .text(tally.total == 0 ? "–" : "\(CountText.plain(tally.uncovered)) of \(CountText.plain(tally.total))")
  }

  /// A change against the baseline; among hundreds of rows only what is not as it was is worth a word.
  private static func change(
    _ now: Int, from before: Int?, _ direction: Delta.Direction = .moreIsWorse
  ) -> TemplateValue {
    guard let before, before != now else { return .missing }
    return Delta(now, from: before, direction).record
  }

  /// The classes by which the sheet indents and the filters hide a row.
  private func style(depth: Int) -> String {
    let isWhole = totals.lines.uncovered == 0 && totals.lines.partial == 0
    let whole = (isWhole ? " whole" : "") + (change == nil ? "" : " changed")
    return switch kind {
    case .target: change == nil ? "target" : "target changed"
    case .directory: "dir l1\(whole)"
    case .file: "t fileish l\(depth)\(whole)"
    }
  }
}
