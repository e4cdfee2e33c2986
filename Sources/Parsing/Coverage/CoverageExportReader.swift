import Model

extension CoverageExport {
  /// Reads the JSON that `llvm-cov export` writes, with or without `-skip-functions`.
  ///
  /// The format is described only by its implementation:
  /// https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageExporterJson.cpp
  package static func read(_ bytes: [UInt8]) throws -> CoverageExport {
    var reader = CoverageExportReader()
    do {
      try reader.read(bytes)
    } catch {
      // If the format is too new, saying so explains the error better than the place where reading failed.
      try CoverageExportReader.checkVersion(of: bytes, unless: error)
      throw error
    }
    return reader.export
  }
}

/// A reader of the JSON of `llvm-cov export` that fills flat arrays in one pass.
struct CoverageExportReader {
  /// The largest line number; no source has more lines, and larger numbers would only make walking the lines endless.
  static let lineLimit = 1_000_000
  /// The largest column that LLVM can express; nothing iterates over columns.
  static let columnLimit = Int(Int32.max)
  /// The largest sum of the files' lines.
  static let lineSumLimit = 20_000_000
  static let input = "the coverage that llvm-cov exported"

  var export = CoverageExport()
  var nameIndices: [String: Int] = [:]
  var lineSum = 0
  /// The indices, in a function's own list of files, of text that a macro or an inclusion added.
  var expandedFiles: [Int] = []

  mutating func read(_ bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes, input: Self.input)
    var type: String?
    try scanner.readObject { scanner, key in
      switch key {
      case "type": type = try scanner.readString()
      case "version": export.version = try scanner.readString()
      case "data": try scanner.readArray { scanner in try readData(&scanner) }
      default: try scanner.skipValue()
      }
    }
    try scanner.finish()
    try Self.check(type: type, version: export.version)
  }

  /// Throws if the type or the version shows that the input is something else; returns if even they cannot be read.
  static func checkVersion(of bytes: [UInt8], unless original: any Error) throws {
    var scanner = JSONScanner(bytes, input: input)
    var type: String?
    var version: String?
    do {
      try scanner.readObject { scanner, key in
        switch key {
        case "type": type = try scanner.readString()
        case "version": version = try scanner.readString()
        default: try scanner.skipValue()
        }
      }
    } catch {
      throw original
    }
    try check(type: type, version: version)
  }

  private static func check(type: String?, version: String?) throws {
    guard let type, type == "llvm.coverage.json.export" else {
      let found = type.map { "its type is \($0)" } ?? "it has no type"
      throw ParsingError(input, reason: "\(found), not llvm.coverage.json.export")
    }
    let major = (version ?? "").prefix { $0 != "." }
    guard major == "2" || major == "3" else {
      let found = version.map { "its format is version \($0)" } ?? "it has no version"
      throw ParsingError(
        input, reason: "\(found), and Martlet knows versions 2 and 3",
        advice: "Use a newer Martlet, or a toolchain whose llvm-cov writes one of these.")
    }
  }

  private mutating func readData(_ scanner: inout JSONScanner) throws {
    try scanner.readObject { scanner, key in
      switch key {
      case "files": try scanner.readArray { scanner in try readFile(&scanner) }
      case "functions": try scanner.readArray { scanner in try readFunction(&scanner) }
      default: try scanner.skipValue()
      }
    }
  }
}

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

  /// Reads a figure that is small enough to be added to others without overflow.
  private static func readCount(_ scanner: inout JSONScanner) throws -> Int {
    let start = scanner.position
    let value = try scanner.readInt()
    guard 0...Int(Int32.max) ~= value else {
      throw scanner.error("\(value) is not a number of lines, regions, functions or branches", at: start)
    }
    return value
  }
}

extension CoverageExportReader {
  mutating func readFunction(_ scanner: inout JSONScanner) throws {
    let start = scanner.position
    var symbol: String?
    var count: UInt64 = 0
    var names: [Int] = []
    let firstRegion = export.regions.count
    expandedFiles.removeAll(keepingCapacity: true)
    try scanner.readObject { scanner, key in
      switch key {
      case "name": symbol = Self.withoutFile(try scanner.readString())
      case "count": count = try scanner.readUInt64()
      case "filenames": try scanner.readArray { scanner in names.append(try readNameIndex(&scanner)) }
      case "regions": try scanner.readArray { scanner in try readRegion(&scanner) }
      default: try scanner.skipValue()
      }
    }
    guard let symbol else { throw scanner.error("a function has no name", at: start) }
    for index in firstRegion..<export.regions.count {
      // Until now, `file` was an index into the function's own list.
      let file = export.regions[index].file
      guard names.indices.contains(file) else { throw scanner.error("\(symbol) has a region without file", at: start) }
      export.regions[index].file = names[file]
    }
    let expanded = Set(expandedFiles)
    let home = expanded.isEmpty ? nil : names.indices.first { !expanded.contains($0) }
    export.functions.append(
      CoverageExport.Function(
        symbol: symbol, count: count, regions: firstRegion..<export.regions.count, file: home.map { names[$0] }))
  }

  private mutating func readNameIndex(_ scanner: inout JSONScanner) throws -> Int {
    let name = try scanner.readString()
    if let known = nameIndices[name] { return known }
    nameIndices[name] = export.names.count
    export.names.append(name)
    return export.names.count - 1
  }

  private mutating func readRegion(_ scanner: inout JSONScanner) throws {
    let start = scanner.position
    var region = CoverageRegion(
      start: SourcePosition(line: 0, column: 0), end: SourcePosition(line: 0, column: 0), count: 0)
    var file = 0
    var kind: UInt64 = 0
    var expanded = 0
    var index = 0
    try scanner.readArray { scanner in
      switch index {
      case 0: region.start.line = try Self.readLine(&scanner)
      case 1: region.start.column = try Self.readColumn(&scanner)
      case 2: region.end.line = try Self.readLine(&scanner)
      case 3: region.end.column = try Self.readColumn(&scanner)
      case 4: region.count = try scanner.readUInt64()
      case 5: file = try scanner.readInt()
      case 6: expanded = try scanner.readInt()
      case 7: kind = try scanner.readUInt64()
      default: try scanner.skipValue()
      }
      index &+= 1
    }
    guard index >= 8 else { throw scanner.error("a region has \(index) values instead of 8", at: start) }
    guard region.start <= region.end else { throw scanner.error("a region ends before it starts", at: start) }
    // A kind that is newer than this code says nothing about the source, and is ignored.
    guard let kind = CoverageExport.Kind(rawValue: kind) else { return }
    if kind == .expansion { expandedFiles.append(expanded) }
    export.regions.append(CoverageExport.Region(span: region, file: file, kind: kind))
  }

  /// Removes the file name and the colon (a semicolon since LLVM 17) that LLVM puts before the names of private
  /// functions.
  static func withoutFile(_ name: String) -> String {
    // Nearly all names are Swift's, and need no search.
    guard name.utf8.first != UInt8(ascii: "$"), !name.hasPrefix("-["), !name.hasPrefix("+[") else { return name }
    let separator = name.utf8.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
    let rest = separator.map { name[name.utf8.index(after: $0)...] } ?? ""
    return rest.isEmpty ? name : String(rest)
  }
}
