import Model

extension CoverageExport {
  /// The conditions of a file, each place once, in the order of the source.
  ///
  /// The copies of an inline function or a template, and the uses of a macro in the file that defines it, are added up,
  /// as the counts of lines are.
  /// - Parameter lines: those that hold code; what a text says about other lines is not of this text.
  func conditions(of file: File, on lines: [LineCoverage]) -> [ConditionCoverage] {
    guard !file.conditions.isEmpty else { return [] }
    var found: [Range<SourcePosition>: ConditionCoverage] = [:]
    for condition in conditions[file.conditions] {
      found[condition.start..<condition.end, default: condition.withoutCounts].add(condition)
    }
    return found.values.filter { condition in
      let index = lines.partitioningIndex { $0.line >= condition.line }
      return index < lines.count && lines[index].line == condition.line
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }
}

extension ConditionCoverage {
  fileprivate var withoutCounts: ConditionCoverage {
    ConditionCoverage(start: start, end: end, trueCount: 0, falseCount: 0)
  }

  fileprivate mutating func add(_ other: ConditionCoverage) {
    trueCount = Self.sum(trueCount, other.trueCount)
    falseCount = Self.sum(falseCount, other.falseCount)
  }

  private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
