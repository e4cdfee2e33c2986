package import Model

/// A reader of the files in which clang and the Swift compiler store their diagnostics (`.dia`).
///
/// The container is an LLVM bitstream; its blocks and records are those of clang's `SerializedDiagnostics.h`,
/// <https://clang.llvm.org/doxygen/SerializedDiagnostics_8h_source.html>.
package struct SerializedDiagnostics {
  private enum Block {
    static let meta: UInt64 = 8
    static let diagnostic: UInt64 = 9
  }

  private enum Code {
    static let version: UInt64 = 1
    static let diagnostic: UInt64 = 2
    static let flag: UInt64 = 4
    static let category: UInt64 = 5
    static let fileName: UInt64 = 6
  }

  private static let newestVersion: UInt64 = 2
  private var stream: Bitstream
  private let relativise: (String) -> String?
  private var files: [UInt64: String] = [:]
  private var categories: [UInt64: String] = [:]
  private var flags: [UInt64: String] = [:]

  /// Returns the diagnostics of one file in the compiler's order, with notes below the message they belong to.
  ///
  /// - Parameters:
  ///   - bytes: the whole file; damaged ones are rejected, and none can trap.
  ///   - name: the name of the file in errors.
  ///   - relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package static func read(
    _ bytes: [UInt8], named name: String, relativise: (String) -> String?
  ) throws(ParsingError) -> [Diagnostic] {
    do {
      return try withoutActuallyEscaping(relativise) { relativise throws(BitstreamFault) in
        var reader = SerializedDiagnostics(
          stream: try Bitstream(bytes, magic: "DIAG"), relativise: relativise)
        return try reader.diagnostics()
      }
    } catch {
      throw ParsingError(
        "the diagnostics in '\(name)'", at: error.byte, reason: error.reason,
        advice: "Build again to have the file written anew.")
    }
  }

  private init(stream: Bitstream, relativise: @escaping (String) -> String?) {
    self.stream = stream
    self.relativise = relativise
  }

  private mutating func diagnostics() throws(BitstreamFault) -> [Diagnostic] {
    var found: [Diagnostic] = []
    while true {
      switch try stream.next() {
      case .end: return found
      case .record: continue
      case .block(Block.meta): try readMeta()
      case .block(Block.diagnostic): found.append(try diagnostic())
      case .block: try stream.skipBlock()
      }
    }
  }

  private mutating func readMeta() throws(BitstreamFault) {
    while true {
      switch try stream.next() {
      case .end: return
      case .block: try stream.skipBlock()
      case .record(let record):
        guard record.code == Code.version, let version = record.operands.first else { continue }
        guard version <= Self.newestVersion else {
          throw BitstreamFault(reason: "its format has version \(version), newer than the known \(Self.newestVersion)")
        }
      }
    }
  }

  /// Reads a block up to its end; the stream limits the depth.
  private mutating func diagnostic() throws(BitstreamFault) -> Diagnostic {
    var found: Diagnostic?
    var notes: [Diagnostic] = []
    while true {
      switch try stream.next() {
      case .end:
        guard var found else { throw BitstreamFault(reason: "one of its diagnostics has no message") }
        found.notes = notes
        return found
      case .block(Block.diagnostic): notes.append(try diagnostic())
      case .block: try stream.skipBlock()
      case .record(let record):
        switch record.code {
        case Code.fileName: files[try id(of: record, count: 4)] = text(of: record, size: 3)
        case Code.category: categories[try id(of: record, count: 2)] = text(of: record, size: 1)
        case Code.flag: flags[try id(of: record, count: 2)] = text(of: record, size: 1)
        case Code.diagnostic: found = try message(record)
        default: continue
        }
      }
    }
  }

  private func id(of record: Bitstream.Record, count: Int) throws(BitstreamFault) -> UInt64 {
    guard record.operands.count >= count else { throw BitstreamFault(reason: "one of its records is too short") }
    return record.operands[0]
  }

  private func message(_ record: Bitstream.Record) throws(BitstreamFault) -> Diagnostic {
    let level = try id(of: record, count: 8)
    return Diagnostic(
      severity: try severity(level), message: text(of: record, size: 7),
      location: try location(record.operands), category: category(record.operands[5], flag: record.operands[6]))
  }

  private func severity(_ level: UInt64) throws(BitstreamFault) -> Diagnostic.Severity {
    switch level {
    case 0, 5: return .remark
    case 1: return .note
    case 2: return .warning
    case 3, 4: return .error
    default: throw BitstreamFault(reason: "one of its diagnostics has the unknown level \(level)")
    }
  }

  private func location(_ operands: [UInt64]) throws(BitstreamFault) -> SourceLocation? {
    guard operands[1] != 0 else { return nil }
    guard let file = files[operands[1]] else {
      throw BitstreamFault(reason: "one of its diagnostics names no known file")
    }
    guard let line = Int(exactly: operands[2]), let column = Int(exactly: operands[3]), line > 0 else { return nil }
    return SourceLocation(file: relativise(file) ?? file, line: line, column: column > 0 ? column : nil)
  }

  /// Returns the category. The Swift compiler stores its group in the category and a link in the flag; clang's category
  /// is a heading for many warnings, and its flag is the option that disables this one.
  private func category(_ category: UInt64, flag: UInt64) -> String? {
    if let flag = flags[flag], !flag.isEmpty, !flag.contains("/") { return "-W\(flag)" }
    guard let name = categories[category], !name.isEmpty else { return nil }
    return name
  }

  /// Returns the text of a record whose length is one of its operands; the blob may be longer, because the Swift
  /// compiler appends a link to the name of a category.
  private func text(of record: Bitstream.Record, size operand: Int) -> String {
    guard record.operands.indices.contains(operand) else { return "" }
    let size = min(record.operands[operand], UInt64(record.blob.count))
    return String(decoding: record.blob.prefix(Int(size)), as: UTF8.self)
  }
}
