package import Model

/// The files and lines that a bot or a source excludes from the coverage.
///
/// Excluded lines are in no line figures, nor are their branches in branch figures. A function or region remains as
/// long as one of its lines counts. The totals of regions and functions are LLVM's figures of whole files, so they
/// still include what is in excluded lines; those of a file that is excluded as a whole are removed with it.
package struct SourceExclusions: Sendable {
  private let globs: [Glob]

  /// - Parameter globs: patterns for paths relative to the package.
  package init(globs: [String]) {
    self.globs = globs.map { Glob($0) }
  }

  /// Returns the globs that match none of the given paths, in their original order.
  package func idle(among paths: [String]) -> [String] {
    globs.filter { glob in !paths.contains { glob.matches(path: $0) } }.map(\.pattern)
  }

  /// Whether the bot excludes a file, regardless of its contents.
  package func cover(_ path: String) -> Bool { globs.contains { $0.matches(path: path) } }

  /// The effect of the exclusions on a file.
  package struct Result: Sendable {
    /// The coverage that is still counted; nil if none is.
    package var file: FileCoverage?
    /// The lines that were excluded.
    package var exclusions: [CoverageExclusion] = []
    /// Markers without effect, by line; empty for a file that is excluded as a whole.
    package var idle: [IdleMarker] = []
  }

  /// Applies the exclusions to a file.
  /// - Parameter source: the text of the file, if known.
  package func apply(to file: FileCoverage, source: [UInt8]?) -> Result {
    let markers = source.map { ExclusionMarkers(in: $0, isSwift: file.path.hasSuffix(".swift")) }
    let glob = globs.first { $0.matches(path: file.path) }
    if let by = glob?.pattern ?? (markers?.coversFile == true ? "coverage:ignore-file" : nil) {
      let whole = CoverageExclusion(path: file.path, lines: file.totals.lines, branches: file.totals.branches, by: by)
      return Result(exclusions: [whole])
    }
    guard let markers else { return Result(file: file) }
    let rest = Self.rest(of: file, without: markers.stretches.map(\.lines))
    let exclusions = markers.stretches.map { Self.exclusion(of: $0, in: file, beside: rest) }
    let idle = markers.idle.map { IdleMarker(path: file.path, line: $0.line, marker: $0.marker, reason: $0.reason) }
    let empty = zip(markers.stretches, exclusions).filter { $1.lines.total == 0 }.map { stretch, _ in
      IdleMarker(path: file.path, line: stretch.lines.lowerBound, marker: stretch.marker, reason: .noCode)
    }
    return Result(
      file: rest, exclusions: exclusions.filter { $0.lines.total > 0 },
      idle: (idle + empty).sorted { $0.line < $1.line })
  }

  /// - Parameter rest: the part of the file that still counts.
  private static func exclusion(
    of stretch: ExclusionMarkers.Stretch, in file: FileCoverage, beside rest: FileCoverage?
  ) -> CoverageExclusion {
    let last = min(stretch.lines.upperBound, file.lines.last?.line ?? 0)
    let first = file.lines.partitioningIndex { $0.line >= stretch.lines.lowerBound }
    let end = file.lines.partitioningIndex { $0.line > last }
    var exclusion = CoverageExclusion(
      path: file.path, firstLine: stretch.lines.lowerBound, lastLine: last,
      lines: LineTally(file.lines[first..<max(first, end)]),
      branches: file.conditions.filter { stretch.lines.contains($0.line) }.branches, by: stretch.marker)
    if stretch.isNeverEnded { exclusion.neverEnded = true }
    if stretch.isOfOneLine { exclusion.onlyFirstLineOf = rest?.function(from: stretch.lines.lowerBound)?.name }
    guard stretch.lines.count > 1 else { return exclusion }
    if stretch.firstHoldsCode { exclusion.firstHoldsCode = true }
    if stretch.lastHoldsCode || last < stretch.lines.upperBound { exclusion.lastHoldsCode = true }
    return exclusion
  }

  /// Returns the file without the given lines, which must be in ascending order; nil if no line is left.
  private static func rest(of file: FileCoverage, without ranges: [ClosedRange<Int>]) -> FileCoverage? {
    guard !ranges.isEmpty else { return file }
    func isCounted(_ line: Int) -> Bool {
      ranges.firstSorted { $0.upperBound >= line }?.contains(line) != true
    }
    var rest = file
    rest.leftOut = file.lines.map(\.line).filter { !isCounted($0) }
    rest.lines.removeAll { !isCounted($0.line) }
    rest.deadStretches.removeAll { !isCounted($0.line) }
    rest.functions = rest.functions.remaining(in: rest.lines, where: isCounted)
    rest.conditions.removeAll { !isCounted($0.line) }
    rest.totals.lines = LineTally(rest.lines[...])
    rest.totals.branches = rest.conditions.branches
    return rest.lines.isEmpty ? nil : rest
  }
}

extension FileCoverage {
  /// Returns the function that begins on a line.
  fileprivate func function(from line: Int) -> FunctionCoverage? {
    functions.firstSorted { $0.line >= line }.flatMap { $0.line == line ? $0 : nil }
  }
}
