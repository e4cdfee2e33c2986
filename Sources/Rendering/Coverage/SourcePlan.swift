import Model

/// One source file with its pages: all that is needed to make them, or to link to them.
///
/// Every page refers to several plans, which share their contents.
final class SourcePlan: Sendable {
  let path: String
  /// The last path component, preceded by as many more as tell the file apart from the others.
  let fileName: String
  /// Nil for a source without coverage of its own, such as a test.
  let coverage: FileCoverage?
  /// The kind of uncounted source; nil for a counted file, and for one without coverage.
  let kind: UncountedSources.Kind?
  /// The text in the commit; nil if the report does not have it.
  let bytes: [UInt8]?
  let remarks: SourceRemarks
  let parts: [Range<Int>]
  /// The pages of the parts, relative to the top of the report; the first is the page of the file.
  let pages: [String]
  /// The places that arrows lead to, one after the other.
  let stops: [ClosedRange<Int>]
  /// The number of lines in each part that never ran.
  let neverRanOfParts: [Int]

  var hasCoverage: Bool { coverage != nil }
  /// Whether the file is included in the sums.
  var isCounted: Bool { hasCoverage && kind == nil }

  /// - Parameters:
  ///   - page: the page of the file, which is claimed for all files before any claims one for a further part.
  ///   - names: the names from which those are taken.
  init(
    path: String, fileName: String, coverage: FileCoverage?, bytes: [UInt8]?, remarks: SourceRemarks,
    kind: UncountedSources.Kind? = nil, page: String, names: inout PageNames, limit: Int = SourceParts.longestPage
  ) {
    self.path = path
    self.fileName = fileName
    self.coverage = coverage
    self.kind = kind
    self.bytes = bytes
    self.remarks = remarks
    let stops = coverage?.stops ?? []
    self.stops = stops
    let parts =
      bytes.map {
        let weights = remarks.weights
        let counted = coverage?.extraWeight(stops: stops.count) ?? 0
        return SourceParts.lines(
          of: $0, brought: weights.values.reduce(0, +) + remarks.mutants.weight + counted,
          extra: (coverage?.extraWeights ?? [:]).merging(weights) { $0 + $1 },
          limit: remarks.bubbles.isEmpty ? limit : limit / 2)
      } ?? [1..<1]
    self.parts = parts
    pages = [page] + parts.indices.dropFirst().map { names.claim(path, part: $0 + 1) }
    var counts = parts.map { _ in 0 }
    var part = 0
    for line in coverage?.lines ?? [] where line.state == .neverRan {
      while part < parts.count, parts[part].upperBound <= line.line { part += 1 }
      guard part < parts.count else { break }
      if parts[part].contains(line.line) { counts[part] += 1 }
    }
    neverRanOfParts = counts
  }

  var source: HighlightedSource? { bytes.map { HighlightedSource($0, path: path) } }

  /// Returns the listing of the highlighted source, for all parts; nil without coverage.
  func listing(of source: HighlightedSource) -> SourceListing? {
    coverage.map { SourceListing(source, coverage: $0, remarks: remarks) }
  }

  /// Returns the part that shows a line; the nearest one for a line outside the file.
  func part(ofLine line: Int) -> Int {
    parts.lastIndex { $0.lowerBound <= line } ?? 0
  }

  /// Returns whether a page shows a line: false without text, and for lines that the text does not have.
  func shows(line: Int) -> Bool {
    bytes != nil && line >= 1 && line < parts[parts.count - 1].upperBound
  }

  /// Returns the address of a line, or of the file, relative to the top of the report; in the source of tests, that of the
  /// row with the line.
  func address(ofLine line: Int?) -> String {
    guard let line, bytes != nil else { return pages[0] }
    let page = part(ofLine: line)
    guard shows(line: line) else { return pages[page] }
    return "\(pages[page])#L\(kind == .test && hasCoverage ? beginning(ofRowWith: line) : line)"
  }

  /// Returns the line at which a row begins: rows of tests' sources do so at the lines that were known to be linked.
  private func beginning(ofRowWith line: Int) -> Int {
    let first = parts[part(ofLine: line)].lowerBound
    return remarks.beginsRow(at: line) ? line : remarks.breaks.filter { (first...line).contains($0) }.max() ?? first
  }

  /// Returns the address of a line that a log names, or that of the page where only a listing knows at which lines rows
  /// begin, which is at nearly each.
  func address(near line: Int) -> String {
    let isKnown = kind == .test || !hasCoverage || remarks.beginsRow(at: line)
    return isKnown ? address(ofLine: line) : pages[part(ofLine: line)]
  }

  /// Returns the same address relative to another page in the same folder.
  func neighbour(ofLine line: Int?) -> String {
    SourceLocation.fileName(of: address(ofLine: line))
  }
}

extension SourcePlan {
  /// Combines everything that the listing, the outline and the lists of the file's pages are made from.
  ///
  /// If a page shows a property that is not combined here, an outdated page may be used in place of a new one.
  func combine(into hash: inout PageHash) {
    hash.combine(path)
    hash.combine(bytes)
    for page in pages { hash.combine(page) }
    for part in parts {
      hash.combine(part.lowerBound)
      hash.combine(part.upperBound)
    }
    hash.combine(byLine: remarks.bubbles) { $1.combine($0.bytes) }
    hash.combine(remarks.targets.count)
    for target in remarks.targets.sorted() { hash.combine(target) }
    hash.combine(byLine: remarks.verdicts) { $1.combine($0.bytes) }
    remarks.marks.combine(into: &hash)
    remarks.history.combine(into: &hash)
    remarks.tests.combine(into: &hash)
    remarks.mutants.combine(into: &hash)
    hash.combine(coverage != nil)
    if let coverage { hash.combine(coverage) }
  }
}

extension PageHash {
  /// Combines what is said about lines, in their order.
  mutating func combine<Value>(byLine values: [Int: [Value]], _ each: (Value, inout PageHash) -> Void) {
    combine(values.count)
    for (line, values) in values.sorted(by: { $0.key < $1.key }) {
      combine(line)
      combine(values.count)
      for value in values { each(value, &self) }
    }
  }

  /// Combines all that is known about the lines and functions of a file; its totals are in the words of the page.
  fileprivate mutating func combine(_ coverage: FileCoverage) {
    combine(coverage.path)
    combine(coverage.lines.count)
    for line in coverage.lines {
      combine(line.line)
      combine(line.count)
      switch line.state {
      case .ran: combine(0)
      case .partlyRan: combine(1)
      case .neverRan: combine(2)
      }
    }
    combine(coverage.incidental.count)
    for line in coverage.incidental { combine(line) }
    combine(coverage.leftOut.count)
    for line in coverage.leftOut { combine(line) }
    combine(coverage.deadStretches.count)
    for stretch in coverage.deadStretches {
      combine(stretch.line)
      combine(stretch.columns.lowerBound)
      combine(stretch.columns.upperBound)
    }
    combine(coverage.conditions.count)
    for condition in coverage.conditions {
      combine(condition.line)
      combine(condition.start.column)
      combine(condition.end.line)
      combine(condition.end.column)
      combine(condition.trueCount)
      combine(condition.falseCount)
    }
    combine(coverage.functions.count)
    // By index rather than by copy, which would retain every part of a function.
    for index in coverage.functions.indices {
      combine(coverage.functions[index].name)
      combine(coverage.functions[index].count)
      combine(coverage.functions[index].folded.count)
      combine(FunctionCoverage.partWords(of: coverage.functions[index].folded))
      combine(coverage.functions[index].regions)
    }
  }

  private mutating func combine(_ regions: [CoverageRegion]) {
    combine(regions.count)
    for region in regions {
      combine(UInt64(truncatingIfNeeded: region.start.line) << 32 ^ UInt64(truncatingIfNeeded: region.start.column))
      combine(UInt64(truncatingIfNeeded: region.end.line) << 32 ^ UInt64(truncatingIfNeeded: region.end.column))
      combine(region.count)
    }
  }
}
