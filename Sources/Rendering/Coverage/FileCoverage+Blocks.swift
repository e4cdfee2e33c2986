import Model

extension FileCoverage {
  /// The blocks of consecutive lines that never ran, ascending; a line without code ends a block.
  var uncoveredBlocks: [ClosedRange<Int>] { lines.uncoveredBlocks }

  /// The places that readers go through: the uncovered blocks, or, in a file without any, the lines that partly ran.
  var stops: [ClosedRange<Int>] {
    let blocks = uncoveredBlocks
    guard blocks.isEmpty else { return blocks }
    return lines.filter { $0.state == .partlyRan }.map { $0.line...$0.line }
  }

  /// Returns the first line on which readers see that a region never ran; nil if they see it on none.
  ///
  /// That is not the line of a bracket behind which the region begins, as after the `}` of a `guard`: all of it ran.
  func firstGap(in region: CoverageRegion) -> Int? {
    let last = max(region.start.line, region.end.line)
    let start = lines.partitioningIndex { $0.line >= region.start.line }
    let found = lines[start...].first { $0.state != .ran || $0.line > last }
    return found.flatMap { $0.line <= last ? $0.line : nil }
  }
}

extension [LineCoverage] {
  /// The blocks of consecutive lines that never ran; the lines are ascending.
  var uncoveredBlocks: [ClosedRange<Int>] { filter { $0.state == .neverRan }.map(\.line).blocks() }
}

extension [Int] {
  /// Groups consecutive lines into blocks; the lines are ascending.
  ///
  /// - Parameter silent: lines that may lie between two lines of one block.
  func blocks(bridging silent: Set<Int> = []) -> [ClosedRange<Int>] {
    var blocks: [ClosedRange<Int>] = []
    for line in self {
      if let last = blocks.last,
        (last.upperBound + 1..<Swift.max(line, last.upperBound + 1)).allSatisfy(silent.contains)
      {
        blocks[blocks.count - 1] = last.lowerBound...Swift.max(line, last.upperBound)
      } else {
        blocks.append(line...line)
      }
    }
    return blocks
  }
}
