import Model

extension SourcePage {
  /// The figures of the file, each with its change.
  func figures(_ file: FileCoverage) -> [String: TemplateValue] {
    let lines = file.totals.lines
    let coverage = integration.coverage.coverage
    let isComparable = plan.isCounted && coverage?.isComplete == true && integration.baseline?.totals != nil
    let before = isComparable ? integration.baseline?.files[file.path] : nil
    return [
      "glyph": .text(lines.uncovered > 0 ? "failed" : lines.partial > 0 ? "warning" : "passed"),
      "isWhole": .flag(lines.uncovered == 0 && lines.partial == 0),
      "hasCode": .flag(lines.total > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "uncoveredDelta": before.map { Delta(lines.uncovered, from: $0.lines.uncovered, .moreIsWorse) }.record,
      "partly": .text(CountText.plain(lines.partial)),
      "partlyDelta": before.map { Delta(lines.partial, from: $0.lines.partial, .moreIsWorse) }.record,
      "ran": .text(CountText.plain(lines.covered)),
      "ranDelta": before.map { Delta(lines.covered, from: $0.lines.covered, .neutral) }.record,
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "functionFigure": tally(file.totals.functions, "function", "never called"),
      "regionFigure": tally(file.totals.regions, "region", "never ran"),
      "functionDelta": before.map { Delta(file.totals.functions.uncovered, from: $0.functions.uncovered, .moreIsWorse) }
        .record,
      "regionDelta": before.map { Delta(file.totals.regions.uncovered, from: $0.regions.uncovered, .moreIsWorse) }
        .record,
      "bar": .html(CoverageBar(lines: lines, width: 400).html(isLabelled: true)),
      "incidental": file.incidental.isEmpty
        ? .missing : .text("\(CountText.counted(file.incidental.count, "line")) only at start-up"),
      "isNew": .flag(isComparable && before == nil),
      "incomplete": coverage?.isComplete == false
        ? .shown(coverage?.reason ?? "A process left no counters.") : .missing,
      "difference": .optional(
        CoverageWords.difference(file.llvmLines, from: lines, excluded: coverage?.excludedLines(of: [file]) ?? 0)),
      "hasBlocks": .flag(!plan.blocks.isEmpty),
    ]
  }

  private func tally(_ tally: Tally, _ noun: String, _ verb: String) -> TemplateValue {
    guard tally.total > 0 else { return .missing }
    return .text("\(CountText.plain(tally.uncovered)) of \(CountText.counted(tally.total, noun)) \(verb)")
  }
}
