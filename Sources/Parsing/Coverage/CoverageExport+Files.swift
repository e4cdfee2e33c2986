package import Model

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
