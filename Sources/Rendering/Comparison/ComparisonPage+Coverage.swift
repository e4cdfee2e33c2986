import Model

extension ComparisonPage {
  /// The coverage of both sides: files, and lines by what became of them.
  var coverage: TemplateValue {
    let coverage = comparison.coverage
    let files = coverage.files.sorted { one, other in
      let (first, second) = (Self.uncoveredChange(one), Self.uncoveredChange(other))
      return first == second ? one.path < other.path : first > second
    }
    let categories =
      coverage.lines.map { lines in
        ChangeWords.rows(
          lines: lines, regions: coverage.regions ?? CategoryCounts(), since: comparison.before.number)
      } ?? .missing
    return .record([
      "summary": .shown(coverageSummary), "missing": .list(missingCoverage),
      "hasRows": .flag(!files.isEmpty), "hasCategories": .flag(coverage.lines != nil),
      "rows": .list(files.prefix(Self.most).map(row)), "total": total,
      "left": files.count > Self.most ? .text(CountText.counted(files.count - Self.most, "more file")) : .missing,
      "sameFiles": coverage.sameFiles > 0 && !files.isEmpty
        ? .text("\(CountText.counted(coverage.sameFiles, "file")) as before") : .missing,
      "baseline": .text("\(comparison.before.number)"), "categories": categories,
      "reason": .shown(ifAny: coverage.before != nil && coverage.after != nil ? coverage.reason : nil),
      "unmapped": .shown(
        ifAny: coverage.unmapped.map {
          "Not compared, because it is not known how their lines moved: \(CountText.list(Array($0.prefix(12))))"
        }),
    ])
  }

  private static func uncoveredChange(_ file: CoverageSides.File) -> Int {
    (file.after?.uncovered ?? 0) - (file.before?.uncovered ?? 0)
  }

  private var coverageSummary: String {
    let coverage = comparison.coverage
    guard let before = coverage.before?.lines, let after = coverage.after?.lines else { return "not in both" }
    return "\(CountText.plain(after.uncovered)) of \(CountText.counted(after.total, "line")) never ran, "
      + "\(CountText.plain(before.uncovered)) of \(CountText.plain(before.total)) in \(words.before)"
  }

  private var missingCoverage: [TemplateValue] {
    let coverage = comparison.coverage
    return [
      (words.before, coverage.before, coverage.beforeReason), (words.after, coverage.after, coverage.afterReason),
    ].filter { $0.1 == nil }.map { label, _, reason in
      .shown("\(label) has no coverage: \(reason ?? "no reason was recorded")")
    }
  }

  private func row(_ file: CoverageSides.File) -> TemplateValue {
    var fields = fields(before: file.before, after: file.after, lines: file.lines)
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    fields["name"] = .shown(name)
    fields["folder"] = .shown(String(file.path.dropLast(name.count)))
    fields["oldPath"] = .shown(ifAny: file.oldPath)
    fields["link"] = .optional(file.after == nil ? nil : links.source(file.path))
    return .record(fields)
  }

  private var total: TemplateValue {
    .record(
      fields(
        before: comparison.coverage.before?.lines, after: comparison.coverage.after?.lines,
        lines: comparison.coverage.lines))
  }

  private func fields(before: LineTally?, after: LineTally?, lines: CategoryCounts?) -> [String: TemplateValue] {
    // A file that is counted on one side only changes by all of it; without coverage there is no change to speak of.
    let isMeasured = comparison.coverage.before != nil && comparison.coverage.after != nil
    let delta = isMeasured ? Delta(after?.uncovered ?? 0, from: before?.uncovered ?? 0, .moreIsWorse) : nil
    func count(_ categories: ChangeCategory...) -> TemplateValue {
      let sum = categories.reduce(0) { $0 + (lines?[$1] ?? 0) }
      return .text(sum == 0 ? "–" : CountText.plain(sum))
    }
    return [
      "before": tally(before), "after": tally(after), "delta": delta.record,
      "newNeverRan": count(.newNeverRan, .includedNeverRan), "lost": count(.lost), "gained": count(.gained),
      "newRan": count(.newRan, .includedRan),
      "removed": count(.deletedRan, .deletedNeverRan, .excludedRan, .excludedNeverRan),
    ]
  }

  private func tally(_ lines: LineTally?) -> TemplateValue {
    guard let lines else { return .missing }
    return .record(["uncovered": .text(CountText.plain(lines.uncovered)), "total": .text(CountText.plain(lines.total))])
  }
}
