import Model

enum BranchWords {
  /// Returns what the branch figures count; nil without branches.
  static func counted(_ coverage: Coverage) -> String? {
    guard coverage.totals.branches != nil else { return nil }
    let words =
      "two for each condition in C, C++ and Objective-C, case labels included; the Swift compiler records none"
    return [words, difference(coverage.files, in: coverage)].compactMap { $0 }.joined(separator: ". ")
  }

  /// Returns why llvm-cov prints different branch figures for some files; nil if they agree.
  static func difference(_ files: [FileCoverage], in coverage: Coverage) -> String? {
    let llvm = files.reduce(Tally()) { $0 + ($1.llvmBranches ?? Tally()) }
    let own = files.reduce(Tally()) { $0 + ($1.totals.branches ?? Tally()) }
    guard llvm != own, llvm.total > 0 else { return nil }
    let paths = Set(files.map(\.path))
    let excluded = coverage.exclusions.filter { $0.firstLine != nil && paths.contains($0.path) }
      .reduce(Tally()) { $0 + ($1.branches ?? Tally()) }
    let printed = "\(CountText.counted(llvm.total, "branch", "branches")), \(CountText.plain(llvm.uncovered)) missed"
    let start =
      "llvm-cov report prints \(printed), where this page has \(CountText.plain(own.total)) and "
      + CountText.plain(own.uncovered)
    let leftOut =
      "\(CountText.counted(excluded.total, "branch is", "branches are")) left out here "
      + "on request"
    if excluded.total > 0, llvm == own + excluded { return "\(start): \(leftOut)." }
    let why =
      "it counts a macro at each use, only one copy of an inline function or template, and constant conditions"
    return "\(start): \(why)\(excluded.total > 0 ? ", and \(leftOut)" : "")."
  }
}
