import Model

/// The extent of a region in the source text.
struct RegionSpan: Hashable {
  var start: SourcePosition
  var end: SourcePosition
}

extension FileCoverage {
  /// The regions of the file's functions, with the highest count for each place.
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
  /// Returns the current place of an old region; nil if its first or last line is gone.
  func place(of region: CoverageRegion) -> RegionSpan? {
    guard let start = newLine(of: region.start.line), let end = newLine(of: region.end.line) else { return nil }
    return RegionSpan(region, from: start, to: end)
  }

  /// Whether no line was added to or removed from a current region.
  func isUntouched(_ region: CoverageRegion) -> Bool {
    region.end.line < region.start.line || isWhole(new: region.start.line...region.end.line)
  }

  /// Returns the earlier place of a current region; nil if its first or last line is new.
  func oldPlace(of region: CoverageRegion) -> RegionSpan? {
    guard let start = oldLine(of: region.start.line), let end = oldLine(of: region.end.line) else { return nil }
    return RegionSpan(region, from: start, to: end)
  }
}

extension CoverageRegion {
  /// Whether one of the lines, which must be in ascending order, is within the region.
  func holds(anyOf lines: [Int]) -> Bool { RegionSpan(start: start, end: end).holds(anyOf: lines) }
}

extension RegionSpan {
  /// Whether one of the lines, which must be in ascending order, is within the region.
  func holds(anyOf lines: [Int]) -> Bool {
    let next = lines.partitioningIndex { $0 >= start.line }
    return next < lines.count && lines[next] <= end.line
  }
}

extension RegionSpan {
  fileprivate init(_ region: CoverageRegion, from start: Int, to end: Int) {
    self.init(
      start: SourcePosition(line: start, column: region.start.column),
      end: SourcePosition(line: end, column: region.end.column))
  }
}
