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
