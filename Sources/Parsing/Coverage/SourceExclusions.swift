package import Model

/// Takes files and lines out of the coverage that a bot or a source wants left out, and says what it took.
///
/// Lines that are left out are in no figure of lines, and their branches in none of branches. The totals of regions and
/// functions are LLVM's figures of whole files, so they still contain what lies in such lines; those of a file that is
/// left out as a whole are gone with it.
package struct SourceExclusions: Sendable {
  private let globs: [Glob]

  /// - Parameter globs: of paths relative to the package.
  package init(globs: [String]) {
    self.globs = globs.map { Glob($0) }
  }

  /// The globs that match none of some paths, in the order in which they were given.
  package func idle(among paths: [String]) -> [String] {
    globs.filter { glob in !paths.contains { glob.matches(path: $0) } }.map(\.pattern)
  }

  /// Returns what is still counted of a file, nil when nothing is, and what was left out of it.
  /// - Parameter source: the text of the file, where it is known.
  package func apply(
    to file: FileCoverage, source: [UInt8]?
  ) -> (file: FileCoverage?, exclusions: [CoverageExclusion]) {
    let markers = source.map { ExclusionMarkers(in: $0, isSwift: file.path.hasSuffix(".swift")) }
    let glob = globs.first { $0.matches(path: file.path) }
    if let by = glob?.pattern ?? (markers?.coversFile == true ? "coverage:ignore-file" : nil) {
      let whole = CoverageExclusion(path: file.path, lines: file.totals.lines, branches: file.totals.branches, by: by)
      return (nil, [whole])
    }
    guard let ranges = markers?.ranges, !ranges.isEmpty else { return (file, []) }
    let exclusions = ranges.map { range in
      let last = min(range.upperBound, file.lines.last?.line ?? 0)
      let first = file.lines.partitioningIndex { $0.line >= range.lowerBound }
      let end = file.lines.partitioningIndex { $0.line > last }
      return CoverageExclusion(
        path: file.path, firstLine: range.lowerBound, lastLine: last,
        lines: Self.tally(file.lines[first..<max(first, end)]),
        branches: file.conditions.filter { (range.lowerBound...range.upperBound).contains($0.line) }.branches,
        by: range.count == 1 ? "coverage:ignore" : "coverage:ignore-start")
    }.filter { $0.lines.total > 0 }
    func isCounted(_ line: Int) -> Bool {
      let index = ranges.partitioningIndex { $0.upperBound >= line }
      return index == ranges.count || !ranges[index].contains(line)
    }
    var rest = file
    rest.lines.removeAll { !isCounted($0.line) }
    rest.deadStretches.removeAll { !isCounted($0.line) }
    rest.functions.removeAll { !isCounted($0.line) }
    rest.conditions.removeAll { !isCounted($0.line) }
    rest.totals.lines = Self.tally(rest.lines[...])
    rest.totals.branches = rest.conditions.branches
    return (rest.lines.isEmpty ? nil : rest, exclusions)
  }

  private static func tally(_ lines: ArraySlice<LineCoverage>) -> LineTally {
    LineTally(
      total: lines.count, covered: lines.count { $0.state != .neverRan },
      partial: lines.count { $0.state == .partlyRan })
  }
}
