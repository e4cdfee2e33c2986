import Model

extension SourcePage {
  /// The figures of the file, each with its change.
  func figures(_ file: FileCoverage) -> [String: TemplateValue] {
    let lines = file.totals.lines
    let branches = file.totals.branches ?? Tally()
    let isComparable = plan.isCounted && report.isComparable
    let before = isComparable ? report.integration.baseline?.files[file.path] : nil
    return [
      "headerNote": file.isHeader && lines.total > 0 ? .text(HeaderWords.note) : .missing,
      "neverRan": .text(file.neverRanWords),
      "glyph": .text(CoverageWords.glyph(of: lines)),
      "isWhole": .flag(lines.uncovered == 0 && lines.partial == 0),
      "hasCode": .flag(lines.total > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "uncoveredDelta": Self.change(lines.uncovered, from: before?.lines.uncovered, .moreIsWorse),
      "hasNeverRan": .flag(lines.uncovered > 0),
      "partly": .text(CountText.plain(lines.partial)),
      "hasPartlyRan": .flag(lines.partial > 0),
      "partlyDelta": Self.change(lines.partial, from: before?.lines.partial, .moreIsWorse),
      "ran": .text(CountText.plain(lines.covered)),
      "ranDelta": Self.change(lines.covered, from: before?.lines.covered, .neutral),
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "functionFigure": tally(
        file.totals.functions, "function", "functions", file.isHeader ? "without a counted call" : "never called"),
      "regionFigure": tally(file.totals.regions, "region", "regions", file.neverRanWords),
      "functionDelta": Self.change(file.totals.functions.uncovered, from: before?.functions.uncovered, .moreIsWorse),
      "regionDelta": Self.change(file.totals.regions.uncovered, from: before?.regions.uncovered, .moreIsWorse),
      "branchFigure": tally(branches, "branch", "branches", file.isHeader ? file.neverRanWords : "never taken"),
      "branchDelta": Self.change(branches.uncovered, from: before?.branches?.uncovered, .moreIsWorse),
      "bar": .html(CoverageBar(lines: lines, width: 400).html()),
      "hasLeftOut": .flag(!file.leftOut.isEmpty),
      "incidental": file.incidental.isEmpty
        ? .missing : .text("\(CountText.counted(file.incidental.count, "line")) only at start-up"),
      "isNew": .flag(isComparable && before == nil),
      "incomplete": .shown(ifAny: report.incompleteReason),
      "difference": difference(file),
      "hasBlocks": .flag(!shownBlocks.isEmpty),
      "hasWays": .flag(shownBlocks.count > 1 || !shownBlocks.isEmpty && neighbours.hasAny),
    ]
  }

  /// Why llvm-cov prints other figures of lines and branches.
  private func difference(_ file: FileCoverage) -> TemplateValue {
    let lines = CoverageWords.difference(
      file.llvmLines, from: file.totals.lines, excluded: report.coverage?.excludedLines(of: [file]) ?? LineTally())
    let branches = report.coverage.flatMap { BranchWords.difference([file], in: $0) }
    let sentences = [lines, branches].compactMap { $0 }
    return sentences.isEmpty ? .missing : .text(sentences.joined(separator: " "))
  }

  /// A change against the baseline; what is as it was needs no word on the page of a file.
  private static func change(_ now: Int, from before: Int?, _ direction: Delta.Direction) -> TemplateValue {
    guard let before, before != now else { return .missing }
    return Delta(now, from: before, direction).record
  }

  private func tally(_ tally: Tally, _ noun: String, _ nouns: String, _ verb: String) -> TemplateValue {
    guard tally.total > 0 else { return .missing }
    return .text("\(CountText.plain(tally.uncovered)) of \(CountText.counted(tally.total, noun, nouns)) \(verb)")
  }
}
