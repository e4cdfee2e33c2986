import Model

extension [FunctionCoverage] {
  /// Returns the functions without the regions in lines that are left out, and without those that have no regions left.
  ///
  /// A function with a single counted line stays, so that code there that never ran keeps its name and its place.
  /// - Parameters:
  ///   - lines: the counted lines, in ascending order.
  ///   - isCounted: whether a line, which need not hold code, is not to be left out.
  func remaining(in lines: [LineCoverage], where isCounted: (Int) -> Bool) -> [FunctionCoverage] {
    func isLeftOut(_ region: CoverageRegion) -> Bool {
      guard !isCounted(region.start.line) else { return false }
      return lines.firstSorted { $0.line >= region.start.line }.map { $0.line > region.end.line } ?? true
    }
    return compactMap { function in
      // Most functions lose nothing, and they are expensive to copy.
      guard function.regions.contains(where: isLeftOut) else { return function }
      let rest = function.without(isLeftOut)
      return rest.regions.isEmpty ? nil : rest
    }
    // A function that lost its first region begins further down.
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
