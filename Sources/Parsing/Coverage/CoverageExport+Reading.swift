import Model

extension CoverageExport {
  /// Reads the JSON that `llvm-cov export` writes, with or without `-skip-functions`.
  ///
  /// The format is described only by its implementation:
  /// https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageExporterJson.cpp
  package static func read(_ bytes: [UInt8]) throws(ParsingError) -> CoverageExport {
    // If the format is too new, saying so explains more than what could not be read of it.
    let head: ExportHead = try ToolJSON.read(bytes, of: input)
    try head.check()
    let json: ExportJSON = try ToolJSON.read(bytes, of: input)
    var export = CoverageExport()
    export.version = head.version ?? ""
    for file in json.data?.flatMap({ $0.files ?? [] }) ?? [] { try export.append(file) }
    guard export.lineSum <= lineSumLimit else { throw error("it speaks of more lines than a package has") }
    var indices: [String: Int] = [:]
    for function in json.data?.flatMap({ $0.functions ?? [] }) ?? [] { try export.append(function, &indices) }
    return export
  }

  private static let input = "the coverage that llvm-cov exported"
  /// The largest sum of the files' lines.
  private static let lineSumLimit = 20_000_000

  fileprivate static func error(_ reason: String) -> ParsingError { ParsingError(input, reason: reason) }

  private mutating func append(_ file: ExportJSON.File) throws(ParsingError) {
    let own = file.segments.map(\.segment)
    let lines = own.lazy.map { ($0.line, $0.column) }
    guard zip(lines, lines.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw Self.error("the segments of a file are not in order")
    }
    files.append(
      File(
        name: file.filename, segments: segments.append(more: own),
        conditions: conditions.append(more: (file.branches ?? []).map(\.condition)),
        summary: try file.summary?.checked() ?? Summary()))
  }

  private var lineSum: Int {
    files.reduce(0) { sum, file in
      let segments = segments[file.segments]
      return sum + (segments.last?.line ?? 0) - (segments.first?.line ?? 0)
    }
  }

  /// - Parameter indices: the names that `names` has, with their indices.
  private mutating func append(_ function: ExportJSON.Function, _ indices: inout [String: Int]) throws(ParsingError) {
    let symbol = Function.withoutFile(function.name)
    let own = (function.filenames ?? []).map { index(of: $0, &indices) }
    let first = regions.count
    var expanded: Set<Int> = []
    for row in function.regions ?? [] {
      // A kind that is newer than this code says nothing about the source, and is ignored.
      guard let kind = Kind(rawValue: row.kind) else { continue }
      guard own.indices.contains(row.file) else { throw Self.error("\(symbol) has a region without file") }
      if kind == .expansion { expanded.insert(row.expanded) }
      regions.append(Region(span: row.span, file: own[row.file], kind: kind))
    }
    let home = expanded.isEmpty ? nil : own.indices.first { !expanded.contains($0) }
    functions.append(
      Function(symbol: symbol, count: function.count ?? 0, regions: first..<regions.count, file: home.map { own[$0] }))
  }
}

/// What an export says of itself.
private struct ExportHead: Decodable {
  var type: String?
  var version: String?

  func check() throws(ParsingError) {
    guard type == "llvm.coverage.json.export" else {
      let found = type.map { "its type is \($0)" } ?? "it has no type"
      throw CoverageExport.error("\(found), not llvm.coverage.json.export")
    }
    let major = (version ?? "").prefix { $0 != "." }
    guard major == "2" || major == "3" else {
      let found = version.map { "its format is version \($0)" } ?? "it has no version"
      var error = CoverageExport.error("\(found), and Martlet knows versions 2 and 3")
      error.advice = "Use a newer Martlet, or a toolchain whose llvm-cov writes one of these."
      throw error
    }
  }
}

/// The JSON of `llvm-cov export`.
private struct ExportJSON: Decodable {
  struct Contents: Decodable {
    var files: [File]?
    var functions: [Function]?
  }

  struct File: Decodable {
    var filename: String
    var segments: [SegmentRow]
    var branches: [BranchRow]?
    var summary: Summary?
  }

  struct Summary: Decodable {
    var lines, functions, regions, branches: Count?

    func checked() throws(ParsingError) -> CoverageExport.Summary {
      try CoverageExport.Summary(
        lines: Count.tally(lines), functions: Count.tally(functions), regions: Count.tally(regions),
        branches: Count.tally(branches))
    }
  }

  struct Count: Decodable {
    var count, covered: Int?

    /// Figures are small enough to be added to others without overflow.
    static func tally(_ figures: Count?) throws(ParsingError) -> Tally {
      let tally = Tally(total: figures?.count ?? 0, covered: figures?.covered ?? 0)
      for value in [tally.total, tally.covered] where !(0...Int(Int32.max) ~= value) {
        throw CoverageExport.error("\(value) is not a number of lines, regions, functions or branches")
      }
      return tally
    }
  }

  struct Function: Decodable {
    var name: String
    var count: UInt64?
    var filenames: [String]?
    var regions: [RegionRow]?
  }

  var data: [Contents]?
}

/// A boundary, written as an array.
private struct SegmentRow: Decodable {
  var segment: CoverageExport.Segment

  init(from decoder: any Decoder) throws {
    var row = try decoder.row(ofAtLeast: 5, "a segment", "5 or 6")
    let start = try row.position()
    segment = CoverageExport.Segment(
      line: start.line, column: start.column, count: try row.decode(UInt64.self), hasCount: try row.decode(Bool.self),
      isRegionEntry: try row.decode(Bool.self), isGapRegion: try row.isAtEnd ? false : row.decode(Bool.self))
  }
}

/// A condition with its two counts, written as an array.
private struct BranchRow: Decodable {
  var condition: ConditionCoverage

  init(from decoder: any Decoder) throws {
    var row = try decoder.row(ofAtLeast: 6, "a branch", "9")
    let span = try row.span("a branch")
    condition = ConditionCoverage(
      start: span.start, end: span.end, trueCount: try row.decode(UInt64.self), falseCount: try row.decode(UInt64.self))
  }
}

/// A region of a function, written as an array.
private struct RegionRow: Decodable {
  var span: CoverageRegion
  /// The file and the file that a macro or an inclusion added, in the function's own list.
  var file, expanded: Int
  var kind: UInt64

  init(from decoder: any Decoder) throws {
    var row = try decoder.row(ofAtLeast: 8, "a region", "8")
    let (start, end) = try row.span("a region")
    span = CoverageRegion(start: start, end: end, count: try row.decode(UInt64.self))
    file = try row.decode(Int.self)
    expanded = try row.decode(Int.self)
    kind = try row.decode(UInt64.self)
  }
}

extension Decoder {
  fileprivate func row(ofAtLeast least: Int, _ noun: String, _ usual: String) throws -> any UnkeyedDecodingContainer {
    let row = try unkeyedContainer()
    guard let count = row.count, count >= least else {
      throw CoverageExport.error("\(noun) has \(row.count ?? 0) values instead of \(usual)")
    }
    return row
  }
}

extension UnkeyedDecodingContainer {
  fileprivate mutating func span(_ noun: String) throws -> (start: SourcePosition, end: SourcePosition) {
    let (start, end) = (try position(), try position())
    guard start <= end else { throw CoverageExport.error("\(noun) ends before it starts") }
    return (start, end)
  }

  fileprivate mutating func position() throws -> SourcePosition {
    let (line, column) = (try decode(Int.self), try decode(Int.self))
    guard 1...CoverageExport.lineLimit ~= line else {
      throw CoverageExport.error("\(line) is no line of a source file")
    }
    // The largest column that LLVM can express; nothing iterates over columns.
    guard 1...Int(Int32.max) ~= column else { throw CoverageExport.error("\(column) is no column of a source file") }
    return SourcePosition(line: line, column: column)
  }
}
