import Model

extension SourcePage {
  /// Returns the figures of the file, each with its change.
  func figures(_ file: FileCoverage) -> [String: TemplateValue] {
    let lines = file.totals.lines
    let branches = file.totals.branches ?? Tally()
    let isComparable = plan.isCounted && report.isComparable
    let before = totalsBefore(of: file)
    func chance(_ count: (CoverageTotals) -> Int?) -> Int { byChance.chance(in: count, from: before, to: file.totals) }
    func change(_ tally: (CoverageTotals) -> Tally?) -> TemplateValue {
      guard let before, let now = tally(file.totals), let then = tally(before) else { return .missing }
      return Delta(now, from: then, byChance: chance { tally($0)?.uncovered }).record
    }
    let ranDelta = (before?.lines.covered).flatMap { Delta(lines.covered, from: $0, .neutral) }
    return [
      "headerNote": file.isHeader && lines.total > 0 ? .text(HeaderWords.note) : .missing,
      "neverRan": .text(file.neverRanWords),
      "glyph": .text(plan.isCounted ? CoverageWords.glyph(of: lines) : TestState.notRun.glyph),
      "isWhole": .flag(lines.uncovered == 0 && lines.partial == 0),
      "hasCode": .flag(lines.total > 0),
      "uncovered": .text(CountText.plain(lines.uncovered)),
      "uncoveredDelta": (before?.lines.uncovered).flatMap {
        Delta(lines.uncovered, from: $0, .moreIsWorse, byChance: byChance.uncoveredChange)
      }.record,
      "hasNeverRan": .flag(lines.uncovered > 0),
      "partly": .text(CountText.plain(lines.partial)),
      "hasPartlyRan": .flag(lines.partial > 0),
      "partlyDelta": (before?.lines.partial).flatMap {
        Delta(lines.partial, from: $0, .moreIsWorse, byChance: chance { $0.lines.partial })
      }.record,
      "ran": ranDelta == nil ? .missing : .text(CountText.counted(lines.covered, "line")),
      "ranDelta": ranDelta.record,
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "functionFigure": tally(
        file.totals.functions, before?.functions, of: file.functionSum,
        file.isHeader ? "without a counted call" : "never called", "called"),
      "regionFigure": tally(
        file.totals.regions, before?.regions, of: CountText.counted(file.totals.regions.total, "region"),
        file.neverRanWords, "ran"),
      "functionDelta": change { $0.functions },
      "regionDelta": change { $0.regions },
      "branchFigure": tally(
        branches, before?.branches, of: CountText.counted(branches.total, "branch", "branches"),
        file.isHeader ? file.neverRanWords : "never taken", "taken"),
      "branchDelta": change { $0.branches },
      "bar": .html(CoverageBar(lines: lines, width: 400).html()),
      "hasLeftOut": .flag(!file.leftOut.isEmpty),
      "incidental": file.incidental.isEmpty
        ? .missing : .text("\(CountText.counted(file.incidental.count, "line")) only at start-up"),
      "new": isComparable && before == nil ? .text(isAdded ? "new file" : "not counted before") : .missing,
      "incomplete": .shown(ifAny: report.incompleteReason),
      "difference": plan.kind == .test ? .missing : difference(file),
      "hasBlocks": .flag(!listedStops.isEmpty),
      "blocksHeading": .text(
        lines.uncovered == 0
          ? "Partly ran"
          : listedStops.count < shownStops.count ? "Uncovered inside functions" : "Uncovered blocks"),
      "hasWays": .flag(shownStops.count > 1 || !shownStops.isEmpty && neighbours.hasAny),
    ]
  }

  /// The stops, without the blocks that are a whole function that was never called: its row has their lines.
  var listedStops: [ClosedRange<Int>] {
    guard let file = plan.coverage, file.totals.lines.uncovered > 0, !file.isHeader else { return shownStops }
    let uncalled = file.functions.lazy.filter { $0.count == 0 && !$0.isOnlyFolded }
    let whole = Set(uncalled.map { $0.line...max($0.line, $0.lastLine) })
    return shownStops.filter { !whole.contains($0) }
  }

  private func totalsBefore(of file: FileCoverage) -> CoverageTotals? {
    plan.isCounted && report.isComparable ? report.integration.baseline?.files[file.path] : nil
  }

  /// Returns whether a figure counts the functions, because some are not called or were not before.
  func tellsFunctions(of file: FileCoverage) -> Bool {
    [file.totals.functions, totalsBefore(of: file)?.functions].contains { $0?.uncovered ?? 0 > 0 }
  }

  /// Returns why llvm-cov prints different figures for lines and branches.
  private func difference(_ file: FileCoverage) -> TemplateValue {
    let lines = CoverageWords.difference(
      file.llvmLines, from: file.totals.lines, excluded: report.coverage?.excludedLines(of: [file]) ?? LineTally())
    let branches = report.coverage.flatMap { BranchWords.difference([file], in: $0) }
    let sentences = [lines, branches].compactMap { $0 }
    return sentences.isEmpty ? .missing : .text(sentences.joined(separator: " "))
  }

  var byChance: CategoryCounts { report.integration.byChance(in: plan.path) }

  /// Missing where nothing is uncovered, now or before.
  private func tally(
    _ tally: Tally, _ before: Tally?, of all: String, _ never: String, _ did: String
  ) -> TemplateValue {
    guard tally.uncovered > 0 || (before?.uncovered ?? 0) > 0 else { return .missing }
    return .text(CoverageWords.figure(tally, of: all, never: never, did: did))
  }
}
