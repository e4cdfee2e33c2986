package import Model

/// The lines of a file that hold code, how often each ran, and the code within them that never ran.
package struct LineWalk: Hashable, Sendable {
  /// The lines that hold code, in ascending order.
  package private(set) var lines: [LineCoverage] = []
  /// The code that never ran, on lines that ran, in ascending order.
  package private(set) var deadStretches: [DeadStretch] = []

  /// Walks the lines from the first to the last segment, including those without one.
  ///
  /// Yields the lines and counts of the DA records that `llvm-cov export -format=lcov` writes; the rule is that of
  /// `LineCoverageStats` in
  /// https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMapping.cpp
  /// - Parameter segments: the segments of one file, ordered by line and column.
  package init(_ segments: ArraySlice<CoverageExport.Segment>) {
    guard let first = segments.first?.line, let last = segments.last?.line, first <= last else { return }
    lines.reserveCapacity(last - first + 1)
    var wrapped: CoverageExport.Segment?
    var next = segments.startIndex
    for line in first...last {
      let start = next
      while next < segments.endIndex, segments[next].line == line { next += 1 }
      visit(line, segments[start..<next], wrapped: wrapped)
      if next > start { wrapped = segments[next - 1] }
    }
  }

  /// Walks a file given only by its regions, as stored in a document. They do not show code that was left out of the
  /// build, so its lines are treated like code.
  package init(_ steps: [CountStep]) {
    self.init(steps.map(CoverageExport.Segment.init)[...])
  }

  /// - Parameter wrapped: the segment that extends into the line from above.
  private mutating func visit(
    _ line: Int, _ segments: ArraySlice<CoverageExport.Segment>, wrapped: CoverageExport.Segment?
  ) {
    var count = wrapped?.hasCount == true ? wrapped?.count ?? 0 : 0
    // Code that was left out of the build says nothing about what begins after it, as after an `if constexpr`.
    let beginsLeftOut = segments.first.map { !$0.hasCount && $0.isRegionEntry } ?? false
    var isMapped = wrapped?.hasCount == true && !beginsLeftOut
    var holdsDeadStart = false
    for segment in segments where segment.hasCount && segment.isRegionEntry && !segment.isGapRegion {
      isMapped = true
      count = max(count, segment.count)
      if segment.count == 0 { holdsDeadStart = true }
    }
    guard isMapped else { return }
    let state: LineState = count == 0 ? .neverRan : holdsDeadStart ? .partlyRan : .ran
    lines.append(LineCoverage(line: line, count: count, state: state))
    if count > 0 { findDeadStretches(line, segments, wrapped: wrapped) }
  }

  private mutating func findDeadStretches(
    _ line: Int, _ segments: ArraySlice<CoverageExport.Segment>, wrapped: CoverageExport.Segment?
  ) {
    var start = wrapped?.isDead == true ? 1 : nil
    for segment in segments {
      if segment.isDead {
        start = start ?? segment.column
      } else if let dead = start {
        if dead < segment.column { deadStretches.append(DeadStretch(line: line, columns: dead..<segment.column)) }
        start = nil
      }
    }
    if let start { deadStretches.append(DeadStretch(line: line, columns: start..<Int.max)) }
  }
}

extension CoverageExport.Segment {
  fileprivate init(_ step: CountStep) {
    self.init(
      line: step.start.line, column: step.start.column, count: step.count ?? 0, hasCount: step.count != nil,
      isRegionEntry: step.isEntry, isGapRegion: false)
  }
}
