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

/// A function, with the closures inside it folded in for display.
package struct FunctionCoverage: Hashable, Sendable {
  /// Something that the compiler counts as a function but that is part of another one in the source.
  package struct Folded: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case closure, defaultArgument, initialValue
      /// With the accessor's name, such as `didSet`.
      case accessor(String)
    }

    package var kind: Kind
    /// The number of calls.
    package var count: UInt64

    package init(_ kind: Kind, count: UInt64) {
      self.kind = kind
      self.count = count
    }
  }

  /// A name for people, such as `Cookie.init(name:)`.
  package var name: String
  /// The linker's name of the function itself.
  package var symbol: String
  /// The number of calls.
  package var count: UInt64
  /// The code regions of the function and of everything folded into it.
  package var regions: [CoverageRegion]
  /// The indices, ascending, of the regions that are the whole body of the function or of something folded into it.
  package var entries: [Int]
  /// The functions that were folded in, each of which the compiler counts separately.
  package var folded: [Folded]
  /// Whether there is no function as such, as for a property that is known only by the closures in its initial value.
  package var isOnlyFolded = false
  /// The number of additional functions this stands for, made by one macro at the same place; the name covers all of
  /// them.
  package var twins = 0

  package init(
    name: String, symbol: String, count: UInt64, regions: [CoverageRegion], entries: [Int] = [0], folded: [Folded] = []
  ) {
    self.name = name
    self.symbol = symbol
    self.count = count
    self.regions = regions
    self.entries = entries
    self.folded = folded
  }

  /// The line on which the function begins.
  package var line: Int { regions.firstLine }

  /// The region of the function's own body: default arguments are before it, and closures are inside it.
  package var body: CoverageRegion? {
    entries.map { regions[$0] }.max { ($0.end, $1.start) < ($1.end, $0.start) }
  }

  /// The last line of the function and of everything folded into it.
  package var lastLine: Int {
    var line = regions.first?.end.line ?? self.line
    for region in regions where region.end.line > line { line = region.end.line }
    return line
  }
}

extension [CoverageRegion] {
  /// The line on which the first region begins; 0 if there are none.
  package var firstLine: Int {
    // Called very often, so this must not allocate an array.
    var line = first?.start.line ?? 0
    for region in self where region.start.line < line { line = region.start.line }
    return line
  }
}

/// The number of items, and how many of them ran.
package struct Tally: Hashable, Sendable, Codable {
  package var total: Int
  package var covered: Int

  package init(total: Int = 0, covered: Int = 0) {
    self.total = total
    self.covered = covered
  }

  package static func + (one: Tally, other: Tally) -> Tally {
    Tally(total: one.total + other.total, covered: one.covered + other.covered)
  }

  package var uncovered: Int { total - covered }
}

/// The numbers of lines that hold code, that ran, and that ran only partly.
package struct LineTally: Hashable, Sendable, Codable {
  package var total: Int
  /// The lines that ran, including those that partly ran.
  package var covered: Int
  package var partial: Int

  package init(total: Int = 0, covered: Int = 0, partial: Int = 0) {
    self.total = total
    self.covered = covered
    self.partial = partial
  }

  package static func + (one: LineTally, other: LineTally) -> LineTally {
    LineTally(
      total: one.total + other.total, covered: one.covered + other.covered, partial: one.partial + other.partial)
  }

  package var uncovered: Int { total - covered }
}
