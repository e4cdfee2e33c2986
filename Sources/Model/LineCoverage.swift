/// Whether a source line ran, and if so, whether it ran in full.
package enum LineState: String, Codable, Sendable {
  case ran
  case partlyRan = "partly-ran"
  case neverRan = "never-ran"
}

/// A line that holds code.
package struct LineCoverage: Hashable, Sendable {
  /// Counted from 1.
  package var line: Int
  /// How often the line ran: the highest count of the regions that start on it or extend into it.
  package var count: UInt64
  package var state: LineState

  package init(line: Int, count: UInt64, state: LineState) {
    self.line = line
    self.count = count
    self.state = state
  }
}

/// A stretch of columns that never ran within a line that did.
package struct DeadStretch: Hashable, Sendable {
  package var line: Int
  /// UTF-8 bytes, counted from 1, with an exclusive end; an end beyond the line means up to its last byte.
  package var columns: Range<Int>

  package init(line: Int, columns: Range<Int>) {
    self.line = line
    self.columns = columns
  }
}

/// A span of source that LLVM counts.
package struct CoverageRegion: Hashable, Sendable {
  package var start: SourcePosition
  package var end: SourcePosition
  package var count: UInt64

  package init(start: SourcePosition, end: SourcePosition, count: UInt64) {
    self.start = start
    self.end = end
    self.count = count
  }
}

extension UInt64 {
  /// Returns the sum of two counts, or the maximum on overflow.
  package func adding(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

/// A line and a column in UTF-8 bytes, both counted from 1.
package struct SourcePosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (one: SourcePosition, other: SourcePosition) -> Bool {
    (one.line, one.column) < (other.line, other.column)
  }
}
