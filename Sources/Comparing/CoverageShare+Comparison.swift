import Model

extension CoverageShare {
  /// Compares the current share of lines that run with that of the baseline.
  init(_ comparison: CoverageComparison, now coverage: Coverage) {
    let (now, before) = (coverage.totals.lines, comparison.before.lines)
    self.init(
      now: now, before: before, baseline: comparison.baseline, hiding: Hiding(comparison, now: coverage), course: .kept)
    if now.total == 0 || before.total == 0 {
      course = .noCode
    } else if Self.isLess(now.covered, of: now.total, than: before) {
      // The current count, had every line that runs by chance run as it did before.
      let (lost, gained) = (comparison.countByChance(.lost), comparison.countByChance(.gained))
      course =
        Self.isLess(now.covered + lost - gained, of: now.total, than: before)
        ? .fell(Causes(comparison)) : .byChance(lost + gained)
    }
  }

  /// Compares two shares as fractions, so that rounding cannot hide a line.
  fileprivate static func isLess(_ covered: Int, of total: Int, than before: LineTally) -> Bool {
    let one = covered.multipliedFullWidth(by: before.total)
    let other = before.covered.multipliedFullWidth(by: total)
    return (one.high, one.low) < (other.high, other.low)
  }
}

extension CoverageShare.Causes {
  fileprivate init(_ comparison: CoverageComparison) {
    self.init(
      uncovered: comparison.lostLines + comparison.lines(.newNeverRan),
      included: comparison.lines(.includedNeverRan),
      removed: Self.files(comparison, .deletedRan, madeUpBy: .newRan),
      excluded: Self.files(comparison, .excludedRan, madeUpBy: .includedRan), unmapped: comparison.unmapped)
  }

  /// Counts by file the lines that ran and are no longer code.
  ///
  /// Code that was only rewritten or reformatted is both gone and new in the same file. As many gone lines as the
  /// `counterpart` category holds are therefore not counted, nor are those of a file in which no fewer lines ran than
  /// before, apart from the lost ones.
  private static func files(
    _ comparison: CoverageComparison, _ category: ChangeCategory, madeUpBy counterpart: ChangeCategory
  ) -> [CoverageShare.FileCount] {
    comparison.files.filter(\.ranLessWithoutLost).map { file in
      CoverageShare.FileCount(path: file.path, count: file.counts[category] - file.counts[counterpart])
    }.filter { $0.count > 0 }
  }
}

extension CoverageShare.Hiding {
  fileprivate init(_ comparison: CoverageComparison, now: Coverage) {
    let leftOut = comparison.leftOut
    let isByTotals = comparison.before.lines.total > 0 && comparison.files.isEmpty && comparison.unmapped.isEmpty
    self.init(
      isKnown: !isByTotals || now.exclusions.isEmpty, lines: leftOut,
      unmapped: comparison.unmapped.filter { leftOut.unknown.contains($0.path) }, wouldFall: nil)
    guard isKnown, leftOut.hiddenCount > 0 else { return }
    let (lines, before) = (now.totals.lines, comparison.before.lines)
    func falls(_ running: Int) -> Bool {
      CoverageShare.isLess(lines.covered + running, of: lines.total + leftOut.hiddenCount, than: before)
    }
    wouldFall =
      falls(leftOut.runningNow.upperBound) ? true : falls(leftOut.runningNow.lowerBound) ? false : nil
  }
}

extension CoverageComparison {
  /// The number of lines that would be lost or gained if they did not run by chance.
  fileprivate func countByChance(_ category: ChangeCategory) -> Int {
    files.reduce(0) { $0 + $1.byChance.count { $0.category == category } }
  }
}

extension FileComparison {
  /// Whether the number of lines that ran fell by more than the lost ones, ignoring lines that run by chance.
  fileprivate var ranLessWithoutLost: Bool {
    let counts = counts
    return counts[.deletedRan] + counts[.excludedRan] > counts[.newRan] + counts[.includedRan] + lines(.gained).count
  }
}
