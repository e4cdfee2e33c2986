import Model

/// The page about the coverage of all counted files.
struct CoverageOverview {
  let integration: Integration
  /// Nil when there is no coverage.
  let tree: CoverageTree?
  /// Which rows of the tree this page has; nil when there is no coverage.
  let cut: TreeCut?
  /// What the counted files are called.
  let names: ShortPaths
  /// Where a line of a file is shown.
  let link: (String, Int?) -> String?
  /// The text of a file.
  let source: (String) -> HighlightedSource?
  /// The bytes of the same text.
  let text: (String) -> [UInt8]?

  func frame(_ facts: ReportFacts) -> PageFrame {
    let name = "\(integration.bot) \(integration.number)"
    let title: String
    if let lines = integration.coverage.coverage?.totals.lines {
      title = "Coverage of \(name): \(CountText.counted(lines.uncovered, "line")) never ran"
    } else {
      title = "\(name) has no coverage"
    }
    return PageFrame(title: title, root: "", section: .coverage, trail: [.init("Coverage")], facts: facts)
  }

  var record: [String: TemplateValue] {
    switch integration.coverage {
    case .unavailable(let reason): ["unavailable": .shown(reason), "coverage": .missing]
    case .available(let coverage): ["unavailable": .missing, "coverage": .record(content(coverage))]
    }
  }

  /// The baseline, unless counters are missing here: then a change says nothing about the code.
  private var comparable: Baseline? {
    integration.coverage.coverage?.isComplete == true ? integration.baseline : nil
  }

  private func content(_ coverage: Coverage) -> [String: TemplateValue] {
    let totals = coverage.totals
    let before = comparable?.totals
    let entries = changeEntries(coverage)
    let worst = worst(besideChanges: entries.shown.count)
    let record: [String: TemplateValue] = [
      "changes": changes(coverage, entries),
      "categories": categories(coverage),
      "hasChanges": .flag(showsChanges),
      "hasCode": .flag(totals.lines.total > 0),
      "blocks": blocks(coverage),
      "blockCount": .text(blockCount(coverage)),
      "worst": rows(worst),
      // Beside the worst files they stand where a change would.
      "blocksBelow": .flag(
        coverage.files.contains { !$0.uncoveredBlocks.isEmpty } && (showsChanges || worst.isEmpty)),
      "bodies": bodies(coverage),
      "cutWords": .optional(cutWords(coverage)),
      "hasFolders": .flag(true),
      "total": CoverageTree.Node(
        kind: .target, name: "All counted files", totals: totals, before: before, change: tree?.change
      )
      .row(depth: 0, link: nil),
      "counted": .text(
        "\(CountText.counted(coverage.files.count, "file")) of the package's own targets, tests excepted"),
      "difference": .optional(
        CoverageWords.difference(
          coverage.files.reduce(Tally()) { $0 + $1.llvmLines }, from: totals.lines,
          excluded: coverage.excludedLines(of: coverage.files))),
      "hasBranches": .flag(totals.branches != nil),
      "branchWords": .optional(BranchWords.counted(coverage)),
      "headers": .optional(HeaderWords.note(coverage)),
      "gone": gone(coverage),
      "unmeasured": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts())),
      "foreign": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.foreign))),
      "plugins": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.plugin))),
      "macros": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.macro))),
      "unbuilt": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.unbuilt))),
      "uncounted": UncountedList(coverage.uncounted, link: { link($0, nil) }).record,
      "excluded": excluded(coverage),
      "next": next(coverage),
      "profiles": .text(
        "\(CountText.counted(coverage.profilesRead, "profile")) read, \(CountText.plain(coverage.profilesRejected)) rejected"
      ),
    ]
    return record.merging(answer(coverage)) { value, _ in value }.merging(orders(coverage)) { value, _ in value }
  }

  /// What the first screen says of the whole.
  private func answer(_ coverage: Coverage) -> [String: TemplateValue] {
    let lines = coverage.totals.lines
    let before = comparable?.totals
    return [
      "heading": .text(CoverageWords.heading(coverage, baseline: comparable)),
      "glyph": .text(CoverageWords.glyph(of: lines)),
      "symbol": .text(CoverageWords.symbol(of: lines)),
      "selection": .optional(selection),
      "incomplete": coverage.isComplete ? .missing : .shown(coverage.reason ?? "A process left no counters."),
      "isComplete": .flag(coverage.isComplete),
      "ran": .text("\(CountText.plain(lines.covered)) of \(CountText.counted(lines.total, "line")) ran"),
      "ranDelta": before.map { Delta(lines.covered, from: $0.lines.covered, .neutral) }.record,
      "ranShare": .optional(CountText.percent(lines.covered, of: lines.total)),
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "shareDelta": before.flatMap { CoverageWords.points(lines, from: $0.lines) }.map {
        .record(["text": .text($0.text), "tone": .text($0.tone)])
      } ?? .missing,
      "otherExclusions": otherExclusions(coverage),
      "incidental": .optional(CoverageWords.incidental(coverage)),
      "startUp": coverage.incidental?.value.flatMap {
        $0 > 0 ? .text("\(CountText.plain($0)) of them only at start-up") : nil
      } ?? .missing,
      "figures": figures(coverage, before: before),
    ]
  }

  /// How many of the tests could run these lines; nil when all of them could.
  private var selection: String? {
    let counts = integration.tests.counts
    guard counts.filteredOut > 0 else { return nil }
    let all = CountText.counted(counts.listed + counts.filteredOut, "test")
    return "only \(CountText.plain(counts.listed)) of \(all) \(counts.listed == 1 ? "was" : "were") selected"
  }

  /// The pages with the files in other orders, where there is something to order.
  private func orders(_ coverage: Coverage) -> [String: TemplateValue] {
    let shown = FileList.Order.shown(for: coverage.totals)
    return Dictionary(
      uniqueKeysWithValues: FileList.Order.allCases.map { order in
        (order.key, coverage.files.count > 1 && shown.contains(order) ? .text(order.path) : .missing)
      })
  }

  private func bodies(_ coverage: Coverage) -> TemplateValue {
    guard let tree, let cut else { return [] }
    let functions = FunctionLists(coverage.files, changes: integration.changes, link: link)
    return tree.bodies(cut, functions: { functions.html(of: $0) }, link: { link($0, nil) })
  }

  /// What a reader of a tree that is too long for one page has to know; nil of any other.
  private func cutWords(_ coverage: Coverage) -> String? {
    guard let cut, !cut.branches.isEmpty, let tree else { return nil }
    let shown = tree.targets.reduce(0) { count, target in
      count + target.files.count { cut.shows($0, in: target) }
    }
    let order =
      (showsChanges ? "first those that this change touched, then " : "") + "those with the most uncovered lines"
    return
      "\(CountText.plain(shown)) of \(CountText.counted(coverage.files.count, "file")) have rows here, \(order); the "
      + "links of directories and targets lead to all of theirs. Names are filtered among these rows only."
  }

  private func figures(_ coverage: Coverage, before: CoverageTotals?) -> TemplateValue {
    let totals = coverage.totals
    let lines = totals.lines
    let bar = CoverageBar(lines: lines, width: 200).html(isLabelled: true)
    let gaps = coverage.files.count { $0.totals.lines.uncovered > 0 }
    let (functions, regions) = (totals.functions, totals.regions)
    let partly = Self.figure(
      "Partly ran", lines.partial, before?.lines.partial,
      CountText.counted(lines.covered, "line that ran", "lines that ran"))
    let uncovered = Self.figure(
      "Uncovered lines", lines.uncovered, before?.lines.uncovered, CountText.counted(lines.total, "line"), bar: bar)
    if showsChanges {
      let rest =
        "\(CountText.counted(functions.total, "function")), closures included; \(CountText.plain(regions.uncovered)) of "
        + "\(CountText.counted(regions.total, "region")) never ran"
      return .list(
        [uncovered] + changeFigures() + [
          partly, Self.figure("Functions never called", functions.uncovered, before?.functions.uncovered, rest),
        ])
    }
    return [
      uncovered, partly,
      Self.figure(
        "Functions never called", functions.uncovered, before?.functions.uncovered,
        "\(CountText.counted(functions.total, "function")), closures included"),
      Self.figure(
        "Regions never ran", regions.uncovered, before?.regions.uncovered, CountText.counted(regions.total, "region")),
      Self.figure(
        "Files with gaps", gaps, before == nil ? nil : comparable?.files.values.count { $0.lines.uncovered > 0 },
        CountText.counted(coverage.files.count, "file")),
    ]
  }

  private static func figure(
    _ name: String, _ now: Int, _ before: Int?, _ whole: String, bar: SafeHTML? = nil
  ) -> TemplateValue {
    .record([
      "name": .text(name), "value": .text(CountText.plain(now)),
      "delta": before.map { Delta(now, from: $0, .moreIsWorse) }.record,
      "whole": .text("of \(whole)"), "bar": bar.map { .html($0) } ?? .missing,
      "unit": .missing, "link": .missing,
    ])
  }

  /// Files that the baseline counted and this integration does not, so that a better figure cannot come from hiding.
  private func gone(_ coverage: Coverage) -> TemplateValue {
    guard let baseline = integration.baseline, baseline.totals != nil else { return .missing }
    let here = Set(coverage.files.map(\.path))
    let names = baseline.files.keys.filter { !here.contains($0) }.sorted()
    guard !names.isEmpty else { return .missing }
    let listed = names.prefix(12).map { path in
      "\(path) (\(CountText.counted(baseline.files[path]?.lines.total ?? 0, "line")))"
    }
    let more = names.count > 12 ? ["\(CountText.plain(names.count - 12)) more"] : []
    return .shown("counted in \(baseline.coverageNumber), not here: \(CountText.list(listed + more))")
  }
}
