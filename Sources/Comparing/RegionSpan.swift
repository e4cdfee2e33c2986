import Model

/// The place of a region in the text.
struct RegionSpan: Hashable {
  var start: SourcePosition
  var end: SourcePosition
}

extension FileCoverage {
  /// The regions of the file's functions, each place once with its highest count.
  var distinctRegions: [RegionSpan: CoverageRegion] {
    var regions: [RegionSpan: CoverageRegion] = [:]
    for region in functions.lazy.flatMap(\.regions) {
      let span = RegionSpan(start: region.start, end: region.end)
      if let known = regions[span], known.count >= region.count { continue }
      regions[span] = region
    }
    return regions
  }
}

extension LineMap {
  /// Where an old region is now; nil when a line on which it began or ended is gone.
  func place(of region: CoverageRegion) -> RegionSpan? {
    guard let start = newLine(of: region.start.line), let end = newLine(of: region.end.line) else { return nil }
    return RegionSpan(region, from: start, to: end)
  }

  /// Where a region of now was; nil when a line on which it begins or ends is new.
  func oldPlace(of region: CoverageRegion) -> RegionSpan? {
    guard let start = oldLine(of: region.start.line), let end = oldLine(of: region.end.line) else { return nil }
    return RegionSpan(region, from: start, to: end)
  }
}

extension RegionSpan {
  fileprivate init(_ region: CoverageRegion, from start: Int, to end: Int) {
    self.init(
      start: SourcePosition(line: start, column: region.start.column),
      end: SourcePosition(line: end, column: region.end.column))
  }
}
