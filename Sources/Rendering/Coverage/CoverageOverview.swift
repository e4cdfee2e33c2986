import Model

/// The page about the coverage of all counted files.
struct CoverageOverview {
  let integration: Integration
  /// The integration since which no file changed; nil if some did, or if that is unknown.
  let unchangedSince: Int?
  let failedGates: [FailedGate]
  /// Nil if there is no coverage.
  let tree: CoverageTree?
  /// The choice of rows of the tree on this page; nil if there is no coverage.
  let cut: TreeCut?
  /// Whether the list of files has room for all of them; asked only where the tree has none.
  let isListWhole: () -> Bool
  let names: ShortPaths
  /// The address of a file or of one of its lines.
  let link: (String, Int?) -> String?
  /// What the page of a file shows of its coverage.
  let shown: (String) -> FileCoverage?
  /// The highlighted text of a file.
  let source: (String) -> HighlightedSource?
  /// The bytes of the same text.
  let text: (String) -> [UInt8]?

  func frame(_ facts: ReportFacts) -> PageFrame {
    let name = "\(integration.bot) \(integration.number)"
    let title: String
    if let coverage = integration.coverage.coverage {
      title = "Coverage of \(name): \(heading(coverage))"
    } else {
      title = "\(name) has no coverage"
    }
    return PageFrame(title: title, root: "", section: .coverage, trail: [.init("Coverage")], facts: facts)
  }

  var record: [String: TemplateValue] {
    switch integration.coverage {
    case .unavailable(let reason, _):
      [
        "unavailable": .record(["reason": .shown(reason), "link": .optional(integration.coverageOfOthers)]),
        "coverage": .missing,
      ]
    case .available(let coverage): ["unavailable": .missing, "coverage": .record(content(coverage))]
    }
  }

  /// The baseline, unless counters or tests are missing here, since a change then says nothing about the code.
  private var comparable: Baseline? {
    integration.coverage.coverage?.isWhole == true ? integration.baseline : nil
  }

  private func heading(_ coverage: Coverage) -> String { leadingGate ?? state(coverage) }

  /// What never ran, of the change if it has any.
  private func state(_ coverage: Coverage) -> String {
    CoverageWords.heading(coverage, baseline: comparable, changes: integration.changes)
  }

  /// The gates that failed, which come first where the change itself is no reason; nil if it is one, and without any.
  var leadingGate: String? {
    guard let first = failedGates.first, !isChangeWorse else { return nil }
    return failedGates.count == 1
      ? GateResult.title(ofRule: first.gate.rule) : "\(CountText.plain(failedGates.count)) gates failed"
  }

  private func content(_ coverage: Coverage) -> [String: TemplateValue] {
    let totals = coverage.totals
    let before = comparable?.totals
    let entries = changeEntries(coverage)
    let worst = worst
    let blocks = blocks(coverage, besides: entries.neverRan)
    let listed = blocks.prefix(Self.mostBlocks)
    let changes = changes(coverage, entries)
    let record: [String: TemplateValue] = [
      "changes": changes, "categories": categories(coverage), "hasChanges": .flag(tree?.change != nil),
      "hasCode": .flag(totals.lines.total > 0),
      "blocks": .list(
        listed.map { .record(fields(of: $0.block, in: coverage.files[$0.file])) }),
      "blocksHeading": .text(entries.shown.isEmpty ? "Uncovered blocks" : "Other uncovered blocks"),
      "blockCount": .text(
        blocks.count > Self.mostBlocks
          ? "the longest \(Self.mostBlocks) of \(CountText.plain(blocks.count))" : CountText.plain(blocks.count)),
      "worst": rows(worst), "hasBlocks": .flag(!blocks.isEmpty),
      // Beside the worst files, the blocks take the place of a change.
      "blocksBelow": .flag(!blocks.isEmpty && (changes.isSomething || worst.isEmpty)),
      "deltasSince": .optional(comparable.map { "\($0.coverageNumber)" }),
      "bodies": bodies(coverage),
      "cut": cutRecord,
      "hasFolders": .flag(true), "choices": (tree?.files ?? []).choices,
      // The folders of a long tree say where to look.
      "opensFolders": .flag(cut?.branches.isEmpty == false),
      // The only target has the same figures.
      "total": tree?.targets.count == 1
        ? .missing
        : CoverageTree.Node(
          kind: .target, name: "All counted files", totals: totals, before: before, change: tree?.change,
          byChance: integration.byChance()
        ).row(depth: 0, link: nil),
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
      "foreign": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.foreign))),
      "plugins": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.plugin))),
      "macros": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.macro))),
      "unbuilt": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts(.unbuilt))),
      "uncounted": UncountedList(coverage.uncounted, shown: shown, link: { link($0, nil) }).record,
      "excluded": excluded(coverage),
      "next": next(coverage, besides: Self.told(listed, of: coverage, entries)),
      "profiles": .text(
        "\(CountText.counted(coverage.profilesRead, "profile")) read, \(CountText.plain(coverage.profilesRejected)) rejected"
      ),
    ]
    return [
      answer(coverage, entries), ["figures": figures(coverage, before: before, hasSection: changes.isSomething)],
      orders(coverage), checked(coverage),
    ].reduce(record) { $0.merging($1) { value, _ in value } }
  }

  /// Returns the summary for the first screen.
  private func answer(_ coverage: Coverage, _ entries: ChangeEntries) -> [String: TemplateValue] {
    let lines = coverage.totals.lines
    let earlier = table(of: entries.earlier, "Lines of earlier changes that never ran")
    let facts: [String: TemplateValue] = [
      "state": .optional(leadingGate == nil ? nil : state(coverage)), "selection": .optional(selection),
      "startUp": coverage.incidental?.value.flatMap {
        $0 > 0 ? .text("\(CountText.plain($0)) of them only at start-up") : nil
      } ?? .missing,
      "unmeasured": .optional(CoverageWords.unmeasured(coverage.unmeasured.counts())),
      "isIncomplete": .flag(!coverage.isComplete),
    ]
    return [
      "heading": .text(heading(coverage)),
      "facts": facts.values.contains(where: \.isSomething) ? .record(facts) : .missing,
      "glyph": .text(isWorse || lines.uncovered == 0 ? CoverageWords.glyph(of: lines) : "not-run"),
      "symbol": .text(CoverageWords.symbol(of: lines)),
      "failedGates": .list(recordsOfFailedGates),
      // A change that leaves no line uncovered has less to say.
      "earlierSince": earlierSince,
      "earlierFirst": entries.isClean && entries.lost.isEmpty ? earlier : .missing,
      "earlier": entries.isClean && entries.lost.isEmpty ? .missing : earlier,
      "incomplete": .shown(ifAny: CoverageWords.note(coverage)),
      "otherExclusions": otherExclusions(coverage),
      "incidental": .optional(CoverageWords.incidental(coverage)),
      "testMap": .optional(TestMapWords.known(coverage.testMap, skipped: skipped)),
      "destinations": .shown(ifAny: CoverageWords.destinations(of: integration)),
    ]
  }

  private var skipped: Set<TestID> { Set(integration.tests.results.filter { $0.state == .skipped }.map(\.id)) }

  /// How many of the tests were selected to run these lines; nil if all of them were.
  private var selection: String? {
    let counts = integration.tests.counts
    guard counts.filteredOut > 0 else { return nil }
    let all = CountText.counted(counts.listed + counts.filteredOut, "test")
    return
      "only \(CountText.plain(counts.listed)) of \(all) \(CountText.agreeing(counts.listed, "was", "were")) selected"
  }

  /// Returns the pages with the files in other orders, if there is more than one file to order.
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

  /// Where the files are that a tree has no room for, on one page; missing if it has all.
  private var cutRecord: TemplateValue {
    guard let cut, !cut.branches.isEmpty, let tree else { return .missing }
    let left = tree.targets.flatMap { target in target.files.filter { !cut.shows($0, in: target) } }
    let (isOne, hasAllGaps) = (left.count == 1, left.allSatisfy(\.isWhole))
    let count =
      hasAllGaps
      ? CountText.counted(left.count, "more file that ran whole", "more files that ran whole")
      : CountText.counted(left.count, "more file")
    return .record([
      "words": .text("\(count) \(isOne ? "is" : "are")"),
      "none": .text(hasAllGaps ? "No file with gaps matches" : "No file in this tree matches"),
      "all": .text("search all \(CountText.plain(tree.files.count))"),
      "list": isListWhole() ? .text(FileList.Order.uncovered.path) : .missing,
      "pages": .text(isOne ? "the page of its directory" : "the pages of their directories"),
    ])
  }

  /// How many figures stand beside each other.
  private static let mostFigures = 5

  private func figures(_ coverage: Coverage, before: CoverageTotals?, hasSection: Bool) -> TemplateValue {
    let totals = coverage.totals
    let lines = totals.lines
    func figure(
      _ name: String, _ whole: String, isBound: Bool = true, _ count: (CoverageTotals) -> Int
    ) -> TemplateValue {
      let now = count(totals)
      let delta = before.map(count).flatMap {
        Delta(now, from: $0, .moreIsWorse, byChance: integration.chance(in: count))
      }
      let isExact = coverage.isWhole || !isBound || now == 0
      return Self.figure(
        name, CoverageWords.most(of: CountText.plain(now), isWhole: isExact), delta: delta.record, whole: "of \(whole)")
    }
    // Of more tests, more lines may run in part.
    let partly = figure(
      "Partly ran", CountText.counted(lines.covered, "line that ran", "lines that ran"), isBound: false
    ) { $0.lines.partial }
    let points = before.flatMap {
      CoverageWords.points(lines, from: $0.lines, byChance: integration.byChance().uncoveredChange)
    }
    let uncovered = Self.figure(
      "Uncovered share",
      CountText.percent(lines.uncovered, of: lines.total).map {
        CoverageWords.most(of: $0, isWhole: coverage.isWhole || lines.uncovered == 0)
      } ?? "–",
      delta: points.map { .record(["text": .text($0.text), "tone": .text($0.tone)]) } ?? .missing,
      whole: "\(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "line"))",
      bar: .html(CoverageBar(lines: lines, width: 200).html(isLabelled: true)))
    let uncalled = figure("Functions never called", coverage.functionSum) {
      $0.functions.uncovered
    }
    let regions = figure("Regions never ran", CountText.counted(totals.regions.total, "region")) {
      $0.regions.uncovered
    }
    let change =
      showsChanges
      ? changeFigures(
        hasSection: hasSection,
        isTold: CoverageWords.toldChange(integration.changes, since: comparable) != nil) : []
    let shown = ([uncovered] + change + [partly, uncalled, regions]).prefix(Self.mostFigures)
    return .record(["count": .text("\(shown.count)"), "rows": .list(Array(shown))])
  }

  /// Returns the files that the baseline counted but this integration does not, so that hiding files cannot improve a
  /// figure unnoticed.
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

extension Coverage {
  /// Returns the lines that are left out in otherwise counted files.
  func excludedLines(of files: [FileCoverage]) -> LineTally {
    guard !exclusions.isEmpty else { return LineTally() }
    let paths = Set(files.map(\.path))
    return exclusions.filter { $0.firstLine != nil && paths.contains($0.path) }
      .reduce(LineTally()) { $0 + $1.lines }
  }
}

extension CoverageOverview {
  private static let mostExclusions = 500

  /// Returns what was left out on request, with the lines, so that hiding lines cannot improve a figure unnoticed.
  func excluded(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.exclusions.isEmpty || !coverage.idleExclusions.isEmpty || !coverage.idleMarkers.isEmpty else {
      return .missing
    }
    let lines = coverage.exclusions.reduce(LineTally()) { $0 + $1.lines }
    let more = coverage.exclusions.count - Self.mostExclusions
    return .record([
      "hasRows": .flag(!coverage.exclusions.isEmpty),
      "isOfParts": .flag(coverage.excludedLines(of: coverage.files).total > 0),
      "idle": .list(coverage.idleExclusions.prefix(Self.mostExclusions).map { .shown($0) }),
      "markers": idleMarkers(coverage),
      "sum": .text(
        coverage.exclusions.isEmpty
          ? "nothing"
          : "\(CountText.counted(lines.total, "line")), \(Self.ran(lines))"),
      "rows": .list(coverage.exclusions.prefix(Self.mostExclusions).map(row)),
      "more": more > 0 ? .text("and \(CountText.plain(more)) more; integration.json lists all") : .missing,
    ])
  }

  private static func ran(_ lines: LineTally) -> String {
    switch lines.uncovered {
    case lines.total: "none ran"
    case 0: "all ran"
    case let count: "\(CountText.plain(count)) never ran"
    }
  }

  private func row(_ exclusion: CoverageExclusion) -> TemplateValue {
    var place = exclusion.path
    if let first = exclusion.firstLine, let last = exclusion.lastLine {
      place += ":\(CountText.range(first, last))"
    }
    return .record([
      "place": .name(place),
      "link": .shown(ifAny: link(exclusion.path, exclusion.firstLine)),
      "lines": .text(CountText.plain(exclusion.lines.total)),
      "uncovered": .text(CountText.plain(exclusion.lines.uncovered)),
      "by": .shown(exclusion.by),
      "neverEnded": .flag(exclusion.neverEnded == true),
      "onlyFirstLineOf": exclusion.onlyFirstLineOf.map { .name($0) } ?? .missing,
    ])
  }
}

extension CoverageOverview {
  /// The number of markers that are listed before the rest is only counted.
  private static let mostIdleMarkers = 50

  /// Returns the markers that leave out nothing, so that no one relies on them.
  func idleMarkers(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.idleMarkers.isEmpty else { return .missing }
    let more = coverage.idleMarkers.count - Self.mostIdleMarkers
    return .record([
      "rows": .list(
        coverage.idleMarkers.prefix(Self.mostIdleMarkers).map { marker in
          .record([
            "marker": .shown(marker.marker),
            "place": .name("\(marker.path):\(marker.line)"),
            "link": .shown(ifAny: link(marker.path, marker.line)),
            "words": .text(marker.words),
          ])
        }),
      "more": more > 0
        ? .text("\(CountText.counted(more, "more marker")) without effect; integration.json lists all") : .missing,
    ])
  }
}

extension CoverageOverview {
  private static let mostWorst = 10
  /// With no more files than this, the tree shows at a glance which are the worst.
  private static let fewFiles = 20

  /// The files with the most uncovered lines; empty if the tree begins with the same files, or has only a few.
  var worst: [CoverageTree.Node] {
    let files = tree?.files ?? []
    let uncovered = files.map(\.totals.lines.uncovered)
    let order = files.indices.filter { uncovered[$0] > 0 }.sorted { one, other in
      (uncovered[other], NameOrder(files[one].path ?? "")) < (uncovered[one], NameOrder(files[other].path ?? ""))
    }
    // Where many have the same count, none of them is the worst.
    if order.count > Self.mostWorst, uncovered[order[0]] == uncovered[order[Self.mostWorst]] { return [] }
    let worst = order.prefix(Self.mostWorst)
    // The order of files with the same count is arbitrary.
    let isSame = worst.map { uncovered[$0] } == Array(uncovered.prefix(worst.count))
    return isSame || files.count <= Self.fewFiles ? [] : worst.map { files[$0] }
  }

  func rows(_ worst: [CoverageTree.Node]) -> TemplateValue {
    guard !worst.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        worst.map { file in
          var file = file
          if let path = file.path { file.name = names[path] }
          return file.row(depth: 1, link: file.path.flatMap { link($0, nil) })
        })
    ])
  }
}
