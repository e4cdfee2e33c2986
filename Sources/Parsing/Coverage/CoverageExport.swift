package import Model

/// What `llvm-cov export` says: every file with its segments, every function with its regions.
///
/// Segments and regions lie in two flat arrays, and files and functions hold ranges of them, because a package of
/// middle size has tens of thousands of each.
package struct CoverageExport: Sendable {
  /// A boundary: its state holds from here to the next segment of the file.
  package struct Segment: Hashable, Sendable {
    /// From 1.
    package var line: Int
    /// In UTF-8 bytes, from 1.
    package var column: Int
    package var count: UInt64
    /// False where there is no code from here on.
    package var hasCount: Bool
    package var isRegionEntry: Bool
    package var isGapRegion: Bool

    /// Code that never ran.
    var isDead: Bool { hasCount && !isGapRegion && count == 0 }
  }

  /// LLVM's own figures of a file; it counts the lines of every function, so those of closures twice.
  package struct Summary: Hashable, Sendable {
    package var lines = Tally()
    package var functions = Tally()
    package var regions = Tally()
    /// Without the sides of constant conditions, and with what macros bring along at each use.
    package var branches = Tally()
  }

  package struct File: Hashable, Sendable {
    /// As the compiler was given it: absolute, unless the build maps prefixes.
    package var name: String
    package var segments: Range<Int>
    /// In C, C++ and Objective-C; of inline functions and templates, each copy has its own.
    package var conditions = 0..<0
    package var summary: Summary
  }

  package struct Function: Hashable, Sendable {
    /// The mangled name, without the file that LLVM puts before the names of private functions in C.
    package var symbol: String
    package var count: UInt64
    package var regions: Range<Int>
    /// The file that it is written in, an index into `names`, where macros or inclusions bring code of other files along;
    /// else nil.
    package var file: Int?
  }

  /// One region of a function.
  package struct Region: Hashable, Sendable {
    package var span: CoverageRegion
    /// An index into `names`.
    package var file: Int
    package var kind: Kind
  }

  /// What a region stands for; LLVM's numbers.
  package enum Kind: UInt64, Sendable {
    case code = 0
    case expansion
    case skipped
    case gap
    case branch
    case decision
    case decisionBranch
  }

  /// The version of the format, such as `3.0.1`.
  package var version = ""
  package var files: [File] = []
  package var functions: [Function] = []
  package var segments: [Segment] = []
  package var conditions: [ConditionCoverage] = []
  package var regions: [Region] = []
  /// The names of the files that functions have regions in.
  package var names: [String] = []
}

extension CoverageExport {
  /// The conditions of a file, each place once, in the order of the source.
  ///
  /// The copies of an inline function or a template, and the uses of a macro in the file that defines it, are added up,
  /// as the counts of lines are.
  /// - Parameter lines: those that hold code; what a text says about other lines is not of this text.
  func conditions(of file: File, on lines: [LineCoverage]) -> [ConditionCoverage] {
    guard !file.conditions.isEmpty else { return [] }
    var found: [Range<SourcePosition>: ConditionCoverage] = [:]
    for condition in conditions[file.conditions] {
      found[condition.start..<condition.end, default: condition.withoutCounts].add(condition)
    }
    return found.values.filter { condition in
      let index = lines.partitioningIndex { $0.line >= condition.line }
      return index < lines.count && lines[index].line == condition.line
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }
}

extension ConditionCoverage {
  fileprivate var withoutCounts: ConditionCoverage {
    ConditionCoverage(start: start, end: end, trueCount: 0, falseCount: 0)
  }

  fileprivate mutating func add(_ other: ConditionCoverage) {
    trueCount = trueCount.adding(other.trueCount)
    falseCount = falseCount.adding(other.falseCount)
  }
}

extension CoverageExport {
  /// The package's own sources in an export, to be worked out one by one, on several threads if that suits the caller.
  package struct CountedFiles: Sendable {
    private let export: CoverageExport
    private let functions: FunctionsByFile
    /// Readable names by mangled names, see `symbols`; what is missing keeps its mangled name.
    package var demangled: [String: String]
    private let files: [(file: File, path: String, target: String)]

    /// Sources without code are not in an export. Should a file be in it twice, by two spellings of the root, the first
    /// one is taken.
    package init(_ export: CoverageExport, _ selection: SourceSelection, demangled: [String: String] = [:]) {
      self.export = export
      self.demangled = demangled
      functions = FunctionsByFile(export)
      var seen: Set<String> = []
      files = export.files.compactMap { file in
        guard case .counted(let path, let target) = selection.role(of: file.name), seen.insert(path).inserted else {
          return nil
        }
        return (file, path, target)
      }
    }

    package var count: Int { files.count }

    /// Their paths, relative to the package.
    package var paths: [String] { files.map(\.path) }

    /// The mangled names that need demangling, each once, in the order of the export.
    package var symbols: [String] {
      var seen: Set<String> = []
      return files.flatMap { functions.symbols(of: $0.file.name) }.filter { seen.insert($0).inserted }
    }

    /// The coverage of one of the files, in the order of the export; each is independent of the others.
    package func coverage(_ index: Int) -> FileCoverage {
      let (file, path, target) = files[index]
      return export.coverage(of: file, path: path, target: target, functions: functions, demangled: demangled)
    }
  }

  private func coverage(
    of file: File, path: String, target: String, functions: FunctionsByFile, demangled: [String: String]
  ) -> FileCoverage {
    var coverage = coverage(
      of: file, path: path, target: target,
      functions: FunctionFolding.fold(functions.united(in: file.name), demangled: demangled))
    coverage.conditions = conditions(of: file, on: coverage.lines)
    coverage.totals.branches = coverage.conditions.branches
    coverage.llvmBranches = file.summary.branches.total > 0 ? file.summary.branches : nil
    return coverage
  }

  /// The coverage of a file whose functions are known.
  func coverage(of file: File, path: String, target: String, functions: [FunctionCoverage]) -> FileCoverage {
    let walk = LineWalk(segments[file.segments])
    var tally = LineTally(total: walk.lines.count)
    for line in walk.lines where line.state != .neverRan {
      tally.covered += 1
      if line.state == .partlyRan { tally.partial += 1 }
    }
    return FileCoverage(
      path: path, target: target, lines: walk.lines, deadStretches: walk.deadStretches,
      functions: functions,
      totals: CoverageTotals(lines: tally, regions: file.summary.regions, functions: file.summary.functions),
      llvmLines: file.summary.lines)
  }
}
