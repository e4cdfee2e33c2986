package import Model

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
