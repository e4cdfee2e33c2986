package import Model

/// The output of `llvm-cov export`: every file with its segments, every function with its regions.
///
/// Segments and regions are stored in two flat arrays, of which files and functions hold ranges, because a medium-sized
/// package has tens of thousands of each.
package struct CoverageExport: Sendable {
  /// A boundary, whose state holds up to the next segment of the file.
  package struct Segment: Hashable, Sendable {
    /// The line, counted from 1.
    package var line: Int
    /// The column in UTF-8 bytes, counted from 1.
    package var column: Int
    package var count: UInt64
    /// Whether code begins here; otherwise there is none up to the next segment.
    package var hasCount: Bool
    package var isRegionEntry: Bool
    package var isGapRegion: Bool

    /// Whether the segment begins code that never ran.
    var isDead: Bool { hasCount && !isGapRegion && count == 0 }
  }

  /// LLVM's own figures of a file; it adds up the lines of all functions, and so counts those of closures twice.
  package struct Summary: Hashable, Sendable {
    package var lines = Tally()
    package var functions = Tally()
    package var regions = Tally()
    /// The branches, without those of constant conditions, and with those of macros at each use.
    package var branches = Tally()
  }

  package struct File: Hashable, Sendable {
    /// The name that the compiler was given: absolute, unless the build maps prefixes.
    package var name: String
    package var segments: Range<Int>
    /// The conditions, in C, C++ and Objective-C only; each copy of an inline function or template has its own.
    package var conditions = 0..<0
    package var summary: Summary
  }

  package struct Function: Hashable, Sendable {
    /// The mangled name, without the file name that LLVM puts before the names of private C functions.
    package var symbol: String
    package var count: UInt64
    package var regions: Range<Int>
    /// The file that contains the function, as an index into `names`, if macros or inclusions add code of other files
    /// to it; otherwise nil.
    package var file: Int?

    /// Removes the file name and the colon (a semicolon since LLVM 17) that LLVM puts before the names of private
    /// functions.
    static func withoutFile(_ name: String) -> String {
      // Nearly all names are Swift's, and need no search.
      guard name.utf8.first != UInt8(ascii: "$"), !name.hasPrefix("-["), !name.hasPrefix("+[") else { return name }
      let separator = name.utf8.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
      let rest = separator.map { name[name.utf8.index(after: $0)...] } ?? ""
      return rest.isEmpty ? name : String(rest)
    }
  }

  /// One region of a function.
  package struct Region: Hashable, Sendable {
    package var span: CoverageRegion
    /// An index into `names`.
    package var file: Int
    package var kind: Kind
  }

  /// The kind of a region, with LLVM's numbers.
  package enum Kind: UInt64, Sendable {
    case code = 0
    case expansion
    case skipped
    case gap
    case branch
    case decision
    case decisionBranch
  }

  /// The largest line number; no source has more lines, and larger numbers would only make walking the lines endless.
  static let lineLimit = 1_000_000

  /// The version of the format, such as `3.0.1`.
  package var version = ""
  package var files: [File] = []
  package var functions: [Function] = []
  package var segments: [Segment] = []
  package var conditions: [ConditionCoverage] = []
  package var regions: [Region] = []
  /// The names of the files in which functions have regions.
  package var names: [String] = []

  /// Returns the index of a name, which is added if it is new.
  ///
  /// - Parameter indices: the names that there are, with their indices.
  mutating func index(of name: String, _ indices: inout [String: Int]) -> Int {
    if let known = indices[name] { return known }
    indices[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

extension CoverageExport {
  /// Returns the conditions of a file, each place once, in source order.
  ///
  /// The counts of an inline function's or template's copies, and of a macro's uses in the file that defines it, are
  /// added up, as are those of lines.
  /// - Parameter lines: the lines that hold code; conditions on other lines are not part of this file's text.
  func conditions(of file: File, on lines: [LineCoverage]) -> [ConditionCoverage] {
    guard !file.conditions.isEmpty else { return [] }
    var found: [Range<SourcePosition>: ConditionCoverage] = [:]
    for condition in conditions[file.conditions] {
      found[condition.start..<condition.end, default: condition.withoutCounts].add(condition)
    }
    return found.values.filter { condition in
      lines.firstSorted { $0.line >= condition.line }?.line == condition.line
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }
}

extension Array {
  /// Appends elements, and returns their places.
  mutating func append(more: some Collection<Element>) -> Range<Int> {
    append(contentsOf: more)
    return count - more.count..<count
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
  /// The package's own sources in an export, which can be evaluated one by one, also on several threads.
  package struct CountedFiles: Sendable {
    private let export: CoverageExport
    private let functions: FunctionsByFile
    /// Readable names by mangled names (see `symbols`); a function without an entry keeps its mangled name.
    package var demangled: [String: String]
    private let files: [(file: File, path: String, target: String)]

    /// Collects the counted files. Sources without code are not in an export. If a file is in it twice, under two
    /// spellings of the root, the first is used.
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

    /// The paths of the files, relative to the package.
    package var paths: [String] { files.map(\.path) }

    /// The mangled names to demangle, each once, in the order of the export.
    package var symbols: [String] {
      var seen: Set<String> = []
      return files.flatMap { functions.symbols(of: $0.file.name) }.filter { seen.insert($0).inserted }
    }

    /// Returns the coverage of the file at an index, in the order of the export; the files do not depend on each other.
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
      functions: FunctionFolding.fold(functions.united(in: file.name), demangled: demangled, in: file.name))
    coverage.conditions = conditions(of: file, on: coverage.lines)
    coverage.totals.branches = coverage.conditions.branches
    coverage.llvmBranches = file.summary.branches.total > 0 ? file.summary.branches : nil
    return coverage
  }

  func coverage(of file: File, path: String, target: String, functions: [FunctionCoverage]) -> FileCoverage {
    let walk = LineWalk(segments[file.segments])
    return FileCoverage(
      path: path, target: target, lines: walk.lines, deadStretches: walk.deadStretches,
      functions: functions,
      totals: CoverageTotals(
        lines: LineTally(walk.lines[...]), regions: file.summary.regions, functions: file.summary.functions),
      llvmLines: file.summary.lines)
  }
}

extension LineTally {
  init(_ lines: ArraySlice<LineCoverage>) {
    self.init(
      total: lines.count, covered: lines.count { $0.state != .neverRan },
      partial: lines.count { $0.state == .partlyRan })
  }
}
