package import Model

extension CoverageDocument {
  /// The coverage that was written, with paths relative to a folder of the repository; files outside it are left out.
  ///
  /// What is not in the document is empty: symbols, dead stretches, what was folded, and llvm-cov's own line figures.
  package func coverage(beneath folder: String) -> Coverage? {
    guard isAvailable else { return nil }
    let prefix = folder == "." || folder.isEmpty ? "" : "\(folder)/"
    let files = files.filter { $0.path.hasPrefix(prefix) }.map { file in
      var coverage = FileCoverage(
        path: String(file.path.dropFirst(prefix.count)), target: file.target, lines: file.lines, deadStretches: [],
        functions: file.functions.map { function in
          FunctionCoverage(name: function.name, symbol: "", count: function.count, regions: function.regions)
        }, totals: file.totals, llvmLines: Tally())
      coverage.conditions = file.conditions
      return coverage
    }
    return Coverage(files: files, isComplete: isComplete, reason: reason)
  }
}
