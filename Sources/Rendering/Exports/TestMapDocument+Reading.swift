import FoundationEssentials
package import Model

extension TestMapDocument {
  /// Reads the map of a document as written by `text`, with paths relative to a folder of the repository; files outside
  /// it are left out.
  package static func map(reading bytes: [UInt8], beneath folder: String) throws(ExportError) -> TestMap {
    let wire: Wire
    do {
      wire = try JSONDecoder().decode(Wire.self, from: Data(bytes))
    } catch {
      throw unreadable("it is damaged or no such document")
    }
    guard wire.schema == schemaName else {
      throw unreadable("it says that it is \(VisibleText.of(wire.schema)), not \(schemaName)")
    }
    guard wire.sets.allSatisfy({ $0.allSatisfy(wire.tests.indices.contains) }) else {
      throw unreadable("it refers to a test that it does not have")
    }
    let prefix = folder == "." || folder.isEmpty ? "" : "\(folder)/"
    var files: [String: TestMap.File] = [:]
    for file in wire.files where file.path.hasPrefix(prefix) {
      files[String(file.path.dropFirst(prefix.count))] = try self.file(file, sets: wire.sets.indices)
    }
    let values = try wire.values?.map { value throws(ExportError) in
      var read = TestMap.Value(name: value.name, module: value.module, owner: value.owner, type: value.type)
      for part in value.ran ?? [] where part.path.hasPrefix(prefix) {
        let lines = try part.lines.map { entry throws(ExportError) in try range(entry, in: part.path) }
        read.ran[String(part.path.dropFirst(prefix.count))] = lines
      }
      return read
    }
    return TestMap(tests: wire.tests, sets: wire.sets, files: files, values: values, gaps: wire.gaps ?? [])
  }

  private static func file(_ wire: Wire.File, sets: Range<Int>) throws(ExportError) -> TestMap.File {
    func lines(_ entries: [[Int]]) throws(ExportError) -> [TestMap.Lines] {
      try entries.map { entry throws(ExportError) in
        guard entry.count == 3, sets.contains(entry[2]) else { throw misplaced(wire.path) }
        return TestMap.Lines(lines: try range(entry, in: wire.path), set: entry[2])
      }
    }
    var file = TestMap.File(lines: try lines(wire.lines), functions: [])
    if let inProcess = wire.inProcess { file.inProcess = try lines(inProcess) }
    for entry in wire.parts ?? [] {
      let last = file.parts.last?.start ?? SourcePosition(line: 0, column: 0)
      guard entry.count == 3, sets.contains(entry[2]),
        case let start = SourcePosition(line: entry[0], column: entry[1]),
        start.line > 0, start.column > 0, last < start
      else { throw misplaced(wire.path) }
      file.parts.append(.init(start: start, set: entry[2]))
    }
    for entry in wire.functions {
      guard entry.count == 3, sets.contains(entry[2]) else { throw misplaced(wire.path) }
      file.functions.append(.init(start: SourcePosition(line: entry[0], column: entry[1]), set: entry[2]))
    }
    for entry in wire.shared ?? [] { file.once.append(try range(entry, in: wire.path)) }
    for entry in wire.outside ?? [] { file.outside.append(try range(entry, in: wire.path)) }
    return file
  }

  private static func range(_ entry: [Int], in path: String) throws(ExportError) -> ClosedRange<Int> {
    guard entry.count > 1, entry[0] > 0, entry[0] <= entry[1] else { throw misplaced(path) }
    return entry[0]...entry[1]
  }

  private static func misplaced(_ path: String) -> ExportError {
    unreadable("the lines of \(VisibleText.of(path)) are not in order")
  }

  private static func unreadable(_ reason: String) -> ExportError {
    ExportError("cannot read \(fileName): \(reason). Integrate the commit again to have it written anew.")
  }

  private struct Wire: Decodable {
    struct File: Decodable {
      var path: String
      var lines: [[Int]]
      var inProcess: [[Int]]?
      var parts: [[Int]]?
      var shared, outside: [[Int]]?
      var functions: [[Int]]
    }

    struct Value: Decodable {
      struct Part: Decodable {
        var path: String
        var lines: [[Int]]
      }

      var name: String
      var module, owner, type: String?
      var ran: [Part]?
    }

    var schema: String
    var gaps: [String]?
    var tests: [TestID]
    var sets: [[Int]]
    var values: [Value]?
    var files: [File]
  }
}
