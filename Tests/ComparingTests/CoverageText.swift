import Comparing
import Model

/// A source as a test writes it: each line begins with its count and a bar, or with the bar alone where there is no code.
///
///     3| let a = 1
///     0| unused()
///      | // a remark
struct CoverageText {
  let path: String
  let counts: [UInt64?]
  let text: [String]

  init(_ lines: [String], path: String = "Sources/A/A.swift") {
    self.path = path
    let parts = lines.map { $0.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false) }
    counts = parts.map { UInt64($0[0].filter { $0 != " " }) }
    text = parts.map { String($0.last ?? "") }
  }

  /// Every line with code is also a region of its own.
  var coverage: FileCoverage {
    let lines = counts.enumerated().compactMap { index, count in
      count.map { LineCoverage(line: index + 1, count: $0, state: $0 > 0 ? .ran : .neverRan) }
    }
    let regions = lines.map {
      CoverageRegion(
        start: SourcePosition(line: $0.line, column: 1), end: SourcePosition(line: $0.line, column: 9), count: $0.count)
    }
    let ran = lines.count { $0.count > 0 }
    return FileCoverage(
      path: path, target: "A", lines: lines, deadStretches: [],
      functions: [FunctionCoverage(name: "a()", symbol: "", count: 1, regions: regions)],
      totals: CoverageTotals(
        lines: LineTally(total: lines.count, covered: ran), regions: Tally(total: lines.count, covered: ran),
        functions: Tally(total: 1, covered: 1)), llvmLines: Tally())
  }

  /// The map from another text, by its common lines (longest common subsequence).
  func lines(from old: CoverageText) -> LineMap {
    let (a, b) = (old.text, text)
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        table[i][j] = a[i] == b[j] ? table[i + 1][j + 1] + 1 : max(table[i + 1][j], table[i][j + 1])
      }
    }
    var hunks: [LineMap.Hunk] = []
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      let (startI, startJ) = (i, j)
      while i < a.count || j < b.count {
        if i < a.count, j < b.count, a[i] == b[j] { break }
        if j == b.count || (i < a.count && table[i + 1][j] >= table[i][j + 1]) { i += 1 } else { j += 1 }
      }
      if i > startI || j > startJ {
        hunks.append(.init(old: (startI + 1)..<(i + 1), new: (startJ + 1)..<(j + 1)))
      }
      while i < a.count, j < b.count, a[i] == b[j] { (i, j) = (i + 1, j + 1) }
    }
    return LineMap(hunks: hunks)
  }

  /// The comparison with an earlier text of the file.
  func compared(with old: CoverageText) -> CoverageComparison {
    let status: FileDifference.Status = old.path == path ? .modified : .renamed
    let difference = SourceDifference([
      FileDifference(status: status, oldPath: old.path, newPath: path, lines: lines(from: old))
    ])
    return CoverageComparison(
      of: Coverage(files: [coverage]), with: Coverage(files: [old.coverage]), baseline: 41, difference: difference)
  }
}
