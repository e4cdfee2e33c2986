import Model

extension CoverageExportReader {
  /// Reads the `branches` of a file, each of which is a condition with two counts.
  mutating func readConditions(_ scanner: inout JSONScanner) throws -> Range<Int> {
    let first = export.conditions.count
    try scanner.readArray { scanner in export.conditions.append(try Self.readCondition(&scanner)) }
    return first..<export.conditions.count
  }

  private static func readCondition(_ scanner: inout JSONScanner) throws -> ConditionCoverage {
    let begin = scanner.position
    var start = SourcePosition(line: 0, column: 0)
    var end = start
    var (trueCount, falseCount): (UInt64, UInt64) = (0, 0)
    var index = 0
    try scanner.readArray { scanner in
      switch index {
      case 0: start.line = try readLine(&scanner)
      case 1: start.column = try readColumn(&scanner)
      case 2: end.line = try readLine(&scanner)
      case 3: end.column = try readColumn(&scanner)
      case 4: trueCount = try scanner.readUInt64()
      case 5: falseCount = try scanner.readUInt64()
      default: try scanner.skipValue()
      }
      index &+= 1
    }
    guard index >= 6 else { throw scanner.error("a branch has \(index) values instead of 9", at: begin) }
    guard start <= end else { throw scanner.error("a branch ends before it starts", at: begin) }
    return ConditionCoverage(start: start, end: end, trueCount: trueCount, falseCount: falseCount)
  }
}
