import Model

extension SourcePage {
  /// The integration compared with, for a file in which something changed.
  ///
  /// Nothing is said about a file that is as it was, so that its page is the same in every integration.
  private var comparison: (baseline: Int, file: FileComparison)? {
    guard let comparison = report.integration.changes?.comparison.value, let file = comparison.file(at: plan.path),
      file.isChanged
    else { return nil }
    return (comparison.baseline, file)
  }

  /// What changed in the file, by category.
  var since: TemplateValue {
    guard let (baseline, file) = comparison else { return .missing }
    return .record([
      "baseline": .text("\(baseline)"),
      "oldPath": .shown(ifAny: file.oldPath),
      "rows": ChangeWords.rows(
        lines: file.counts, byChance: CategoryCounts(file.byChance.map(\.category)), regions: file.regions,
        since: baseline, isHeader: SourceSuffix.isHeader(plan.path)),
      "regionSums": .optional(
        plan.coverage.flatMap {
          ChangeWords.regionSums(file.regions, beside: $0.totals.regions, words: $0.neverRanWords)
        }),
    ])
  }

  /// The changed lines of the file that never ran, in words.
  var patchFigure: TemplateValue {
    guard let patch = report.integration.changes?.patch.value, patch.origin != .nothing, let coverage = plan.coverage,
      let tally = patch.files.first(where: { $0.path == plan.path })?.tally
    else { return .missing }
    return .text(
      "\(CountText.plain(tally.uncovered)) of \(CountText.counted(tally.total, "changed line")) \(coverage.neverRanWords)"
    )
  }

  /// The list of the blocks, each with the marks of its lines, so that it can follow the choice of lines.
  var blocks: TemplateValue {
    .list(
      shownBlocks.map { block in
        .record([
          "line": plan.shows(line: block.lines.lowerBound) ? .number(block.lines.lowerBound) : .missing,
          "changes": .shown(ifAny: plan.marks.keys(in: block.lines)),
          "words": .text(
            block.lines.count == 1
              ? "Line \(block.lines.lowerBound)" : "Lines \(block.lines.lowerBound)–\(block.lines.upperBound)"),
          "count": .text(CountText.plain(block.lines.count)),
        ])
      })
  }

  /// The marks that the listing shows.
  var legend: TemplateValue {
    let entries = plan.marks.legend
    guard !entries.isEmpty else { return .missing }
    return .record([
      "entries": .list(
        entries.map { mark, words in
          let face = mark.face
          return .record([
            "sign": .text(face.sign), "style": .optional(face.style), "isAdded": .flag(face.isAdded),
            "words": .text(words), "key": .text(face.key),
          ])
        })
    ])
  }
}
