package import Model

/// Consecutive lines that never ran.
package struct UncoveredBlock: Hashable, Sendable {
  package var lines: ClosedRange<Int>

  /// Returns the uncovered blocks among lines in ascending order; a line without code ends a block.
  static func all(in lines: [LineCoverage]) -> [UncoveredBlock] {
    var blocks: [UncoveredBlock] = []
    for line in lines where line.state == .neverRan {
      if let last = blocks.last, last.lines.upperBound + 1 == line.line {
        blocks[blocks.count - 1].lines = last.lines.lowerBound...line.line
      } else if line.line > blocks.last?.lines.upperBound ?? 0 {
        blocks.append(UncoveredBlock(lines: line.line...line.line))
      }
    }
    return blocks
  }
}

extension FileCoverage {
  /// The uncovered blocks of the file, ascending.
  package var uncoveredBlocks: [UncoveredBlock] { UncoveredBlock.all(in: lines) }

  /// The places that readers go through: the uncovered blocks, or, in a file without any, the lines that partly ran.
  var stops: [UncoveredBlock] {
    let blocks = uncoveredBlocks
    guard blocks.isEmpty else { return blocks }
    return lines.filter { $0.state == .partlyRan }.map { UncoveredBlock(lines: $0.line...$0.line) }
  }
}
