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
  /// Whether it is the statements at the top level of a Swift file.
  package var isTopLevel = false
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

extension FunctionCoverage {
  /// Whether one of its lines only declares something: the first one of several, or the initial value of a stored
  /// property, whose symbol ends in `fi` (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst#entities).
  fileprivate func declares(_ line: Int) -> Bool {
    guard line == self.line, !isTopLevel else { return false }
    return lastLine > line || symbol.hasSuffix("fi")
  }
}

extension [FunctionCoverage] {
  /// Returns changed lines so that in each changed stretch those that only declare something come last.
  package func withDeclarationsLast(_ lines: [Int], in hunks: [LineMap.Hunk]) -> [Int] {
    let places = lines.map { line in
      let stretch = hunks.partitioningIndex { $0.new.lowerBound > line }
      return (stretch, contains { $0.declares(line) } ? 1 : 0, line)
    }
    return places.sorted { $0 < $1 }.map { $0.2 }
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
