package import Model

/// The words that pages use for changes in the coverage.
package enum ChangeWords {
  /// Returns the meaning of a category, without its code, and how many of its lines run by chance.
  ///
  /// - Parameter isHeader: whether all of the lines belong to a C header.
  package static func meaning(
    of category: ChangeCategory, since baseline: Int, byChance: Int, isHeader: Bool = false
  ) -> String {
    let inHeader = isHeader ? meaningInHeader(of: category, since: baseline) : nil
    let meaning = inHeader ?? meaning(of: category, since: baseline)
    return byChance == 0 ? meaning : "\(meaning); by chance in \(CountText.counted(byChance, "line"))"
  }

  /// Returns the meaning of a category in a header, where not every run is counted; nil if that makes no difference.
  private static func meaningInHeader(of category: ChangeCategory, since baseline: Int) -> String? {
    switch category {
    case .newNeverRan: "new, without a counted run"
    case .lost: "ran in \(baseline), without a counted run now"
    case .includedNeverRan: "counted only now, without a counted run"
    case .stillNeverRan: "without a counted run, then and now"
    case .gained: "had no counted run in \(baseline), runs now"
    case .excludedNeverRan: "no longer counted, had no counted run"
    case .deletedNeverRan: "deleted, had no counted run"
    case .includedRan, .newRan, .stillRan, .excludedRan, .deletedRan: nil
    }
  }

  private static func meaning(of category: ChangeCategory, since baseline: Int) -> String {
    switch category {
    case .newNeverRan: "new, never ran"
    case .lost: "ran in \(baseline), no longer"
    case .includedNeverRan: "counted only now, never ran"
    case .stillNeverRan: "never ran, then and now"
    case .gained: "did not run in \(baseline), runs now"
    case .includedRan: "counted only now, ran"
    case .newRan: "new, ran"
    case .stillRan: "ran, then and now"
    case .excludedNeverRan: "no longer counted, had never run"
    case .excludedRan: "no longer counted, had run"
    case .deletedNeverRan: "deleted, had never run"
    case .deletedRan: "deleted, had run"
    }
  }

  /// Returns the style of a category: `worse`, `better` or empty.
  static func tone(of category: ChangeCategory) -> String {
    switch category {
    case .newNeverRan, .lost, .includedNeverRan: "worse"
    case .gained, .newRan, .includedRan: "better"
    default: ""
    }
  }

  /// Returns how often a line ran before, as a phrase.
  static func before(_ count: UInt64?, in baseline: Int) -> String { before([count].compactMap { $0 }, in: baseline) }

  /// Returns how often the lines of a block ran before, as a phrase; if the counts differ, the largest is only an upper
  /// bound.
  static func before(_ counts: [UInt64], in baseline: Int) -> String {
    guard let most = counts.max(), let words = RunCountText.short(most) else { return "ran in \(baseline)" }
    return "ran \(counts.allSatisfy { $0 == most } ? "" : "up to ")\(words)× in \(baseline)"
  }

  /// Returns the note below the categories if their region sums differ from the other figures of the page; otherwise
  /// nil.
  /// - Parameter words: the words after the number of regions without a count.
  static func regionSums(
    _ categories: CategoryCounts, beside figures: Tally, words: String = "never ran"
  ) -> String? {
    let sum = categories.now
    guard sum != figures else { return nil }
    if sum.total == 0 {
      return "The table has no regions: all are left out or were not compared. Of llvm-cov\u{2019}s "
        + "\(CountText.plain(figures.total)), \(CountText.plain(figures.uncovered)) \(words)."
    }
    return "Of today\u{2019}s regions the table has \(CountText.plain(sum.total)), "
      + "\(CountText.plain(sum.uncovered)) of them \(words); the other figures are llvm-cov\u{2019}s, "
      + "\(CountText.plain(figures.total)) and \(CountText.plain(figures.uncovered)). The table counts each place once, "
      + "without what is left out or was not compared."
  }

  /// Returns the rows of a page's table, without empty categories.
  ///
  /// - Parameters:
  ///   - newPartly: how many of the new lines that ran did so only in part.
  ///   - isHeader: whether the page belongs to a C header.
  static func rows(
    lines: CategoryCounts, newPartly: Int, byChance: CategoryCounts, regions: CategoryCounts, since baseline: Int,
    isHeader: Bool = false
  ) -> TemplateValue {
    func row(_ meaning: String, _ tone: String, lines: Int, regions: String) -> TemplateValue {
      .record([
        "meaning": .text(meaning), "tone": .text(tone), "lines": .text(CountText.plain(lines)),
        "regions": .text(regions),
      ])
    }
    return .list(
      ChangeCategory.allCases.flatMap { category -> [TemplateValue] in
        let partly = category == .newRan ? newPartly : 0
        let (lines, regions) = (lines[category] - partly, regions[category])
        // A region runs or does not.
        let first = partly > 0 ? [row("new, partly ran", "part", lines: partly, regions: "–")] : []
        guard lines > 0 || regions > 0 else { return first }
        let meaning =
          partly > 0
          ? "new, ran in full"
          : meaning(of: category, since: baseline, byChance: byChance[category], isHeader: isHeader)
        return first + [row(meaning, tone(of: category), lines: lines, regions: CountText.plain(regions))]
      })
  }
}
