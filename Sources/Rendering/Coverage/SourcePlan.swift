import Model

/// One source file with the pages that show it: all that is needed to make them, or to link to them.
///
/// Every page refers to several plans, which share what is in them.
final class SourcePlan: Sendable {
  let path: String
  /// The last part of the path, and as much more of it as tells the file apart from the others.
  let fileName: String
  /// Nil for a source that has no coverage of its own, such as a test.
  let coverage: FileCoverage?
  /// Why the file does not count; nil for one that counts, and for one without coverage.
  let kind: UncountedSources.Kind?
  let hasCoverage: Bool
  /// Whether the file is in the sums.
  let isCounted: Bool
  /// The text as the commit has it; nil when the report does not hold it.
  let bytes: [UInt8]?
  /// What is said about lines, by line number.
  let bubbles: [Int: [SafeHTML]]
  /// What is said about changed lines.
  let marks: ChangeMarks
  /// What is known of the file's past.
  let history: SourceHistory
  /// Which tests ran its lines.
  let tests: SourceTests
  /// Which of its functions nothing checks.
  let mutants: MutantRemarks
  let parts: [Range<Int>]
  /// The pages of the parts, relative to the top of the report; the first is the page of the file.
  let pages: [String]
  let blocks: [UncoveredBlock]
  /// Lines that other pages lead to.
  let targets: Set<Int>
  /// How many lines of each part never ran; empty while there is only one.
  let neverRanOfParts: [Int]

  init(
    path: String, fileName: String, coverage: FileCoverage?, bytes: [UInt8]?, bubbles: [Int: [SafeHTML]],
    targets: Set<Int> = [],
    marks: ChangeMarks = ChangeMarks(), history: SourceHistory = SourceHistory(),
    tests: SourceTests = SourceTests(), mutants: MutantRemarks = MutantRemarks(), kind: UncountedSources.Kind? = nil,
    names: inout PageNames,
    limit: Int = SourceParts.longestPage
  ) {
    self.path = path
    self.fileName = fileName
    self.coverage = coverage
    self.kind = kind
    hasCoverage = coverage != nil
    isCounted = coverage != nil && kind == nil
    self.bytes = bytes
    self.bubbles = bubbles
    self.marks = marks
    self.history = history
    self.tests = tests
    self.mutants = mutants
    self.targets = targets
    blocks = coverage?.uncoveredBlocks ?? []
    let said = bubbles.values.joined().reduce(0) { $0 + $1.bytes.count + Self.bubbleWeight }
    let counted = coverage?.extraWeight(blocks: blocks.count) ?? 0
    parts =
      bytes.map {
        SourceParts.lines(
          of: $0, brought: said + history.weight + marks.weight + mutants.weight + counted,
          extra: Self.weights(of: coverage, bubbles, marks, history), limit: bubbles.isEmpty ? limit : limit / 2)
      } ?? [1..<1]
    neverRanOfParts = []
    // A number is claimed only after all first pages have their names.
    pages = [names.claim(path)]
  }

  /// What a bubble takes beside its words.
  private static let bubbleWeight = 120

  /// What lines bring with them beside their text, in bytes.
  private static func weights(
    of coverage: FileCoverage?, _ bubbles: [Int: [SafeHTML]], _ marks: ChangeMarks, _ history: SourceHistory
  ) -> [Int: Int] {
    var extra = coverage?.extraWeights ?? [:]
    for (line, bubbles) in bubbles {
      extra[line, default: 0] += bubbles.reduce(0) { $0 + $1.bytes.count + bubbleWeight }
    }
    for line in marks.lines { extra[line, default: 0] += marks.weight(of: line) }
    return extra.merging(history.weights) { $0 + $1 }
  }

  private init(_ plan: SourcePlan, pages: [String]) {
    path = plan.path
    fileName = plan.fileName
    coverage = plan.coverage
    kind = plan.kind
    hasCoverage = plan.hasCoverage
    isCounted = plan.isCounted
    bytes = plan.bytes
    bubbles = plan.bubbles
    marks = plan.marks
    history = plan.history
    tests = plan.tests
    mutants = plan.mutants
    targets = plan.targets
    parts = plan.parts
    blocks = plan.blocks
    self.pages = pages
    var counts = plan.parts.map { _ in 0 }
    var part = 0
    for line in plan.coverage?.lines ?? [] where line.state == .neverRan {
      while part < parts.count, parts[part].upperBound <= line.line { part += 1 }
      guard part < parts.count else { break }
      if parts[part].contains(line.line) { counts[part] += 1 }
    }
    neverRanOfParts = counts
  }

  /// The plan with a page for each part.
  func completed(_ names: inout PageNames) -> SourcePlan {
    guard parts.count > 1 else { return self }
    return SourcePlan(self, pages: pages + (2...parts.count).map { names.claim(path, part: $0) })
  }

  /// The source, coloured.
  var source: HighlightedSource? { bytes.map { HighlightedSource($0, path: path) } }

  /// The listing of the coloured source, for all parts; nil without coverage.
  func listing(of source: HighlightedSource) -> SourceListing? {
    coverage.map {
      SourceListing(
        source, coverage: $0, bubbles: bubbles, targets: targets, marks: marks, history: history,
        tests: tests, mutants: mutants)
    }
  }

  /// The part that shows a line; the nearest one for a line outside the file.
  func part(ofLine line: Int) -> Int {
    parts.lastIndex { $0.lowerBound <= line } ?? 0
  }

  /// Whether a page shows a line: not without text, and not where the coverage speaks of another text.
  func shows(line: Int) -> Bool {
    bytes != nil && line >= 1 && line < parts[parts.count - 1].upperBound
  }

  /// The address of a line, or of the file, relative to the top of the report.
  func address(ofLine line: Int?) -> String {
    guard let line, bytes != nil else { return pages[0] }
    return pages[part(ofLine: line)] + (shows(line: line) ? "#L\(line)" : "")
  }

  /// The same as seen from another page in the same folder.
  func neighbour(ofLine line: Int?) -> String {
    SourceLocation.fileName(of: address(ofLine: line))
  }
}

extension SourcePlan {
  /// Combines all that the listing, the outline and the lists of the file's pages are made from.
  ///
  /// A property that a page comes to show and that is not here would leave an old page in the place of a new one.
  func combine(into hash: inout PageHash) {
    hash.combine(path)
    hash.combine(bytes)
    for page in pages { hash.combine(page) }
    for part in parts {
      hash.combine(part.lowerBound)
      hash.combine(part.upperBound)
    }
    hash.combine(bubbles.count)
    for (line, bubbles) in bubbles.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(bubbles.count)
      for bubble in bubbles { hash.combine(bubble.bytes) }
    }
    hash.combine(targets.count)
    for target in targets.sorted() { hash.combine(target) }
    marks.combine(into: &hash)
    history.combine(into: &hash)
    tests.combine(into: &hash)
    hash.combine(coverage != nil)
    if let coverage { hash.combine(coverage) }
  }
}

extension PageHash {
  /// Everything that is known of the lines and functions of a file; its totals are in the words of the page.
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
      combine(condition.trueCount)
      combine(condition.falseCount)
    }
    combine(coverage.functions.count)
    // By index, and not as copies, each of which would count a reference to every part of a function.
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
