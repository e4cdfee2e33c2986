import Model

extension ComparisonPage {
  /// The coverage of both integrations: the files, and the lines by category of change.
  var coverage: TemplateValue {
    let coverage = comparison.coverage
    let files = files
    let told = files.sorted(by: Self.isWorse)
    let rows = told.prefix(Self.most)
    // Of many files in several folders the sums of these tell more than the first files.
    let folders = Set(rows.map(\.folder)).count
    let isOfFolders = folders > 1 && folders <= Self.mostFiles.shown
    let isUnmoved = !hasMoved(files)
    let most = rows.count <= Self.mostFiles.whole ? rows.count : isOfFolders ? 0 : Self.mostFiles.shown
    let shown = rows.prefix(isUnmoved ? 0 : most)
    let folded = rows.dropFirst(shown.count)
    let hasFiles = words.coverageSummary != nil && !rows.isEmpty
    let categories =
      coverage.lines.map { lines in
        ChangeWords.rows(
          lines: lines, newPartly: Self.partCount(files), byChance: coverage.byChance ?? CategoryCounts(),
          regions: coverage.regions ?? CategoryCounts(), since: comparison.before.number)
      } ?? .missing
    return .record([
      "summary": .shown(ifAny: words.coverageSummary), "missing": .list(missingCoverage), "counts": coverageCounts,
      "hasRows": .flag(hasFiles && !isUnmoved),
      "hasCategories": .flag(coverage.lines != nil),
      "hasDelta": .flag(files.contains { Self.uncoveredChange($0) != 0 } && !isDeltaAColumn),
      "columns": .list(columns.map { .record(["title": .text($0.title)]) }),
      "bodies": .list(bodies(showing: Set(shown.map(\.path)))),
      "hasFolded": .flag(hasFiles && !folded.isEmpty),
      "folded": .list(folded.map { row($0, depth: 0, beneath: $0.folder) }),
      "foldedCount": .text(
        CountText.counted(folded.count, isUnmoved ? "changed file" : shown.isEmpty ? "file" : "more file")),
      "left": told.count > rows.count ? .text(CountText.counted(told.count - rows.count, "more file")) : .missing,
      "withoutPage": links.filesLeft > 0
        ? .text(
          "\(CountText.counted(links.filesLeft, "changed file")) without a page here: those with the most lost and new "
            + "uncovered lines have one")
        : .missing,
      "sameFiles": coverage.sameFiles > 0 && !files.isEmpty
        ? .text("\(CountText.counted(coverage.sameFiles, "other file")) as before") : .missing,
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

  /// The files whose figures changed, and those with another path; of what else changed only their lines tell.
  private var files: [CoverageSides.File] {
    comparison.coverage.files.filter { file in
      file.oldPath != nil || file.before?.uncovered != file.after?.uncovered || file.before?.total != file.after?.total
        || Column.all.contains { Self.sum(of: $0, file.lines, file.untold) > 0 }
    }
  }

  /// Whether there is more to see than new lines that ran and removed ones, which leave the figures as they were.
  private func hasMoved(_ files: [CoverageSides.File]) -> Bool {
    columns.contains { !$0.linked.isEmpty }
      || files.contains { $0.before?.uncovered != $0.after?.uncovered || $0.before?.total != $0.after?.total }
  }

  /// How many files the table has as a whole, and how many if there are more, before the rest is folded away.
  private static let mostFiles = (whole: 20, shown: 12)

  /// A column of the table of files, with the lines that it counts.
  private struct Column {
    let title: String
    let categories: [ChangeCategory]
    /// Those with places to link to, or else the new lines that ran in part.
    var linked: [ChangeCategory] = []
    var countsParts = false

    static let all = [
      Column(
        title: "New, never ran", categories: [.newNeverRan, .includedNeverRan],
        linked: [.newNeverRan, .includedNeverRan]),
      Column(title: "Lost", categories: [.lost], linked: [.lost]),
      Column(title: "Gained", categories: [.gained], linked: [.gained]),
      Column(title: "New, ran", categories: [.newRan, .includedRan], countsParts: true),
      Column(title: "Removed", categories: [.deletedRan, .deletedNeverRan, .excludedRan, .excludedNeverRan]),
    ]
  }

  /// The columns that have more than dashes.
  private var columns: [Column] {
    Column.all.filter { Self.sum(of: $0, comparison.coverage.lines, comparison.coverage.untold) > 0 }
  }

  /// Whether a column has the change of uncovered lines of every file, with links.
  private var isDeltaAColumn: Bool {
    columns.filter { !$0.linked.isEmpty }.contains { column in
      comparison.coverage.files.allSatisfy { file in
        abs(Self.uncoveredChange(file)) == Self.sum(of: column, file.lines, file.untold)
      }
    }
  }

  private static func sum(of column: Column, _ lines: CategoryCounts?, _ untold: CategoryCounts) -> Int {
    guard let lines else { return 0 }
    return column.categories.reduce(0) { $0 + lines[$1] - untold[$1] }
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
      "coverage as before, \(CountText.plain(lines.uncovered)) of \(CountText.counted(lines.total, "line")) never ran"
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
    let targets = groups(files, by: \.target)
    return targets.filter { shown.isEmpty || $0.files.contains { shown.contains($0.path) } }.map { target in
      let folders = comparison.coverage.directories.filter { $0.target == target.name }
      var rows = [
        group(
          target.name, target.files, in: folders, style: "target",
          anchor: CoverageTree.anchor(ofTarget: target.name))
      ]
      for folder in groups(target.files, by: \.folder) {
        let files = folder.files.filter { shown.contains($0.path) }
        // The sums of the only folder are those of its target, and those of a folder's only file its own.
        let isApart = folders.count > 1
        if isApart, files.isEmpty ? folders.count > Self.mostFiles.shown : folder.files.count == 1 {
          rows += files.map { row($0, depth: 1, beneath: folder.name) }
          continue
        }
        if isApart {
          rows.append(
            group(folder.name, folder.files, in: folders.filter { $0.path == folder.name }, style: "l1 dir"))
        }
        rows += files.sorted(by: Self.isWorse).map { row($0, depth: isApart ? 2 : 1) }
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
      untold: Self.sum(files.map(\.untold)), newParts: Self.partCount(files), link: { _ in nil })
    fields["name"] = .name(name)
    fields["style"] = .text(style)
    fields["anchor"] = .optional(anchor)
    fields["isHead"] = .flag(anchor != nil)
    return .record(fields)
  }

  /// - Parameter folder: the folder that its name begins with.
  private func row(_ file: CoverageSides.File, depth: Int, beneath folder: String = "") -> TemplateValue {
    var fields = fields(
      before: file.before, after: file.after, lines: file.lines, untold: file.untold,
      newParts: Self.partCount([file])
    ) { column in
      let places = column.countsParts ? file.newParts : file.places?.filter { column.linked.contains($0.category) }
      return places?.first.flatMap { links.source(file.path, $0.first) }
    }
    fields["name"] = .name((folder == "./" ? "" : folder) + SourceLocation.fileName(of: file.path))
    fields["style"] = .text("t fileish l\(depth)")
    fields["oldPath"] = .shown(ifAny: file.oldPath)
    fields["link"] = .optional(file.after == nil ? nil : links.source(file.path, nil))
    return .record(fields)
  }

  /// The number of new lines of which only a part ran.
  private static func partCount(_ files: [CoverageSides.File]) -> Int {
    files.reduce(0) { $0 + ($1.newParts ?? []).reduce(0) { $0 + $1.count } }
  }

  private static func sum(_ counts: [CategoryCounts]) -> CategoryCounts {
    counts.reduce(CategoryCounts()) { $0 + $1 }
  }

  /// - Parameters:
  ///   - untold: the lines that no column counts; those that run by chance are told below the table instead.
  ///   - link: returns the address of the first line that a column counts.
  private func fields(
    before: LineTally?, after: LineTally?, lines: CategoryCounts?, untold: CategoryCounts, newParts: Int,
    link: (Column) -> String?
  ) -> [String: TemplateValue] {
    // A file that is counted in only one integration changes by its whole count; without coverage there is no change.
    let isMeasured = comparison.coverage.before != nil && comparison.coverage.after != nil
    let delta =
      isMeasured
      ? Delta(
        after?.uncovered ?? 0, from: before?.uncovered ?? 0, .moreIsWorse, byChance: untold.uncoveredChange)
      : nil
    let cells = columns.map { column -> TemplateValue in
      let sum = Self.sum(of: column, lines, untold)
      let parts = column.countsParts ? newParts : 0
      let partly = parts == 0 ? nil : "\(CountText.plain(parts)) partly"
      return .record([
        "label": .text(column.title.lowercasedFirst), "link": .optional(link(column)),
        "count": .optional(
          sum == 0 ? nil : sum == parts ? partly : CountText.plain(sum) + (partly.map { " (\($0))" } ?? "")),
      ])
    }
    return [
      "anchor": .missing, "oldPath": .missing, "link": .missing, "isHead": false,
      "before": tally(before), "after": tally(after), "delta": delta.record, "cells": .list(cells),
    ]
  }

  private func tally(_ lines: LineTally?) -> TemplateValue {
    guard let lines else { return .missing }
    return .record(["uncovered": .text(CountText.plain(lines.uncovered)), "total": .text(CountText.plain(lines.total))])
  }
}
