import Model

extension CoverageExportReader {
  mutating func readFile(_ scanner: inout JSONScanner) throws {
    let start = scanner.position
    var name: String?
    var segments: Range<Int>?
    var conditions = 0..<0
    var summary = CoverageExport.Summary()
    try scanner.readObject { scanner, key in
      switch key {
      case "filename": name = try scanner.readString()
      case "branches": conditions = try readConditions(&scanner)
      case "segments": segments = try readSegments(&scanner)
      case "summary": summary = try Self.readSummary(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw scanner.error("a file has no name", at: start) }
    guard let segments else { throw scanner.error("\(name) has no segments", at: start) }
    export.files.append(
      CoverageExport.File(name: name, segments: segments, conditions: conditions, summary: summary))
  }

  private mutating func readSegments(_ scanner: inout JSONScanner) throws -> Range<Int> {
    let first = export.segments.count
    var last: (line: Int, column: Int)?
    try scanner.readArray { scanner in
      let start = scanner.position
      let segment = try Self.readSegment(&scanner)
      if let last, last > (segment.line, segment.column) {
        throw scanner.error("the segments of a file are not in order", at: start)
      }
      last = (segment.line, segment.column)
      export.segments.append(segment)
    }
    if let last {
      lineSum += last.line - export.segments[first].line + 1
      guard lineSum <= Self.lineSumLimit else { throw scanner.error("it speaks of more lines than a package has") }
    }
    return first..<export.segments.count
  }

  private static func readSegment(_ scanner: inout JSONScanner) throws -> CoverageExport.Segment {
    var segment = CoverageExport.Segment(
      line: 0, column: 0, count: 0, hasCount: false, isRegionEntry: false, isGapRegion: false)
    var index = 0
    try scanner.readArray { scanner in
      switch index {
      case 0: segment.line = try readLine(&scanner)
      case 1: segment.column = try readColumn(&scanner)
      case 2: segment.count = try scanner.readUInt64()
      case 3: segment.hasCount = try scanner.readBool()
      case 4: segment.isRegionEntry = try scanner.readBool()
      case 5: segment.isGapRegion = try scanner.readBool()
      default: try scanner.skipValue()
      }
      index &+= 1
    }
    guard index >= 5 else { throw scanner.error("a segment has \(index) values instead of 5 or 6") }
    return segment
  }

  static func readLine(_ scanner: inout JSONScanner) throws -> Int {
    try readPosition(&scanner, limit: lineLimit, noun: "line")
  }

  static func readColumn(_ scanner: inout JSONScanner) throws -> Int {
    try readPosition(&scanner, limit: columnLimit, noun: "column")
  }

  private static func readPosition(_ scanner: inout JSONScanner, limit: Int, noun: String) throws -> Int {
    let start = scanner.position
    let value = try scanner.readInt()
    guard 1...limit ~= value else { throw scanner.error("\(value) is no \(noun) of a source file", at: start) }
    return value
  }

  private static func readSummary(_ scanner: inout JSONScanner) throws -> CoverageExport.Summary {
    var summary = CoverageExport.Summary()
    try scanner.readObject { scanner, key in
      switch key {
      case "lines": summary.lines = try readTally(&scanner)
      case "functions": summary.functions = try readTally(&scanner)
      case "regions": summary.regions = try readTally(&scanner)
      case "branches": summary.branches = try readTally(&scanner)
      default: try scanner.skipValue()
      }
    }
    return summary
  }

  private static func readTally(_ scanner: inout JSONScanner) throws -> Tally {
    var tally = Tally()
    try scanner.readObject { scanner, key in
      switch key {
      case "count": tally.total = try readCount(&scanner)
      case "covered": tally.covered = try readCount(&scanner)
      default: try scanner.skipValue()
      }
    }
    return tally
  }

  /// A figure that can be added to others without care.
  private static func readCount(_ scanner: inout JSONScanner) throws -> Int {
    let start = scanner.position
    let value = try scanner.readInt()
    guard 0...Int(Int32.max) ~= value else {
      throw scanner.error("\(value) is not a number of lines, regions, functions or branches", at: start)
    }
    return value
  }
}
