import Model

extension SourcePlan {
  /// Combines all that the listing, the outline and the lists of the file's pages are made from.
  ///
  /// A property that a page comes to show and that is not here would leave an old page in the place of a new one.
  func combine(into hash: inout PageHash) {
    hash.combine(path)
    hash.combine(bytes)
    for page in pages { hash.combine(page) }
    for part in parts {
      hash.combine(part.lowerBound)
      hash.combine(part.upperBound)
    }
    hash.combine(bubbles.count)
    for (line, bubbles) in bubbles.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(bubbles.count)
      for bubble in bubbles { hash.combine(bubble.bytes) }
    }
    hash.combine(targets.count)
    for target in targets.sorted() { hash.combine(target) }
    marks.combine(into: &hash)
    history.combine(into: &hash)
    hash.combine(coverage != nil)
    if let coverage { hash.combine(coverage) }
  }
}

extension PageHash {
  /// Everything that is known of the lines and functions of a file; its totals are in the words of the page.
  fileprivate mutating func combine(_ coverage: FileCoverage) {
    combine(coverage.path)
    combine(coverage.lines.count)
    for line in coverage.lines {
      combine(line.line)
      combine(line.count)
      switch line.state {
      case .ran: combine(0)
      case .partlyRan: combine(1)
      case .neverRan: combine(2)
      }
    }
    combine(coverage.incidental.count)
    for line in coverage.incidental { combine(line) }
    combine(coverage.leftOut.count)
    for line in coverage.leftOut { combine(line) }
    combine(coverage.deadStretches.count)
    for stretch in coverage.deadStretches {
      combine(stretch.line)
      combine(stretch.columns.lowerBound)
      combine(stretch.columns.upperBound)
    }
    combine(coverage.conditions.count)
    for condition in coverage.conditions {
      combine(condition.line)
      combine(condition.start.column)
      combine(condition.trueCount)
      combine(condition.falseCount)
    }
    combine(coverage.functions.count)
    // By index, and not as copies, each of which would count a reference to every part of a function.
    for index in coverage.functions.indices {
      combine(coverage.functions[index].name)
      combine(coverage.functions[index].count)
      combine(coverage.functions[index].folded.count)
      combine(FunctionCoverage.partWords(of: coverage.functions[index].folded))
      combine(coverage.functions[index].regions)
    }
  }

  private mutating func combine(_ regions: [CoverageRegion]) {
    combine(regions.count)
    for region in regions {
      combine(UInt64(truncatingIfNeeded: region.start.line) << 32 ^ UInt64(truncatingIfNeeded: region.start.column))
      combine(UInt64(truncatingIfNeeded: region.end.line) << 32 ^ UInt64(truncatingIfNeeded: region.end.column))
      combine(region.count)
    }
  }
}
