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
  /// The gates that failed for lines of the file.
  let failedGates: [FailedGate]
  /// Whether it changed since the baseline, but not since the integration that coverage is compared with.
  let isRestored: Bool

  func frame(_ facts: ReportFacts) -> PageFrame {
    // What is only of this integration is not shared with another.
    let isShared = comparison == nil && failedGates.isEmpty
    let title = "\(facts.bot)\(isShared ? "" : " \(facts.number)"): \(heading)"
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
      "hasMarks": .flag(
        plan.coverage.map { !$0.lines.isEmpty || !$0.leftOut.isEmpty || !plan.remarks.marks.legend.isEmpty } ?? false),
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
      "failedGates": .list(
        failedGates.map { failed in
          failed.record(
            beside: report.integration.baseline?.number,
            here: report.integration.tally(of: failed.gate, in: plan.path), root: "../")
        }),
      "restored": restored,
      "path": .shown(shownPath), "others": others,
      "uncounted": leads
        ? .missing : .optional(plan.kind.map { UncountedList.sentence($0, group: plan.coverage?.target ?? "") }),
      "coverage": plan.coverage.map { .record(figures($0)) } ?? .missing,
      "since": since,
      "patchFigure": patchFigure,
      "byTest": plan.remarks.tests.record(shown: lines, tests: tests),
      "previous": isGapNext(surroundings.previousGap, surroundings.previous)
        ? .missing : link(to: surroundings.previous),
      "next": isGapNext(surroundings.nextGap, surroundings.next) ? .missing : link(to: surroundings.next),
    ]
  }

  /// Whether the tests come first: in an uncounted source they matter more than the lines that ran.
  private var leads: Bool { !plan.hasCoverage || !plan.isCounted && !verdict.isEmpty }

  private var shownPath: String { UncountedList.shownPath(plan.path, plan.kind) }

  private var heading: String {
    let destination = isOfDestination ? report.integration.destination.map { " for \(VisibleText.of($0.name))" } : nil
    return "\(VisibleText.of(plan.fileName))\(destination ?? ""): \(phrase)"
  }

  /// Whether it says how tests ended for one of several destinations.
  private var isOfDestination: Bool { leads && (report.integration.isCell || !report.integration.cells.isEmpty) }

  /// What the page is about, besides its file.
  private var phrase: String {
    guard let coverage = plan.coverage, !leads else { return verdict.phrase }
    return CoverageWords.phrase(
      coverage, isComplete: report.isComplete, lost: comparison?.file.lines(.lost).count ?? 0,
      byChance: coverage.totals.lines.uncovered == 0 ? byChance[.gained] : 0)
  }

  /// How many of its tests are red for each of the other destinations; missing where none is.
  private var others: TemplateValue {
    guard isOfDestination else { return .missing }
    let records = report.integration.cells.compactMap { cell -> TemplateValue? in
      let silenced = cell.silencedTests
      let red = cell.tests.results.filter {
        $0.state.isRed && $0.location?.file == plan.path && silenced[$0.id] == nil
      }
      guard let destination = cell.destination, let words = TestSum.red(red.count) else { return nil }
      return .record([
        "words": .shown("\(destination.name): \(words)"), "isRed": .flag(destination.required),
        "link": .text("../\(cell.placeOfReport)tests.html"),
      ])
    }
    return records.isEmpty ? .missing : .record(["elsewhere": .list(records)])
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
    let before = plan.stops.last { $0.lowerBound < lines.lowerBound }
    let after = plan.stops.first { $0.lowerBound >= lines.upperBound && plan.shows(line: $0.lowerBound) }
    return SourceListing.Neighbours(
      previous: before.map { gap("↑", "previous", "line \($0.lowerBound)", neighbour($0)) }
        ?? surroundings.previousGap.map {
          gap("←", "previous", $0.fileName, $0.neighbour(ofLine: $0.stops.last?.lowerBound))
        },
      next: after.map { gap("↓", "next", "line \($0.lowerBound)", neighbour($0)) }
        ?? surroundings.nextGap.map {
          gap("→", "next", $0.fileName, $0.neighbour(ofLine: $0.stops.first?.lowerBound))
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
    func record(_ link: SourceListing.Link?, _ words: String, isNeighbour: Bool) -> TemplateValue {
      link.map {
        .record(["words": .shown(words), "address": .text($0.address), "isNeighbour": .flag(isNeighbour)])
      } ?? .missing
    }
    return .record([
      "gapBefore": record(
        previous, previous.map { "\($0.arrow) \($0.words)" } ?? "",
        isNeighbour: isGapNext(surroundings.previousGap, surroundings.previous)),
      "gapAfter": record(
        next, next.map { "\($0.words) \($0.arrow)" } ?? "",
        isNeighbour: isGapNext(surroundings.nextGap, surroundings.next)),
    ])
  }

  /// Whether the link to a gap, which a file without any has, leads to the file beside it, so that one link is enough.
  private func isGapNext(_ gap: SourcePlan?, _ neighbour: SourcePlan?) -> Bool {
    plan.isCounted && plan.stops.isEmpty && gap != nil && gap?.path == neighbour?.path
  }

  private func neighbour(_ block: ClosedRange<Int>) -> String {
    plan.neighbour(ofLine: block.lowerBound)
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
  var shownStops: [ClosedRange<Int>] {
    plan.pages.count == 1 ? plan.stops : plan.stops.filter { lines.contains($0.lowerBound) }
  }

  /// The functions of the file; on a part of it, those that begin there.
  private var functions: TemplateValue {
    guard let coverage = plan.coverage else { return .missing }
    let rows = FunctionRows(coverage, lines: plan.pages.count > 1 ? lines : nil)
    guard !rows.isEmpty else { return .missing }
    let names = rows.names()
    // What a figure above counts, where the rows are fewer.
    let tellsParts =
      plan.pages.count == 1 && tellsFunctions(of: coverage)
      && coverage.functions.contains { !$0.folded.isEmpty }
    let head = [tellsParts ? coverage.functionWords : nil, names.owner.map { "of \($0)" }].compactMap(\.self)
    return .record([
      "rows": .html(rows.html(names: names.shown, shown: lines, isPlaced: true)),
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

  /// The integration since which lines count as changed, if it is not the baseline.
  private var origin: Int? {
    report.integration.changes?.patch.value.flatMap { report.integration.otherOrigin(of: $0) }
  }

  /// The integration that the file does not differ from, and the baseline, since which commits changed it; missing if none
  /// did.
  private var restored: TemplateValue {
    guard isRestored, let origin, let baseline = report.integration.baseline else { return .missing }
    return .record([
      "number": .text("\(origin)"), "link": .optional(report.comparisonPages[origin].map { "../\($0)" }),
      "word": .text(CountText.agreeing(report.integration.commits.count, "commit", "commits")),
      "since": .text("\(baseline.number)"), "commits": .text("../\(ComparisonPage.path)#commits"),
    ])
  }

  /// Whether the file came with this change, whose figures are those of the file.
  var isAdded: Bool {
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

  /// The number of changed lines of the file that never ran, in words; missing where a failed gate or the changes tell it.
  var patchFigure: TemplateValue {
    guard comparison == nil || origin != nil, !failedGates.contains(where: \.gate.tellsPatch),
      let patch = report.integration.changes?.patch.value, patch.origin != .nothing, let coverage = plan.coverage,
      !isAdded, let tally = patch.files.first(where: { $0.path == plan.path })?.tally, tally.uncovered > 0
    else { return .missing }
    return .text(CoverageWords.changed(tally, neverRan: coverage.neverRanWords))
  }

  /// The blocks, each with the marks of its lines, so that the list can follow the selection of lines.
  var blocks: TemplateValue {
    .list(
      listedStops.map { block in
        .record([
          "line": plan.shows(line: block.lowerBound) ? .number(block.lowerBound) : .missing,
          "changes": .shown(ifAny: plan.remarks.marks.keys(in: block)),
          "words": .text("\(CountText.agreeing(block.count, "Line", "Lines")) \(CountText.range(block))"),
          "count": .text(CountText.plain(block.count)),
        ])
      })
  }

  /// The marks in the listing, with the choice of lines where it would leave some out.
  var legend: TemplateValue {
    let marks = plan.remarks.marks
    let entries = marks.legend
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
      "choice": .text(changesLines ? "Changes" : "Coverage changes"), "hasChoice": .flag(hasChoice),
      "kinds": .list(isOneKind ? [] : records),
      "marks": .list(isOneKind || !hasChoice ? zip(entries, records).filter { !marks.tells($0.0.mark) }.map(\.1) : []),
    ])
  }

  /// Whether lines were added or removed, not only run otherwise.
  private var changesLines: Bool {
    !plan.remarks.history.places.isEmpty || plan.remarks.marks.legend.contains { $0.mark.face.key == "new" }
  }

  /// Whether this change and what is near it is less than the whole file.
  private var leavesLinesOut: Bool {
    let marks = plan.remarks.marks
    let near = marks.context(around: plan.remarks.history.places, blocks: plan.stops)
    return lines.contains { !marks.lines.contains($0) && !near.contains($0) }
  }
}
