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
  init(unavailableFor document: IntegrationRecord) {
    self.init(
      bot: document.bot, number: document.number, commit: document.commit.id, package: document.package,
      isAvailable: false, isComplete: false, reason: document.coverage.reason, files: [])
  }
}

extension CoverageDocument.File {
  fileprivate init(_ file: FileCoverage, package: String) {
    self.init(
      path: IntegrationRecord.repositoryPath(file.path, package: package), target: file.target, totals: file.totals,
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
