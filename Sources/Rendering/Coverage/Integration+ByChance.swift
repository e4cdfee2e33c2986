import Model

extension Integration {
  /// Returns how many lost and gained lines run by chance, in one file or in all; none where nothing is compared.
  func byChance(in path: String? = nil) -> CategoryCounts {
    guard let comparison = changes?.comparison.value else { return CategoryCounts() }
    return path.map { comparison.file(at: $0)?.countsByChance ?? CategoryCounts() } ?? comparison.byChance
  }
}

extension Integration {
  /// Returns how much of the change of a count that follows from lines, such as regions, is chance: the sum of what is in
  /// each file, as the rows of files have it.
  ///
  /// - Parameter path: that of the only file to look at; nil for all.
  func chance(in count: (CoverageTotals) -> Int?, of path: String? = nil) -> Int {
    let compared = changes?.comparison.value?.files.filter { $0.path == path ?? $0.path } ?? []
    let byChance = compared.keyed(by: \.path, \.countsByChance).filter { $1.hasChanges }
    return (byChance.isEmpty ? [] : coverage.coverage?.files ?? []).reduce(0) { sum, file in
      sum + (byChance[file.path]?.chance(in: count, from: baseline?.files[file.path], to: file.totals) ?? 0)
    }
  }
}

extension CategoryCounts {
  /// Returns how much of the change of a count of one file is chance, these being its lines that run by chance.
  func chance(in count: (CoverageTotals) -> Int?, from before: CoverageTotals?, to now: CoverageTotals) -> Int {
    guard hasChanges, let before, let then = count(before), let number = count(now) else { return 0 }
    return chance(of: number - then, beside: now.lines.uncovered - before.lines.uncovered)
  }

  /// Returns how much of a change beside that of lines is chance: all of it, unless the lines that do not run by chance
  /// changed in the same direction, since it is not known how much comes from which.
  ///
  /// - Parameter lines: how many more lines never ran, those by chance among them.
  func chance(of change: Int, beside lines: Int) -> Int {
    hasChanges && (lines - uncoveredChange).signum() != change.signum() ? change : 0
  }
}
