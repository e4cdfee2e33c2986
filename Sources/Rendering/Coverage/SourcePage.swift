import Model

/// The page of one source file, or of one part of a long one.
struct SourcePage {
  /// The neighbours of a file in the order of the coverage page, and its directory.
  struct Surroundings {
    var previous: SourcePlan?
    var next: SourcePlan?
    /// The nearest files with uncovered blocks.
    var previousGap: SourcePlan?
    var nextGap: SourcePlan?
    /// Nil if it has no page.
    var directory: TreeCut.Directory?
  }

  let plan: SourcePlan
  let part: Int
  let surroundings: Surroundings
  let report: SharedIntegration
  /// All tests of the map, each with the address of its row.
  let tests: [SourceTests.Named]
  let verdict: SourceVerdict
  /// Who probably turned tests red that failed in the file, by line.
  let suspects: [Int: TemplateValue]

  func frame(_ facts: ReportFacts) -> PageFrame {
    let title = "\(facts.bot): \(heading)"
    guard let coverage = plan.coverage, !leads else {
      return PageFrame(
        title: title, root: "../", section: .tests,
        trail: [.init("Tests", path: "tests.html"), .init(plan.fileName)], facts: facts, isShared: true)
    }
    guard plan.isCounted else {
      return PageFrame(
        title: title, root: "../", section: .coverage,
        trail: [.init("Coverage", path: "coverage.html"), .init("Not counted", path: "coverage.html#not-counted")]
          + [.init(plan.fileName)], facts: facts, isShared: true)
    }
    let target = PageFrame.Crumb(
      coverage.target, path: "\(facts.coveragePage)#\(CoverageTree.anchor(ofTarget: coverage.target))")
    let directory = surroundings.directory.map { [PageFrame.Crumb($0.name, path: $0.page)] } ?? []
    return PageFrame(
      title: title, root: "../", section: .coverage,
      trail: [.init("Coverage", path: facts.coveragePage), target] + directory + [.init(plan.fileName)], facts: facts,
      isShared: true)
  }

  /// Combines everything that the page is made from, except what the plan of its file contains.
  /// - Parameter words: the frame of the page and its words.
  func combine(_ words: [String: TemplateValue], into hash: inout PageHash) {
    let neighbours = plan.hasCoverage ? neighbours : SourceListing.Neighbours()
    for link in [neighbours.previous, neighbours.next] {
      hash.combine(link?.arrow)
      hash.combine(link?.words)
      hash.combine(link?.address)
    }
    hash.combine(.record(words))
  }

  /// Returns the parts that are expensive to make, and that depend only on the plan and the neighbours.
  func pictures(of source: HighlightedSource?, _ whole: SourceListing?) -> [String: TemplateValue] {
    let shown = source.map { listing(of: $0, whole) }
    return [
      "hasSprite": .flag(leads || !plan.remarks.bubbles.isEmpty),
      "listing": shown.map { .html($0.html) } ?? .missing,
      "isEmpty": .flag(source?.lineCount == 0),
      "hasPartCounts": .flag(shown?.hasPartCounts ?? false),
      "hasCounts": .flag(plan.kind != .test && plan.coverage?.lines.isEmpty == false),
      "hasMarks": .flag(plan.coverage.map { !$0.lines.isEmpty || !$0.leftOut.isEmpty } ?? false),
      "changeLegend": legend,
      "minimap": source == nil ? .missing : minimap,
      "staleLine": source.map(staleLine) ?? .missing,
      "blocks": blocks,
      "functions": functions,
      "gaps": gaps,
      "parts": parts,
      "hasOrigins": .flag(plan.remarks.history.hasOrigins),
    ]
  }

  /// Returns the words that occur once on the page, and those that depend on other files and integrations.
  var words: [String: TemplateValue] {
    [
      "heading": .text(heading),
      "verdict": leads ? .text(verdict.glyph) : .missing,
      "linesLead": leads ? .missing : .optional(verdict.bad),
      "failedLines": failedLines,
      "path": .shown(shownPath),
      "uncounted": leads
        ? .missing : .optional(plan.kind.map { UncountedList.sentence($0, group: plan.coverage?.target ?? "") }),
      "coverage": plan.coverage.map { .record(figures($0)) } ?? .missing,
      "since": since,
      "patchFigure": patchFigure,
      "byTest": plan.remarks.tests.record(shown: lines, tests: tests),
      "previous": link(to: surroundings.previous),
      "next": link(to: surroundings.next),
    ]
  }

  /// Whether the tests come first: in an uncounted source they matter more than the lines that ran.
  private var leads: Bool { !plan.hasCoverage || !plan.isCounted && !verdict.isEmpty }

  private var shownPath: String { UncountedList.shownPath(plan.path, plan.kind) }

  private var heading: String { "\(VisibleText.of(plan.fileName)): \(phrase)" }

  /// What the page is about, besides its file.
  private var phrase: String {
    guard let coverage = plan.coverage, !leads else { return verdict.phrase }
    return CoverageWords.phrase(
      coverage, isComplete: report.isComplete, lost: comparison?.file.lines(.lost).count ?? 0,
      byChance: coverage.totals.lines.uncovered == 0 ? byChance[.gained] : 0)
  }

  private var lines: Range<Int> { plan.parts[part] }

  private func listing(of source: HighlightedSource, _ whole: SourceListing?) -> (html: SafeHTML, hasPartCounts: Bool) {
    guard var listing = whole else {
      let excerpt = AnnotatedExcerpt(source, lines: lines, bubbles: plan.remarks.bubbles)
      return (excerpt.html(caption: shownPath), false)
    }
    listing.neighbours = neighbours
    return (listing.html(lines: lines), listing.hasPartCounts(in: lines))
  }

  private var minimap: TemplateValue {
    guard let coverage = plan.coverage else { return .missing }
    return .html(Minimap(coverage, lines: lines).html)
  }

  /// The targets of "next" and "previous" at the last and the first block of this page.
  var neighbours: SourceListing.Neighbours {
    let before = plan.stops.last { $0.lines.lowerBound < lines.lowerBound }
    let after = plan.stops.first { $0.lines.lowerBound >= lines.upperBound && plan.shows(line: $0.lines.lowerBound) }
    return SourceListing.Neighbours(
      previous: before.map { gap("↑", "previous", "line \($0.lines.lowerBound)", neighbour($0)) }
        ?? surroundings.previousGap.map {
          gap("←", "previous", $0.fileName, $0.neighbour(ofLine: $0.stops.last?.lines.lowerBound))
        },
      next: after.map { gap("↓", "next", "line \($0.lines.lowerBound)", neighbour($0)) }
        ?? surroundings.nextGap.map {
          gap("→", "next", $0.fileName, $0.neighbour(ofLine: $0.stops.first?.lines.lowerBound))
        })
  }

  private func gap(_ arrow: String, _ which: String, _ place: String, _ address: String) -> SourceListing.Link {
    SourceListing.Link(arrow: arrow, words: "\(which) gap: \(place)", address: address)
  }

  /// The links to the nearest stops from a page without any; otherwise each stop has them.
  private var gaps: TemplateValue {
    guard plan.isCounted, shownStops.isEmpty else { return .missing }
    let (previous, next) = (neighbours.previous, neighbours.next)
    guard previous != nil || next != nil else { return .missing }
    func record(_ link: SourceListing.Link?, _ words: String) -> TemplateValue {
      link.map { .record(["words": .shown(words), "address": .text($0.address)]) } ?? .missing
    }
    return .record([
      "gapBefore": record(previous, previous.map { "\($0.arrow) \($0.words)" } ?? ""),
      "gapAfter": record(next, next.map { "\($0.words) \($0.arrow)" } ?? ""),
    ])
  }

  private func neighbour(_ block: UncoveredBlock) -> String {
    plan.neighbour(ofLine: block.lines.lowerBound)
  }

  /// Links to the lines that tests reported.
  private var failedLines: TemplateValue {
    guard !plan.remarks.bubbles.isEmpty else { return .missing }
    let lines = plan.remarks.bubbles.keys.sorted()
    let entries = lines.prefix(20).map { line in
      TemplateValue.record([
        "lead": .optional(verdict.lead(at: line)), "tests": verdict.tests(at: line), "line": .number(line),
        "suspect": suspects[line] ?? .missing,
        "link": .text(plan.neighbour(ofLine: line)),
      ])
    }
    let more = lines.count > 20 ? TemplateValue.text("and \(CountText.plain(lines.count - 20)) more") : .missing
    return .record(["entries": .list(entries), "more": more])
  }

  /// The stops on this page; if it is the only one, all of them, wherever the text ends.
  var shownStops: [UncoveredBlock] {
    plan.pages.count == 1 ? plan.stops : plan.stops.filter { lines.contains($0.lines.lowerBound) }
  }

  /// The functions of the file; on a part of it, those that begin there.
  private var functions: TemplateValue {
    guard let coverage = plan.coverage else { return .missing }
    let rows = FunctionRows(coverage, lines: plan.pages.count > 1 ? lines : nil)
    guard !rows.isEmpty else { return .missing }
    let names = rows.names()
    // What a figure above counts, where the rows are fewer.
    let tellsParts =
      plan.pages.count == 1 && coverage.totals.functions.uncovered > 0
      && coverage.functions.contains { !$0.folded.isEmpty }
    let head = [tellsParts ? coverage.functionWords : nil, names.owner.map { "of \($0)" }].compactMap(\.self)
    return .record([
      "rows": .html(rows.html(names: names.shown, shown: lines)),
      "head": .shown(ifAny: head.nonEmpty?.joined(separator: " ")),
    ])
  }

  private var parts: TemplateValue {
    guard plan.pages.count > 1 else { return .missing }
    let entries = plan.parts.indices.map { index in
      let range = plan.parts[index]
      let uncovered = plan.coverage.map { _ in plan.neverRanOfParts[index] }
      return TemplateValue.record([
        "words": .text(CountText.range(range.lowerBound, range.upperBound - 1)),
        "link": .text(plan.neighbour(ofLine: range.lowerBound)),
        "isHere": .flag(index == part),
        "uncovered": uncovered.map { .text("\(CountText.plain($0)) \(plan.coverage?.neverRanWords ?? "")") }
          ?? .missing,
      ])
    }
    return .record(["entries": .list(entries)])
  }

  /// Returns a warning if the coverage names lines that the text does not have, and thus belongs to another version.
  private func staleLine(_ source: HighlightedSource) -> TemplateValue {
    guard let last = plan.coverage?.lines.last?.line, last > source.lineCount else { return .missing }
    return .text(
      "The coverage names line \(last), but the file has \(CountText.counted(source.lineCount, "line")): "
        + "it was built from another version of the file.")
  }

  private func link(to plan: SourcePlan?) -> TemplateValue {
    plan.map { .record(["name": .shown($0.fileName), "address": .text($0.neighbour(ofLine: nil))]) } ?? .missing
  }
}

extension SourcePage {
  /// The baseline's number and the comparison, for a file that changed.
  ///
  /// Nil for an unchanged file, so that its page is the same in every integration.
  private var comparison: (baseline: Int, file: FileComparison)? {
    guard let comparison = report.integration.changes?.comparison.value, let file = comparison.file(at: plan.path),
      file.isChanged
    else { return nil }
    return (comparison.baseline, file)
  }

  /// Whether the file came with this change, whose figures are those of the file.
  private var isAdded: Bool {
    guard let file = comparison?.file, file.totalsBefore == nil, let total = plan.coverage?.totals.lines.total else {
      return false
    }
    return total > 0 && file.counts[.newRan] + file.counts[.newNeverRan] == total
  }

  /// The changes in the file, by category.
  var since: TemplateValue {
    guard let (baseline, file) = comparison, !isAdded else { return .missing }
    return .record([
      "baseline": .text("\(baseline)"),
      "oldPath": .shown(ifAny: file.oldPath),
      "rows": ChangeWords.rows(
        lines: file.counts, newPartly: file.newPartlyRan.count, byChance: file.countsByChance, regions: file.regions,
        since: baseline, isHeader: SourceSuffix.isHeader(plan.path)),
      "regionSums": .optional(
        plan.coverage.flatMap {
          ChangeWords.regionSums(file.regions, beside: $0.totals.regions, words: $0.neverRanWords)
        }),
    ])
  }

  /// The number of changed lines of the file that never ran, in words.
  var patchFigure: TemplateValue {
    guard let patch = report.integration.changes?.patch.value, patch.origin != .nothing, let coverage = plan.coverage,
      !isAdded, let tally = patch.files.first(where: { $0.path == plan.path })?.tally, tally.uncovered > 0
    else { return .missing }
    return .text(CoverageWords.changed(tally, neverRan: coverage.neverRanWords))
  }

  /// The blocks, each with the marks of its lines, so that the list can follow the selection of lines.
  var blocks: TemplateValue {
    .list(
      shownStops.map { block in
        .record([
          "line": plan.shows(line: block.lines.lowerBound) ? .number(block.lines.lowerBound) : .missing,
          "changes": .shown(ifAny: plan.remarks.marks.keys(in: block.lines)),
          "words": .text(
            block.lines.count == 1
              ? "Line \(block.lines.lowerBound)" : "Lines \(block.lines.lowerBound)–\(block.lines.upperBound)"),
          "count": .text(CountText.plain(block.lines.count)),
        ])
      })
  }

  /// The marks in the listing, with the choice of lines where it would leave some out.
  var legend: TemplateValue {
    let entries = plan.remarks.marks.legend
    guard !entries.isEmpty else { return .missing }
    let records = entries.map { mark, words in
      let face = mark.face
      return TemplateValue.record([
        "sign": .text(face.sign), "style": .optional(face.style), "isAdded": .flag(face.isAdded),
        "words": .text(words), "key": .text(face.key),
      ])
    }
    // Of a single kind, its lines are those of this change.
    let (isOneKind, hasChoice) = (entries.count == 1, leavesLinesOut)
    return .record([
      "hasChoice": .flag(hasChoice), "kinds": .list(isOneKind ? [] : records),
      "marks": .list(isOneKind || !hasChoice ? records : []),
    ])
  }

  /// Whether this change and what is near it is less than the whole file.
  private var leavesLinesOut: Bool {
    let marks = plan.remarks.marks
    let near = marks.context(around: plan.remarks.history.places, blocks: plan.stops)
    return lines.contains { !marks.lines.contains($0) && !near.contains($0) }
  }
}

extension SourcePage {
  /// Returns the figures of the file, each with its change.
  func figures(_ file: FileCoverage) -> [String: TemplateValue] {
    let lines = file.totals.lines
    let branches = file.totals.branches ?? Tally()
    let isComparable = plan.isCounted && report.isComparable
    let before = isComparable ? report.integration.baseline?.files[file.path] : nil
    func change(_ count: (CoverageTotals) -> Int?) -> TemplateValue {
      guard let before, let now = count(file.totals), let then = count(before) else { return .missing }
      let chance = byChance.chance(in: count, from: before, to: file.totals)
      return Delta(now, from: then, .moreIsWorse, byChance: chance).record
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
      "partlyDelta": change { $0.lines.partial },
      "ran": ranDelta == nil ? .missing : .text(CountText.counted(lines.covered, "line")),
      "ranDelta": ranDelta.record,
      "share": .optional(CountText.percent(lines.uncovered, of: lines.total)),
      "functionFigure": tally(
        file.totals.functions, before?.functions, of: file.functionSum,
        file.isHeader ? "without a counted call" : "never called"),
      "regionFigure": tally(
        file.totals.regions, before?.regions, of: CountText.counted(file.totals.regions.total, "region"),
        file.neverRanWords),
      "functionDelta": change { $0.functions.uncovered },
      "regionDelta": change { $0.regions.uncovered },
      "branchFigure": tally(
        branches, before?.branches, of: CountText.counted(branches.total, "branch", "branches"),
        file.isHeader ? file.neverRanWords : "never taken"),
      "branchDelta": change { $0.branches?.uncovered },
      "bar": .html(CoverageBar(lines: lines, width: 400).html()),
      "hasLeftOut": .flag(!file.leftOut.isEmpty),
      "incidental": file.incidental.isEmpty
        ? .missing : .text("\(CountText.counted(file.incidental.count, "line")) only at start-up"),
      "new": isComparable && before == nil ? .text(isAdded ? "new file" : "not counted before") : .missing,
      "incomplete": .shown(ifAny: report.incompleteReason),
      "difference": plan.kind == .test ? .missing : difference(file),
      "hasBlocks": .flag(!shownStops.isEmpty),
      "blocksHeading": .text(lines.uncovered > 0 ? "Uncovered blocks" : "Partly ran"),
      "hasWays": .flag(shownStops.count > 1 || !shownStops.isEmpty && neighbours.hasAny),
    ]
  }

  /// Returns why llvm-cov prints different figures for lines and branches.
  private func difference(_ file: FileCoverage) -> TemplateValue {
    let lines = CoverageWords.difference(
      file.llvmLines, from: file.totals.lines, excluded: report.coverage?.excludedLines(of: [file]) ?? LineTally())
    let branches = report.coverage.flatMap { BranchWords.difference([file], in: $0) }
    let sentences = [lines, branches].compactMap { $0 }
    return sentences.isEmpty ? .missing : .text(sentences.joined(separator: " "))
  }

  private var byChance: CategoryCounts { report.integration.byChance(in: plan.path) }

  /// Missing where nothing is uncovered, now or before.
  private func tally(_ tally: Tally, _ before: Tally?, of all: String, _ verb: String) -> TemplateValue {
    guard tally.uncovered > 0 || (before?.uncovered ?? 0) > 0 else { return .missing }
    return .text("\(CountText.plain(tally.uncovered)) of \(all) \(verb)")
  }
}
