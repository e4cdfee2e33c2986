import FoundationEssentials
package import Model

/// The coverage of one integration by lines, `coverage.json`, for other programs.
///
/// It is stored beside `integration.json`, both in the archive and in a report, and is the source of coverage exports.
/// Paths are relative to the repository.
package struct CoverageDocument: Hashable, Sendable {
  /// The name and version of the format.
  package static let schemaName = "martlet.coverage/1"
  /// The name of the file.
  package static let fileName = "coverage.json"

  /// One counted source file.
  package struct File: Hashable, Sendable {
    package var path: String
    package var target: String
    package var totals: CoverageTotals
    /// The lines that hold code, ascending.
    package var lines: [LineCoverage]
    /// Sorted by line; closures are part of their enclosing function.
    package var functions: [Function]
    /// Sorted by position; empty if the compiler counted none, as in Swift.
    package var conditions: [ConditionCoverage] = []
  }

  /// One function of a file.
  package struct Function: Hashable, Sendable {
    package var name: String
    package var line: Int
    /// The number of calls.
    package var count: UInt64
    /// Its regions, including those of closures; empty in documents of earlier versions.
    package var regions: [CoverageRegion] = []
  }

  package var bot: String
  package var number: Int
  package var commit: CommitID
  /// The folder of the package in the repository.
  package var package: String
  package var isAvailable: Bool
  /// False if a process died without leaving its counters.
  package var isComplete: Bool
  /// Why the coverage is unavailable or incomplete.
  package var reason: String?
  /// Sorted by path.
  package var files: [File]
  /// The files that only the package's own `.martlet.yml` leaves out, sorted by path: included in no figure, but
  /// counted by gates.
  package var setAside: [File] = []

  package var totals: CoverageTotals { files.reduce(CoverageTotals()) { $0 + $1.totals } }
}

extension CoverageDocument {
  /// Creates the coverage document of an integration; nil if it has no coverage.
  package init?(_ integration: Integration) {
    guard let coverage = integration.coverage.coverage else { return nil }
    self.init(
      bot: integration.bot, number: integration.number, commit: integration.commit.id,
      package: integration.packagePath, isAvailable: true, isComplete: coverage.isComplete, reason: coverage.reason,
      files: coverage.files.map { File($0, package: integration.packagePath) },
      setAside: coverage.setAside.map { File($0, package: integration.packagePath) })
  }

  /// Creates a placeholder for missing coverage.
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
  /// LLVM's counters can underflow, and llvm-cov takes the code with such a count as run.
  var withoutUnderflow: UInt64 { isUnderflow ? 1 : self }

  /// The count, limited for readers with 32-bit numbers.
  var fittingReaders: UInt64 { Swift.min(self, UInt64(Int32.max)) }
}

extension CoverageDocument {
  /// Returns the written coverage, with paths relative to a folder of the repository; files outside it are left out.
  ///
  /// Data that the document does not contain is empty: symbols, dead stretches, folded parts, and llvm-cov's own line
  /// figures.
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
  /// The document as JSON, with one file per line.
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
  /// In `hits` each line with code has llvm-cov's count, which the code around it has a part in: a case that never ran has
  /// that of its `switch`, and is in `partlyRan`. Pages show the count of the case instead.
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
  /// The line and column of its start, the line and column after its end, and how often it was true and false.
  fileprivate var json: JSONValue {
    .list([
      .integer(start.line), .integer(start.column), .integer(end.line), .integer(end.column), .count(trueCount),
      .count(falseCount),
    ])
  }
}

extension CoverageRegion {
  /// The line and column of its start, the line and column after its end, and how often it ran.
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
