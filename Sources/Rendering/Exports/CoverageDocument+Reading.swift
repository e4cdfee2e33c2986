import FoundationEssentials
import Model

extension CoverageDocument {
  /// Reads a document as written by `text`; unknown members are ignored.
  package init(reading bytes: [UInt8]) throws(ExportError) {
    let wire: Wire
    do {
      wire = try JSONDecoder().decode(Wire.self, from: Data(bytes))
    } catch {
      throw Self.unreadable("it is damaged or no such document")
    }
    guard wire.schema == Self.schemaName else {
      throw Self.unreadable("it says that it is \(VisibleText.of(wire.schema)), not \(Self.schemaName)")
    }
    var (files, setAside): ([File], [File]) = ([], [])
    for file in wire.files ?? [] { files.append(try Self.file(file)) }
    for file in wire.setAside ?? [] { setAside.append(try Self.file(file)) }
    self.init(
      bot: wire.bot, number: wire.number, commit: wire.commit, package: wire.package, isAvailable: wire.available,
      isComplete: wire.complete, reason: wire.reason, files: files, setAside: setAside)
  }

  /// Returns whether the coverage is complete, according to the first bytes of a document written by `text`; nil if
  /// they do not show it.
  package static func isComplete(beginning bytes: [UInt8]) -> Bool? {
    // Quotation marks in names are always escaped, so nothing else can look like this.
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n  \"complete\": ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return parts[1].hasPrefix("true") ? true : parts[1].hasPrefix("false") ? false : nil
  }

  private static func file(_ wire: Wire.File) throws(ExportError) -> File {
    let partlyRan = Set(wire.partlyRan)
    var lines: [LineCoverage] = []
    for hit in wire.hits {
      guard hit.count == 2, hit[0] > UInt64(lines.last?.line ?? 0), hit[0] <= lineLimit else {
        throw unreadable("the lines of \(VisibleText.of(wire.path)) are not in order")
      }
      let line = Int(hit[0])
      let state: LineState = hit[1] == 0 ? .neverRan : partlyRan.contains(line) ? .partlyRan : .ran
      lines.append(LineCoverage(line: line, count: hit[1].withoutUnderflow, state: state))
    }
    return File(
      path: wire.path, target: wire.target,
      totals: CoverageTotals(
        lines: wire.lines, regions: wire.regions, functions: wire.functions, branches: wire.branches), lines: lines,
      functions: try functions(wire), conditions: try conditions(wire))
  }

  private static func conditions(_ wire: Wire.File) throws(ExportError) -> [ConditionCoverage] {
    var conditions: [ConditionCoverage] = []
    for numbers in wire.conditions ?? [] {
      guard numbers.count == 6, numbers[..<4].allSatisfy({ $0 > 0 && $0 <= lineLimit }) else {
        throw unreadable("a condition of \(VisibleText.of(wire.path)) has no place")
      }
      conditions.append(
        ConditionCoverage(
          start: SourcePosition(line: Int(numbers[0]), column: Int(numbers[1])),
          end: SourcePosition(line: Int(numbers[2]), column: Int(numbers[3])), trueCount: numbers[4],
          falseCount: numbers[5]))
    }
    return conditions
  }

  private static func functions(_ wire: Wire.File) throws(ExportError) -> [Function] {
    var functions: [Function] = []
    for call in wire.calls {
      var function = Function(name: call.name, line: call.line, count: call.count.withoutUnderflow)
      for span in call.spans ?? [] {
        guard span.count == 5, span[..<4].allSatisfy({ $0 > 0 && $0 <= lineLimit }) else {
          throw unreadable("a region of \(VisibleText.of(wire.path)) has no place")
        }
        function.regions.append(
          CoverageRegion(
            start: SourcePosition(line: Int(span[0]), column: Int(span[1])),
            end: SourcePosition(line: Int(span[2]), column: Int(span[3])), count: span[4].withoutUnderflow))
      }
      functions.append(function)
    }
    return functions
  }

  /// No source has more lines; a higher number indicates damage.
  private static let lineLimit: UInt64 = 1 << 30

  private static func unreadable(_ reason: String) -> ExportError {
    ExportError("cannot read \(fileName): \(reason). Integrate the commit again to have it written anew.")
  }

  private struct Wire: Decodable {
    struct File: Decodable {
      var path: String
      var target: String
      var lines: LineTally
      var regions: Tally
      var functions: Tally
      var branches: Tally?
      var hits: [[UInt64]]
      var partlyRan: [Int]
      var calls: [Call]
      var conditions: [[UInt64]]?
    }

    struct Call: Decodable {
      var name: String
      var line: Int
      var count: UInt64
      var spans: [[UInt64]]?
    }

    var schema: String
    var bot: String
    var number: Int
    var commit: CommitID
    var package: String
    var available: Bool
    var complete: Bool
    var reason: String?
    var files: [File]?
    var setAside: [File]?
  }
}
