extension CoverageExport {
  /// Reads the JSON that `llvm-cov export` writes, with or without `-skip-functions`.
  ///
  /// The only description of the format is its writer:
  /// https://github.com/llvm/llvm-project/blob/main/llvm/tools/llvm-cov/CoverageExporterJson.cpp
  package static func read(_ bytes: [UInt8]) throws -> CoverageExport {
    var reader = CoverageExportReader()
    do {
      try reader.read(bytes)
    } catch {
      // A format too new to be read explains the error better than the place where reading failed.
      try CoverageExportReader.checkVersion(of: bytes, unless: error)
      throw error
    }
    return reader.export
  }
}

/// Walks the JSON of `llvm-cov export` once and fills flat arrays.
struct CoverageExportReader {
  /// No source has more lines; larger numbers would only make the walk over the lines endless.
  static let lineLimit = 1_000_000
  /// A line may be as long as LLVM can say: nothing walks over columns.
  static let columnLimit = Int(Int32.max)
  /// The same for the files together.
  static let lineSumLimit = 20_000_000
  static let input = "the coverage that llvm-cov exported"

  var export = CoverageExport()
  var nameIndices: [String: Int] = [:]
  var lastName = JSONScanner.RepeatedString()
  var lastNameIndex = 0
  var lineSum = 0
  /// Which of a function's own files are text that a macro or an inclusion brought along.
  var expandedFiles: [Int] = []
  /// Where the numbers of a region are read to.
  var numbers = [UInt64](repeating: 0, count: 8)

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

  /// Throws when type or version say that the bytes are something else; returns when reading them failed, too.
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
