import FoundationEssentials
package import Model

/// The coverage of one integration by lines, `coverage.json`, as other programs read it.
///
/// It lies beside `integration.json`, both among the kept things and in a report, and is what coverage is exported from.
/// Paths are relative to the repository.
package struct CoverageDocument: Hashable, Sendable {
  /// The name and version of the format.
  package static let schemaName = "martlet.coverage/1"
  /// What the file is called.
  package static let fileName = "coverage.json"

  /// One counted source file.
  package struct File: Hashable, Sendable {
    package var path: String
    package var target: String
    package var totals: CoverageTotals
    /// The lines that hold code, ascending.
    package var lines: [LineCoverage]
    /// Sorted by line; closures are part of the function around them.
    package var functions: [Function]
    /// Sorted by position; empty where the compiler counted none, as in Swift.
    package var conditions: [ConditionCoverage] = []
  }

  /// One function of a file.
  package struct Function: Hashable, Sendable {
    package var name: String
    package var line: Int
    /// How often it was called.
    package var count: UInt64
    /// Its regions, closures' included; empty in documents of earlier versions.
    package var regions: [CoverageRegion] = []
  }

  package var bot: String
  package var number: Int
  package var commit: CommitID
  /// The folder of the package in the repository.
  package var package: String
  package var isAvailable: Bool
  /// False when a process died without leaving its counters.
  package var isComplete: Bool
  /// Why it is not available or not complete.
  package var reason: String?
  /// Sorted by path.
  package var files: [File]
  /// The files that only the package's own `.martlet.yml` leaves out, sorted by path: in no figure, but gates count them.
  package var setAside: [File] = []

  package var totals: CoverageTotals { files.reduce(CoverageTotals()) { $0 + $1.totals } }
}

extension CoverageDocument {
  /// The coverage of an integration; nil when it has none.
  package init?(_ integration: Integration) {
    guard let coverage = integration.coverage.coverage else { return nil }
    self.init(
      bot: integration.bot, number: integration.number, commit: integration.commit.id,
      package: integration.packagePath, isAvailable: true, isComplete: coverage.isComplete, reason: coverage.reason,
      files: coverage.files.map { File($0, package: integration.packagePath) },
      setAside: coverage.setAside.map { File($0, package: integration.packagePath) })
  }

  /// What stands for coverage that there is none of.
  init(unavailableFor document: IntegrationDocument) {
    self.init(
      bot: document.bot, number: document.number, commit: document.commit.id, package: document.package,
      isAvailable: false, isComplete: false, reason: document.coverage.reason, files: [])
  }
}

extension CoverageDocument.File {
  fileprivate init(_ file: FileCoverage, package: String) {
    self.init(
      path: IntegrationDocument.repositoryPath(file.path, package: package), target: file.target, totals: file.totals,
      lines: file.lines.map { line in
        LineCoverage(line: line.line, count: line.count.withoutUnderflow, state: line.state)
      },
      functions: file.functions.filter { $0.line > 0 }.map { function in
        CoverageDocument.Function(
          name: function.name.isEmpty ? function.symbol : function.name, line: function.line,
          count: function.count.withoutUnderflow,
          regions: function.regions.map { region in
            CoverageRegion(start: region.start, end: region.end, count: region.count.withoutUnderflow)
          })
      })
    conditions = file.conditions.map { condition in
      ConditionCoverage(
        start: condition.start, end: condition.end, trueCount: condition.trueCount.withoutUnderflow,
        falseCount: condition.falseCount.withoutUnderflow)
    }
  }
}

extension UInt64 {
  /// LLVM's counters can be driven below zero, and llvm-cov takes what such a count belongs to for run.
  var withoutUnderflow: UInt64 { isUnderflow ? 1 : self }

  /// The count for readers whose numbers have 32 bits.
  var fittingReaders: UInt64 { Swift.min(self, UInt64(Int32.max)) }
}

extension CoverageDocument {
  /// The coverage that was written, with paths relative to a folder of the repository; files outside it are left out.
  ///
  /// What is not in the document is empty: symbols, dead stretches, what was folded, and llvm-cov's own line figures.
  package func coverage(beneath folder: String) -> Coverage? {
    guard isAvailable else { return nil }
    let prefix = folder == "." || folder.isEmpty ? "" : "\(folder)/"
    func beneath(_ files: [File]) -> [FileCoverage] {
      files.filter { $0.path.hasPrefix(prefix) }.map { $0.coverage(at: String($0.path.dropFirst(prefix.count))) }
    }
    var coverage = Coverage(files: beneath(files), isComplete: isComplete, reason: reason)
    coverage.setAside = beneath(setAside)
    return coverage
  }
}

extension CoverageDocument.File {
  fileprivate func coverage(at path: String) -> FileCoverage {
    var coverage = FileCoverage(
      path: path, target: target, lines: lines, deadStretches: [],
      functions: functions.map { function in
        FunctionCoverage(name: function.name, symbol: "", count: function.count, regions: function.regions)
      }, totals: totals, llvmLines: Tally())
    coverage.conditions = conditions
    return coverage
  }
}

extension CoverageDocument {
  /// Reads a document as `text` writes it; unknown members are passed over.
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

  /// Whether the coverage is complete, as the first bytes of a document say that `text` wrote; nil when they do not.
  package static func isComplete(beginning bytes: [UInt8]) -> Bool? {
    // No quotation mark in a name is without its backslash, so that nothing else looks like this.
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

  /// No source has more lines; a higher number is damage.
  private static let lineLimit: UInt64 = 1 << 30

  private static func unreadable(_ reason: String) -> ExportError {
    ExportError("cannot read \(fileName): \(reason). Integrate the commit again to have it written anew.")
  }

  /// The members of the document.
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

extension CoverageDocument {
  /// The document as JSON, a file to a line.
  package var text: String {
    let totals = totals
    let figures = isAvailable ? totals : nil
    return JSONText.of(
      .object([
        "schema": .text(Self.schemaName),
        "bot": .text(bot),
        "number": .integer(number),
        "commit": .text(commit.rawValue),
        "package": .text(package),
        "available": .bool(isAvailable),
        "complete": .bool(isComplete),
        "reason": reason.map { .text($0) },
        "lines": figures.map { $0.lines.json },
        "regions": figures.map { $0.regions.json },
        "functions": figures.map { $0.functions.json },
        "branches": figures.flatMap { $0.branches?.json },
        "files": isAvailable ? .list(files.map(\.json)) : nil,
        "setAside": setAside.isEmpty ? nil : .list(setAside.map(\.json)),
      ]), openLevels: 2)
  }
}

extension CoverageDocument.File {
  fileprivate var json: JSONValue {
    .object([
      "path": .text(path),
      "target": .text(target),
      "lines": totals.lines.json,
      "regions": totals.regions.json,
      "functions": totals.functions.json,
      "branches": totals.branches?.json,
      "hits": .list(lines.map { .list([.integer($0.line), .count($0.count)]) }),
      "partlyRan": .list(lines.filter { $0.state == .partlyRan }.map { .integer($0.line) }),
      "calls": .list(
        functions.map { function in
          .object([
            "name": .text(function.name), "line": .integer(function.line), "count": .count(function.count),
            "spans": .list(function.regions.map(\.json)),
          ])
        }),
      "conditions": conditions.isEmpty ? nil : .list(conditions.map(\.json)),
    ])
  }
}

extension ConditionCoverage {
  /// Line and column of its start, line and column behind its end, and how often it was true and false.
  fileprivate var json: JSONValue {
    .list([
      .integer(start.line), .integer(start.column), .integer(end.line), .integer(end.column), .count(trueCount),
      .count(falseCount),
    ])
  }
}

extension CoverageRegion {
  /// Line and column of its start, line and column behind its end, and how often it ran.
  fileprivate var json: JSONValue {
    .list([
      .integer(start.line), .integer(start.column), .integer(end.line), .integer(end.column), .count(count),
    ])
  }
}

extension LineTally {
  fileprivate var json: JSONValue {
    .object(["total": .integer(total), "covered": .integer(covered), "partial": .integer(partial)])
  }
}

extension Tally {
  fileprivate var json: JSONValue { .object(["total": .integer(total), "covered": .integer(covered)]) }
}
