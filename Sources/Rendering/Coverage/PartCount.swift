import Model

/// From where on a part of a line ran another number of times than the line.
struct PartCount: Hashable {
  var line: Int
  /// In bytes, from 1.
  var column: Int
  var count: UInt64
  /// An upper bound of the bytes that one takes on a page.
  static let weight = 32
}

extension FileCoverage {
  /// The parts of lines that ran otherwise than their lines, each place once, ascending.
  ///
  /// Only regions that end on the line where they begin are such; the lines of longer ones tell their counts. What never
  /// ran is a dead stretch.
  var partCounts: [PartCount] {
    var found: [SourcePosition: UInt64] = [:]
    for region in functions.lazy.flatMap(\.regions)
    where region.count > 0 && region.start.line == region.end.line && region.start.column < region.end.column {
      found[region.start] = max(found[region.start] ?? 0, region.count)
    }
    return found.compactMap { place, count in
      let index = lines.partitioningIndex { $0.line >= place.line }
      guard index < lines.count, lines[index].line == place.line, lines[index].state != .neverRan,
        lines[index].count != count
      else { return nil }
      return PartCount(line: place.line, column: place.column, count: count)
    }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}
