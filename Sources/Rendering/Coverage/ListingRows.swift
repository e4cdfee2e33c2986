import Model

/// Groups the lines of a listing into rows, from first to last.
struct ListingRows {
  /// Consecutive lines with the same state.
  struct Row {
    var lines: Range<Int>
    /// The coverage of each of the lines; nil if no code counts.
    var coverage: LineCoverage?
    /// Whether each of the lines holds code that is left out on request.
    var isLeftOut = false
    /// Whether each of the lines ran only because the test processes started.
    var isIncidental = false
    /// The dead stretches of the line; if there are any, it is the only line of the row.
    var stretches: ArraySlice<DeadStretch>
    /// The index of the uncovered block that begins here.
    var block: Int?
  }

  private let coverage: FileCoverage
  private let blocks: [ClosedRange<Int>]
  private let shown: Range<Int>
  /// For each shown line, whether a row begins there regardless of its state, whether it ran only at start-up, and
  /// whether it is left out on request.
  private var flags: [(isBreak: Bool, isIncidental: Bool, isLeftOut: Bool)]
  private var line: Int
  private var nextLine: Int
  private var nextStretch: Int
  private var nextBlock: Int

  /// - Parameter breaks: lines at which a row begins regardless of their state.
  init(_ coverage: FileCoverage, blocks: [ClosedRange<Int>], shown: Range<Int>, breaks: some Sequence<Int>) {
    self.coverage = coverage
    self.blocks = blocks
    self.shown = shown
    flags = Array(repeating: (false, false, false), count: shown.count)
    for line in breaks where shown.contains(line) { flags[line - shown.lowerBound].isBreak = true }
    for line in coverage.incidental where shown.contains(line) { flags[line - shown.lowerBound].isIncidental = true }
    for line in coverage.leftOut where shown.contains(line) { flags[line - shown.lowerBound].isLeftOut = true }
    line = shown.lowerBound
    nextLine = coverage.lines.partitioningIndex { $0.line >= shown.lowerBound }
    nextStretch = coverage.deadStretches.partitioningIndex { $0.line >= shown.lowerBound }
    nextBlock = blocks.partitioningIndex { $0.lowerBound >= shown.lowerBound }
  }

  /// Returns the next row; nil after the last line.
  mutating func next() -> Row? {
    guard line < shown.upperBound else { return nil }
    let flags = flags[line - shown.lowerBound]
    var row = Row(
      lines: line..<(line + 1), coverage: takeLine(line), isLeftOut: flags.isLeftOut, isIncidental: flags.isIncidental,
      stretches: takeStretches(line), block: nil)
    if nextBlock < blocks.count, blocks[nextBlock].lowerBound == line {
      row.block = nextBlock
      nextBlock += 1
    }
    line += 1
    guard row.coverage?.state != .partlyRan, row.stretches.isEmpty else { return row }
    while line < shown.upperBound, continues(row) {
      _ = takeLine(line)
      line += 1
    }
    row.lines = row.lines.lowerBound..<line
    return row
  }

  /// Returns whether the next line has the same state as the row.
  private func continues(_ row: Row) -> Bool {
    var index = nextLine
    while index < coverage.lines.count, coverage.lines[index].line < line { index += 1 }
    let hasCode = index < coverage.lines.count && coverage.lines[index].line == line
    if let known = row.coverage {
      guard hasCode, coverage.lines[index].count == known.count, coverage.lines[index].state == known.state else {
        return false
      }
    } else if hasCode {
      return false
    }
    let flags = flags[line - shown.lowerBound]
    guard flags.isIncidental == row.isIncidental, flags.isLeftOut == row.isLeftOut, !flags.isBreak else { return false }
    let stretch = nextStretch < coverage.deadStretches.count ? coverage.deadStretches[nextStretch].line : Int.max
    return stretch > line
  }

  private mutating func takeLine(_ line: Int) -> LineCoverage? {
    var found: LineCoverage?
    while nextLine < coverage.lines.count, coverage.lines[nextLine].line <= line {
      if coverage.lines[nextLine].line == line { found = coverage.lines[nextLine] }
      nextLine += 1
    }
    return found
  }

  private mutating func takeStretches(_ line: Int) -> ArraySlice<DeadStretch> {
    var start = nextStretch
    while nextStretch < coverage.deadStretches.count, coverage.deadStretches[nextStretch].line <= line {
      if coverage.deadStretches[nextStretch].line < line { start = nextStretch + 1 }
      nextStretch += 1
    }
    return coverage.deadStretches[start..<nextStretch]
  }
}
