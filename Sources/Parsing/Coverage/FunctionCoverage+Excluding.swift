import Model

extension [FunctionCoverage] {
  /// The functions without the regions that lie in lines that are left out, and without those of which nothing is left.
  ///
  /// What has a single line that counts stays, so that what never ran there has its name and its place.
  /// - Parameters:
  ///   - lines: those that count, ascending.
  ///   - isCounted: whether nothing asks to leave out a line, which need not hold code.
  func remaining(in lines: [LineCoverage], where isCounted: (Int) -> Bool) -> [FunctionCoverage] {
    func isLeftOut(_ region: CoverageRegion) -> Bool {
      guard !isCounted(region.start.line) else { return false }
      let next = lines.partitioningIndex { $0.line >= region.start.line }
      return next == lines.count || lines[next].line > region.end.line
    }
    return compactMap { function in
      // Most functions lose nothing, and are big values.
      guard function.regions.contains(where: isLeftOut) else { return function }
      let rest = function.without(isLeftOut)
      return rest.regions.isEmpty ? nil : rest
    }
    // One that lost its first region begins further down.
    .sorted { $0.line < $1.line }
  }
}

extension FunctionCoverage {
  fileprivate func without(_ isLeftOut: (CoverageRegion) -> Bool) -> FunctionCoverage {
    let bodies = Set(entries)
    let kept = regions.indices.filter { !isLeftOut(regions[$0]) }
    var rest = self
    rest.regions = kept.map { regions[$0] }
    rest.entries = kept.indices.filter { bodies.contains(kept[$0]) }
    return rest
  }
}
