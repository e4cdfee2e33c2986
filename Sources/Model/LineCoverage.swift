/// Whether and how a source line ran.
package enum LineState: String, Codable, Sendable {
  case ran
  case partlyRan = "partly-ran"
  case neverRan = "never-ran"
}

/// One line that holds code.
package struct LineCoverage: Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// How often it ran: the highest count of the regions that start on it or reach into it.
  package var count: UInt64
  package var state: LineState

  package init(line: Int, count: UInt64, state: LineState) {
    self.line = line
    self.count = count
    self.state = state
  }
}

/// A stretch of columns inside a line that ran, which itself never did.
package struct DeadStretch: Hashable, Sendable {
  package var line: Int
  /// UTF-8 bytes from 1, the end exclusive; an end beyond the line means up to its last byte.
  package var columns: Range<Int>

  package init(line: Int, columns: Range<Int>) {
    self.line = line
    self.columns = columns
  }
}

/// LLVM's counted span of source.
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
  /// The sum of two counts, or the largest number where it is larger.
  package func adding(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

/// A line and a column in UTF-8 bytes, both from 1.
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

/// One function, with the closures inside it folded in for display.
package struct FunctionCoverage: Hashable, Sendable {
  /// A function of the compiler that belongs to another one in the source.
  package struct Folded: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case closure, defaultArgument, initialValue
      /// With what it is called behind the property, such as `didSet`.
      case accessor(String)
    }

    package var kind: Kind
    /// How often it was called.
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
  /// How often it was called.
  package var count: UInt64
  /// The code regions of the function and of everything folded into it.
  package var regions: [CoverageRegion]
  /// The indices of the regions that are the whole body of the function or of something folded into it, ascending.
  package var entries: [Int]
  /// What was folded in, each of which the compiler counts as a function of its own.
  package var folded: [Folded]
  /// Whether there is no function itself, such as of a property that is known by the closures in its initial value.
  package var isOnlyFolded = false
  /// How many more functions it stands for, which one macro makes at the same place; the name tells of all.
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

  /// The line on which it begins.
  package var line: Int { regions.firstLine }

  /// The region of its own body: default arguments stand before it, and closures within.
  package var body: CoverageRegion? {
    entries.map { regions[$0] }.max { ($0.end, $1.start) < ($1.end, $0.start) }
  }

  /// The last line of it and of everything folded into it.
  package var lastLine: Int {
    var line = regions.first?.end.line ?? self.line
    for region in regions where region.end.line > line { line = region.end.line }
    return line
  }
}

extension [CoverageRegion] {
  /// The line on which the first of them begins; 0 of none.
  package var firstLine: Int {
    // Asked for very often: it must not make an array.
    var line = first?.start.line ?? 0
    for region in self where region.start.line < line { line = region.start.line }
    return line
  }
}

/// How many of something there are, and how many of them ran.
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

/// How many lines hold code, how many of them ran, and how many of those only partly.
package struct LineTally: Hashable, Sendable, Codable {
  package var total: Int
  /// Lines that ran, the partly ran ones included.
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
