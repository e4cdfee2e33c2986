package import Model

extension CoverageExport {
  /// A file that is not counted, but can be viewed.
  package struct OtherFile: Hashable, Sendable {
    /// As the compiler was given it.
    package var name: String
    package var role: SourceSelection.Role
  }

  /// The coverage of the package's own sources, sorted by path.
  ///
  /// Sources without code are not in an export, so they are not in the result. Should a file be in the export twice,
  /// by two spellings of the root, the first one is taken.
  /// - Parameter demangled: readable names by mangled names, see `symbols(in:)`; what is missing keeps its mangled name.
  package func countedFiles(_ selection: SourceSelection, demangled: [String: String] = [:]) -> [FileCoverage] {
    let counted = CountedFiles(self, selection, demangled: demangled)
    return (0..<counted.count).map(counted.coverage).sorted { $0.path < $1.path }
  }

  /// The package's own sources in an export, to be worked out one by one, on several threads if that suits the caller.
  package struct CountedFiles: Sendable {
    private let export: CoverageExport
    private let functions: FunctionsByFile
    private let demangled: [String: String]
    private let files: [(file: File, path: String, target: String)]

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

    /// The coverage of one of the files; each is independent of the others.
    package func coverage(_ index: Int) -> FileCoverage {
      let (file, path, target) = files[index]
      return export.coverage(of: file, path: path, target: target, functions: functions, demangled: demangled)
    }
  }

  /// The files of the export that are not counted, in the order of the export.
  package func otherFiles(_ selection: SourceSelection) -> [OtherFile] {
    files.compactMap { file in
      let role = selection.role(of: file.name)
      if case .counted = role { return nil }
      return OtherFile(name: file.name, role: role)
    }
  }

  /// The coverage of one file that is not counted, for viewing; nil when the export does not hold it.
  package func coverage(of other: OtherFile, demangled: [String: String] = [:]) -> FileCoverage? {
    guard let file = files.first(where: { $0.name == other.name }) else { return nil }
    let functions = FunctionsByFile(self)
    return switch other.role {
    case .counted(let path, let target), .test(let path, let target):
      coverage(of: file, path: path, target: target, functions: functions, demangled: demangled)
    case .unlisted(let path): coverage(of: file, path: path, target: "", functions: functions, demangled: demangled)
    case .generated, .dependency:
      coverage(of: file, path: file.name, target: "", functions: functions, demangled: demangled)
    }
  }

  private func coverage(
    of file: File, path: String, target: String, functions: FunctionsByFile, demangled: [String: String]
  ) -> FileCoverage {
    let walk = LineWalk(segments[file.segments])
    var tally = LineTally(total: walk.lines.count)
    for line in walk.lines where line.state != .neverRan {
      tally.covered += 1
      if line.state == .partlyRan { tally.partial += 1 }
    }
    return FileCoverage(
      path: path, target: target, lines: walk.lines, deadStretches: walk.deadStretches,
      functions: FunctionFolding.fold(functions.united(in: file.name), demangled: demangled),
      totals: CoverageTotals(lines: tally, regions: file.summary.regions, functions: file.summary.functions),
      llvmLines: file.summary.lines)
  }
}
