/// A value, or the reason why it could not be determined.
package enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
  case known(Value)
  case unknown(reason: String)

  package var value: Value? {
    if case .known(let value) = self { value } else { nil }
  }

  package var reason: String? {
    if case .unknown(let reason) = self { reason } else { nil }
  }

  /// What a question gives, or the words of the error that it throws.
  package init(_ question: () throws -> Value) {
    do {
      self = .known(try question())
    } catch {
      self = .unknown(reason: "\(error)")
    }
  }

  /// Returns what follows from the value; a reason stays what it is.
  package func map<Other>(_ transform: (Value) -> Other) -> Answer<Other> { flatMap { .known(transform($0)) } }

  /// Returns the answer that follows from the value; a reason stays what it is.
  package func flatMap<Other>(_ transform: (Value) -> Answer<Other>) -> Answer<Other> {
    switch self {
    case .known(let value): transform(value)
    case .unknown(let reason): .unknown(reason: reason)
    }
  }
}

/// What an integration changed in the coverage.
package struct CoverageChanges: Hashable, Sendable {
  /// Every line and region, compared with an earlier integration.
  package var comparison: Answer<CoverageComparison>
  /// The lines that the integration's commits touched.
  package var patch: Answer<PatchCoverage>
  /// What each gate on changed lines counts: a failed one goes on counting from the integration that it failed against.
  package var counted: [PatchCoverage] = []
  /// What was removed from the compared files, by path.
  package var removed: [String: [RemovedLines]] = [:]

  package init(comparison: Answer<CoverageComparison>, patch: Answer<PatchCoverage>) {
    self.comparison = comparison
    self.patch = patch
  }
}

/// The coverage of an integration, compared line by line with that of an earlier one.
package struct CoverageComparison: Hashable, Sendable {
  /// The number of the earlier integration.
  package var baseline: Int
  /// The totals of the earlier integration.
  package var before: CoverageTotals
  /// Files that are counted now or were counted then, sorted by path.
  package var files: [FileComparison]
  /// Counted files that could not be compared line by line, sorted by path; they are not part of any sum.
  package var unmapped: [UnmappedFile]
  /// The numbers of the other integrations of either commit that showed what runs by chance, ascending.
  package var witnesses: [Int] = []
  /// The witnesses that integrated the earlier commit; the baseline itself if its commit has the same code.
  package var baselineWitnesses: [Int] = []
  /// The flaky tests whose failed attempts account for what runs by chance, sorted.
  package var flakyTests: [TestID] = []
  /// The lines that count on one side only because they are left out on request on the other.
  package var leftOut = LeftOutLines()

  package init(baseline: Int, before: CoverageTotals, files: [FileComparison], unmapped: [UnmappedFile] = []) {
    self.baseline = baseline
    self.before = before
    self.files = files.sorted { $0.path < $1.path }
    self.unmapped = unmapped.sorted { $0.path < $1.path }
  }

  package var lines: CategoryCounts { files.reduce(CategoryCounts()) { $0 + $1.counts } }
  package var regions: CategoryCounts { files.reduce(CategoryCounts()) { $0 + $1.regions } }
  /// The lost and gained lines that run by chance; `lines` includes them.
  package var byChance: CategoryCounts { files.reduce(CategoryCounts()) { $0 + $1.countsByChance } }
  /// The lost and gained regions that run by chance; `regions` includes them.
  package var regionsByChance: CategoryCounts { files.reduce(CategoryCounts()) { $0 + $1.regionsByChance } }
}

/// The coverage of one file compared with its earlier coverage.
package struct FileComparison: Hashable, Sendable {
  /// A line that holds code.
  package struct Line: Hashable, Sendable {
    package var line: Int
    package var category: ChangeCategory
    /// How often the line ran before; nil if it was not code.
    package var before: UInt64?
    /// Whether a lost or gained line runs by chance: integrations of the same commit differ in it, or
    /// it ran only in the failed attempt of a flaky test.
    package var isByChance: Bool

    package init(line: Int, category: ChangeCategory, before: UInt64? = nil, isByChance: Bool = false) {
      self.line = line
      self.category = category
      self.before = before
      self.isByChance = isByChance
    }
  }

  /// The current path; for a file that is no longer counted, the earlier path.
  package var path: String
  /// The earlier path, if it was different.
  package var oldPath: String?
  /// The current path of a file that is no longer counted, if it is different.
  package var newPath: String?
  /// The earlier totals; nil for a file that was not counted.
  package var totalsBefore: CoverageTotals?
  /// Every line that holds code now, ascending.
  package var lines: [Line]
  /// New lines that hold no code, ascending; none in a file that is new as a whole.
  package var newWithoutCode: [Int] = []
  /// New lines of which only a part ran, ascending.
  package var newPartlyRan: [Int] = []
  /// Lines that still exist but no longer hold code, by their current number, ascending.
  package var excluded: [Line] = []
  /// Lines that are gone, by their earlier number, ascending.
  package var deleted: [Line] = []
  /// The regions of the file; each place in the text counts once.
  package var regions = CategoryCounts()
  /// Regions that ran before and no longer do, on lines that still ran, and without a lost line in them; ascending.
  /// Regions that run by chance are excluded.
  package var lostRegions: [CoverageRegion]
  /// The lines that ran before, too, and on which a part begins that runs only now, each once, ascending; without those of
  /// regions with a gained line, and of regions that run by chance.
  package var gainedPartLines: [Int] = []
  /// The lines with lost parts that run by chance, each once, ascending.
  package var partsByChance: [Int] = []
  /// The lost and gained regions that run by chance; `regions` includes them.
  package var regionsByChance = CategoryCounts()

  package init(
    path: String, oldPath: String? = nil, totalsBefore: CoverageTotals? = nil, lines: [Line] = [],
    lostRegions: [CoverageRegion] = []
  ) {
    self.path = path
    self.oldPath = oldPath
    self.totalsBefore = totalsBefore
    self.lines = lines
    self.lostRegions = lostRegions
  }

  /// All lines by category.
  package var counts: CategoryCounts {
    var counts = CategoryCounts(lines.lazy.map(\.category))
    counts.add(excluded.lazy.map(\.category))
    counts.add(deleted.lazy.map(\.category))
    return counts
  }

  /// Returns the lines that hold code now within a stretch of the file, such as a function, ascending.
  package func lines(in stretch: ClosedRange<Int>) -> ArraySlice<Line> {
    lines[lines.partitioningIndex { $0.line >= stretch.lowerBound }...].prefix { $0.line <= stretch.upperBound }
  }

  /// Returns the lines of one category that do not run by chance, ascending.
  package func lines(_ category: ChangeCategory) -> [Line] {
    lines.filter { $0.category == category && !$0.isByChance }
  }

  /// The lines that were added or changed, ascending.
  package var newLines: [Line] { lines.filter { $0.category == .newRan || $0.category == .newNeverRan } }

  /// The lost and gained lines that run by chance, ascending.
  package var byChance: [Line] { lines.filter(\.isByChance) }

  /// The number of these lines.
  package var countsByChance: CategoryCounts { CategoryCounts(byChance.lazy.map(\.category)) }

  /// The lines that run by chance or have parts that do, each once, ascending.
  package var linesByChance: [Int] { Set(byChance.map(\.line) + partsByChance).sorted() }

  /// The lines on which lost regions begin, each once, ascending.
  package var lostPartLines: [Int] { Set(lostRegions.map(\.start.line)).sorted() }
}

extension CoverageComparison {
  /// Whether unchanged code runs on one side only.
  package var hasLostOrGained: Bool {
    files.contains { file in
      file.lines.contains { $0.category == .lost || $0.category == .gained } || file.regions[.lost] > 0
        || file.regions[.gained] > 0
    }
  }

  /// The lines that run by chance or have parts that do, by path and line.
  package var linesByChance: [SourceLocation] {
    files.flatMap { file in
      file.linesByChance.map { SourceLocation(file: file.path, line: $0) }
    }
  }

  /// The unchanged lines that ran before and no longer do, except by chance, by path and line.
  package var lostLines: [SourceLocation] { lines(.lost) }

  /// The lines that still run, but on which a part begins that ran before and no longer does.
  package var lostParts: [SourceLocation] {
    files.flatMap { file in file.lostPartLines.map { SourceLocation(file: file.path, line: $0) } }
  }

  /// Returns the lines of code of one category that do not run by chance, by path and line.
  package func lines(_ category: ChangeCategory) -> [SourceLocation] {
    files.flatMap { file in file.lines(category).map { SourceLocation(file: file.path, line: $0.line) } }
  }

  /// Returns the comparison of the file that is at this path now.
  package func file(at path: String) -> FileComparison? {
    files.firstSorted { $0.path >= path }.flatMap { $0.path == path ? $0 : nil }
  }
}
