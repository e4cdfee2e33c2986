import Model

extension CoverageOverview {
  private static let mostWorst = 10
  /// How many stand beside a long list of changes, where the tree would show the same ones further down.
  private static let mostBeside = 6
  /// With more rows of changes than this the tree is not on the first screen.
  private static let fewChanges = 4

  /// The files with the most uncovered lines; none where the tree on the same screen begins with the same ones, or has
  /// only a few.
  func worst(besideChanges changes: Int) -> [CoverageTree.Node] {
    let files = tree?.files ?? []
    let uncovered = files.map(\.totals.lines.uncovered)
    let order = files.indices.filter { uncovered[$0] > 0 }.sorted { one, other in
      (uncovered[other], files[one].path ?? "") < (uncovered[one], files[other].path ?? "")
    }
    if files.count > Self.mostWorst {
      let worst = order.prefix(Self.mostWorst)
      // Of files with the same count any may come first.
      let isSame = worst.map { uncovered[$0] } == Array(uncovered.prefix(worst.count))
      if !isSame { return worst.map { files[$0] } }
    }
    guard changes > Self.fewChanges, order.count > 1 else { return [] }
    return order.prefix(Self.mostBeside).map { files[$0] }
  }

  func rows(_ worst: [CoverageTree.Node]) -> TemplateValue {
    guard !worst.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        worst.map { file in
          var file = file
          if let path = file.path { file.name = names[path] }
          return file.row(depth: 1, link: file.path.flatMap { link($0, nil) })
        })
    ])
  }
}
