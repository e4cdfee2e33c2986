import Model

extension ComparisonPage {
  /// The coverage of both integrations: the files, and the lines by category of change.
  var coverage: TemplateValue {
    let coverage = comparison.coverage
    let files = coverage.files
    let shown = Array(files.sorted(by: Self.isWorse).prefix(Self.most))
    let categories =
      coverage.lines.map { lines in
        ChangeWords.rows(
          lines: lines, byChance: coverage.byChance ?? CategoryCounts(), regions: coverage.regions ?? CategoryCounts(),
          since: comparison.before.number)
      } ?? .missing
    return .record([
      "summary": .shown(ifAny: words.coverageSummary), "missing": .list(missingCoverage),
      "hasRows": .flag(words.coverageSummary != nil && files.contains(where: isTold)),
      "hasCategories": .flag(coverage.lines != nil),
      "hasDelta": .flag(files.contains { Self.uncoveredChange($0) != 0 }), "hasNew": isTold(Column.new),
      "hasLost": isTold(Column.lost), "hasGained": isTold(Column.gained),
      "hasNewRan": isTold(Column.newRan), "hasRemoved": isTold(Column.removed),
      "bodies": .list(bodies(showing: Set(shown.map(\.path)))), "total": total,
      "left": files.count > Self.most ? .text(CountText.counted(files.count - Self.most, "more file")) : .missing,
      "withoutPage": links.filesLeft > 0
        ? .text(
          "\(CountText.counted(links.filesLeft, "changed file")) without a page here: those with the most lost and new "
            + "uncovered lines have one")
        : .missing,
      "sameFiles": coverage.sameFiles > 0 && !files.isEmpty
        ? .text("\(CountText.counted(coverage.sameFiles, "file")) as before") : .missing,
      "baseline": .text("\(comparison.before.number)"), "categories": categories,
      "regionSums": .optional(
        coverage.after.flatMap { after in
          coverage.regions.flatMap { ChangeWords.regionSums($0, beside: after.regions) }
        }),
      "leftOut": .list(words.leftOut.map { .shown("\($0).") }),
      "reason": .shown(ifAny: coverage.before != nil && coverage.after != nil ? coverage.reason : nil),
      "unmapped": .shown(
        ifAny: coverage.unmapped.map {
          "Not compared, since their lines cannot be matched: \(CountText.list(Array($0.prefix(12))))"
        }),
    ])
  }

  /// What the columns of the table of files count.
  private enum Column {
    static let new: [ChangeCategory] = [.newNeverRan, .includedNeverRan]
    static let lost: [ChangeCategory] = [.lost]
    static let gained: [ChangeCategory] = [.gained]
    static let newRan: [ChangeCategory] = [.newRan, .includedRan]
    static let removed: [ChangeCategory] = [.deletedRan, .deletedNeverRan, .excludedRan, .excludedNeverRan]
  }

  /// Whether a column has more than dashes.
  private func isTold(_ column: [ChangeCategory]) -> TemplateValue {
    .flag(Self.sum(of: column, comparison.coverage.lines, comparison.coverage.byChance) > 0)
  }

  /// Whether a row has more than dashes and the same figures twice.
  private func isTold(_ file: CoverageSides.File) -> Bool {
    file.before?.uncovered != file.after?.uncovered || file.before?.total != file.after?.total
      || [Column.new, Column.lost, Column.gained, Column.newRan, Column.removed].contains {
        Self.sum(of: $0, file.lines, file.linesByChance) > 0
      }
  }

  private static func sum(
    of column: [ChangeCategory], _ lines: CategoryCounts?, _ byChance: CategoryCounts?
  ) -> Int {
    column.reduce(0) { $0 + (lines?[$1] ?? 0) - (byChance?[$1] ?? 0) }
  }

  private static func uncoveredChange(_ file: CoverageSides.File) -> Int {
    (file.after?.uncovered ?? 0) - (file.before?.uncovered ?? 0)
  }

  /// Whether both have the same coverage, and nothing else is to say of it.
  var isCoverageUnchanged: Bool {
    let coverage = comparison.coverage
    return words.coverageSummary != nil && coverage.files.isEmpty && coverage.reason == nil && words.leftOut.isEmpty
      && coverage.unmapped?.isEmpty != false
  }

  /// The coverage of both, where it is the same.
  var unchangedCoverage: String? {
    (comparison.coverage.after?.lines).map { lines in
      "coverage as before: \(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "line")) never ran"
    }
  }

  private var missingCoverage: [TemplateValue] {
    let coverage = comparison.coverage
    return [
      (words.before, coverage.before, coverage.beforeReason), (words.after, coverage.after, coverage.afterReason),
    ].filter { $0.1 == nil }.map { label, _, reason in
      .shown("\(label) has no coverage: \(reason ?? "no reason was recorded")")
    }
  }

  /// The files by target and directory, worst first; each group has its sums.
  private func bodies(showing shown: Set<String>) -> [TemplateValue] {
    func change(_ files: [CoverageSides.File]) -> Int { files.reduce(0) { $0 + Self.uncoveredChange($1) } }
    func groups(_ files: [CoverageSides.File], by key: (CoverageSides.File) -> String) -> [(
      name: String, files: [CoverageSides.File]
    )] {
      Dictionary(grouping: files, by: key).map { (name: $0, files: $1) }.sorted {
        (change($1.files), $0.name) < (change($0.files), $1.name)
      }
    }
    let targets = groups(comparison.coverage.files, by: \.target)
    return targets.filter { $0.files.contains { shown.contains($0.path) } }.map { target in
      let folders = comparison.coverage.directories.filter { $0.target == target.name }
      var rows = [
        group(
          target.name, target.files, in: folders, style: "target",
          anchor: CoverageTree.anchor(ofTarget: target.name))
      ]
      for folder in groups(target.files, by: \.folder) {
        let files = folder.files.filter { shown.contains($0.path) }
        guard !files.isEmpty else { continue }
        // The sums of the only folder are those of its target.
        if folders.count > 1 {
          rows.append(
            group(folder.name, folder.files, in: folders.filter { $0.path == folder.name }, style: "l1 dir"))
        }
        rows += files.sorted(by: Self.isWorse).map(row)
      }
      return .record(["rows": .list(rows)])
    }
  }

  /// Whether a file precedes another: the larger increase in uncovered lines comes first.
  private static func isWorse(_ one: CoverageSides.File, _ other: CoverageSides.File) -> Bool {
    let (first, second) = (uncoveredChange(one), uncoveredChange(other))
    return first == second ? one.path < other.path : first > second
  }

  /// - Parameters:
  ///   - files: the changed files, whose categories are summed.
  ///   - folders: the directories that are summed, unchanged files included.
  private func group(
    _ name: String, _ files: [CoverageSides.File], in folders: [CoverageSides.Directory], style: String,
    anchor: String? = nil
  ) -> TemplateValue {
    func sum(_ tally: (CoverageSides.Directory) -> LineTally?) -> LineTally? {
      let known = folders.compactMap(tally)
      return known.isEmpty ? nil : known.reduce(LineTally()) { $0 + $1 }
    }
    var fields = fields(
      before: sum(\.before), after: sum(\.after), lines: Self.sum(files.compactMap(\.lines)),
      byChance: Self.sum(files.compactMap(\.linesByChance)))
    fields["name"] = .name(name)
    fields["style"] = .text(style)
    fields["anchor"] = .optional(anchor)
    fields["isHead"] = .flag(anchor != nil)
    return .record(fields)
  }

  private func row(_ file: CoverageSides.File) -> TemplateValue {
    var fields = fields(before: file.before, after: file.after, lines: file.lines, byChance: file.linesByChance)
    func place(_ categories: ChangeCategory...) -> TemplateValue {
      let first = (file.places ?? []).first { categories.contains($0.category) }
      return .optional(first.flatMap { links.source(file.path, $0.first) })
    }
    fields["name"] = .name(SourceLocation.fileName(of: file.path))
    fields["style"] = "t fileish l2"
    fields["oldPath"] = .shown(ifAny: file.oldPath)
    fields["link"] = .optional(file.after == nil ? nil : links.source(file.path, nil))
    fields["lostLink"] = place(.lost)
    fields["newLink"] = place(.newNeverRan, .includedNeverRan)
    fields["gainedLink"] = place(.gained)
    return .record(fields)
  }

  /// Missing if the only target has the same sums.
  private var total: TemplateValue {
    let targets = Set(comparison.coverage.directories.map(\.target))
    guard targets.count != 1 else { return .missing }
    return .record(
      fields(
        before: comparison.coverage.before?.lines, after: comparison.coverage.after?.lines,
        lines: comparison.coverage.lines, byChance: comparison.coverage.byChance))
  }

  private static func sum(_ counts: [CategoryCounts]) -> CategoryCounts {
    counts.reduce(CategoryCounts()) { $0 + $1 }
  }

  /// - Parameter byChance: the lost and gained lines that run by chance; they are told below the table instead.
  private func fields(
    before: LineTally?, after: LineTally?, lines: CategoryCounts?, byChance: CategoryCounts?
  ) -> [String: TemplateValue] {
    // A file that is counted in only one integration changes by its whole count; without coverage there is no change.
    let isMeasured = comparison.coverage.before != nil && comparison.coverage.after != nil
    let delta =
      isMeasured
      ? Delta(
        after?.uncovered ?? 0, from: before?.uncovered ?? 0, .moreIsWorse, byChance: byChance?.uncoveredChange ?? 0)
      : nil
    func count(_ column: [ChangeCategory]) -> TemplateValue {
      let sum = Self.sum(of: column, lines, byChance)
      return .text(sum == 0 ? "–" : CountText.plain(sum))
    }
    return [
      "anchor": .missing, "oldPath": .missing, "link": .missing, "isHead": false, "lostLink": .missing,
      "newLink": .missing, "gainedLink": .missing,
      "before": tally(before), "after": tally(after), "delta": delta.record,
      "newNeverRan": count(Column.new), "lost": count(Column.lost), "gained": count(Column.gained),
      "newRan": count(Column.newRan), "removed": count(Column.removed),
    ]
  }

  private func tally(_ lines: LineTally?) -> TemplateValue {
    guard let lines else { return .missing }
    return .record(["uncovered": .text(CountText.plain(lines.uncovered)), "total": .text(CountText.plain(lines.total))])
  }
}
