import Model

extension LostCoverage {
  /// Collects the unchanged lines that ran before and no longer do.
  init(_ comparison: CoverageComparison) {
    let leftOut = comparison.leftOut.hiddenThatRan
    let known = Set(leftOut)
    let gone = comparison.files.flatMap { file in
      file.excluded.filter { $0.category == .excludedRan }.map { line in
        SourceLocation(file: file.newPath ?? file.path, line: line.line)
      }
    }.filter { !known.contains($0) }
    var replaced = comparison.leftOut
    replaced.hidden = []
    self.init(
      baseline: comparison.baseline, lines: comparison.lostLines, parts: comparison.lostParts,
      unmapped: comparison.unmapped, leftOut: leftOut, gone: gone,
      byChance: comparison.files.reduce(0) { $0 + $1.linesLostByChance.count }, replaced: replaced)
  }
}

extension FileComparison {
  /// The lines that would be lost, entirely or partly, if they did not run by chance.
  fileprivate var linesLostByChance: Set<Int> {
    Set(byChance.lazy.filter { $0.category == .lost }.map(\.line) + partsByChance)
  }
}
