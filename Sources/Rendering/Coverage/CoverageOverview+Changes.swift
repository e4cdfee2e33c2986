import Model

extension CoverageOverview {
  private static let mostShown = 8
  private static let mostFolded = 200
  /// Up to this many places a list is open: folded away it would save no room.
  private static let mostOpen = 5

  /// The places of a change that are worth a look.
  struct ChangeEntries {
    /// The changed lines that never ran.
    var uncovered: [ChangeEntry] = []
    var partly: [ChangeEntry] = []
    /// The lines of earlier changes that never ran, for which a gate failed.
    var earlier: [ChangeEntry] = []
    /// The unchanged lines that no longer run.
    var lost: [ChangeEntry] = []

    /// Whether the change leaves no line uncovered.
    var isClean: Bool { uncovered.isEmpty }
    /// The changed lines that are not entirely folded away.
    var changed: [ChangeEntry] { isClean ? partly : uncovered }
    /// The places that are not entirely folded away.
    var shown: [ChangeEntry] { changed + earlier + lost }
    /// The places that never ran.
    var neverRan: [ChangeEntry] { uncovered + earlier + lost }
  }

  /// Returns the places of the change; empty if nothing is known about it.
  func changeEntries(_ coverage: Coverage) -> ChangeEntries {
    guard let changes = integration.changes, showsChanges else { return ChangeEntries() }
    let files = coverage.files.keyed(by: \.path)
    return ChangeEntries(
      uncovered: newEntries(changes.patch.value, files), partly: partlyEntries(changes.patch.value, files),
      earlier: earlierEntries(files), lost: lostEntries(changes.comparison.value, files))
  }

  /// The gates that failed, each with its finding.
  var recordsOfFailedGates: [TemplateValue] {
    failedGates.map { failed in
      // How many lines of the change ran is told above, if it is of the same lines.
      failed.record(
        beside: integration.baseline?.number, isNamed: leadingGate == nil || failedGates.count > 1,
        isCounted: leadingGate != nil || failed.gate.share?.total != integration.changes?.patch.value?.tally.total)
    }
  }

  /// Whether a gate failed, or the change left something that does not run.
  var isWorse: Bool { isChangeWorse || integration.gates.contains { $0.state == .failed } }

  /// Whether the change left something that does not run.
  var isChangeWorse: Bool {
    let changes = integration.changes
    return changes?.patch.value?.neverRan.isEmpty == false
      || changes?.comparison.value?.files.contains { !$0.lines(.lost).isEmpty } == true
  }

  /// Returns what the integration changed, for the first screen; missing if nothing is known about it.
  func changes(_ coverage: Coverage, _ found: ChangeEntries) -> TemplateValue {
    guard let changes = integration.changes, showsChanges else { return .missing }
    let files = coverage.files.keyed(by: \.path)
    let told = ChangeSummary(changes)
    let lists = [
      found.isClean ? nil : list(ofPartly: found.partly), list(ofGained: changes.comparison.value, files),
      list(byChance: changes, files),
    ].compactMap { $0 }
    let content: [String: TemplateValue] = [
      "clean": .optional(noCode(changes.patch.value, found, isAlone: lists.isEmpty)),
      "unknown": .list(unknown(changes).map { .shown($0) }),
      "leftOut": .shown(ifAny: told.patchLeftOut(first: Self.mostShown) { $0 }?.capitalizedFirst),
      "notCounted": .list(
        told.uncountedFiles.clauses(first: Self.mostShown).map { .shown("\($0.capitalizedFirst).") }),
      "changed": table(of: found.changed, "Lines of this change that \(found.isClean ? "partly" : "never") ran"),
      "lost": table(of: found.lost, "Unchanged lines that no longer run"),
      "lists": .list(lists),
    ]
    // That every line of a change ran is told by its figure.
    guard content.values.contains(where: \.isSomething) else { return .missing }
    let heading: [String: TemplateValue] = [
      "heading": .text(found.isClean ? "This change" : "Uncovered in this change"), "summary": .text(summary(changes)),
      "lostHeading": .text(found.changed.isEmpty ? "Lost" : "Lost elsewhere"),
      "deleted": .shown(ifAny: integration.deletedTests),
    ]
    return .record(content.merging(heading) { value, _ in value })
  }

  /// Returns a sentence that no line of a change can be measured, where it is the whole section; otherwise the figure is
  /// enough.
  private func noCode(_ patch: PatchCoverage?, _ found: ChangeEntries, isAlone: Bool) -> String? {
    guard let patch, found.changed.isEmpty, found.lost.isEmpty, isAlone else { return nil }
    return noCode(patch).map { "\($0.capitalizedFirst)." }
  }

  /// Returns places, the first of them open; missing if there are none.
  func table(of entries: [ChangeEntry], _ caption: String) -> TemplateValue {
    guard !entries.isEmpty else { return .missing }
    let folded = entries.dropFirst(Self.mostShown)
    return .record([
      "caption": .text(caption), "rows": .list(entries.prefix(Self.mostShown).map(record)),
      "hasFolded": .flag(!folded.isEmpty), "foldedCount": .text(CountText.counted(folded.count, "more place")),
      "folded": .list(folded.prefix(Self.mostFolded).map(record)), "left": Self.left(folded.count),
    ])
  }

  private static func left(_ count: Int) -> TemplateValue {
    count > mostFolded
      ? .text("\(CountText.counted(count - mostFolded, "place")) more, on the pages of the files.") : .missing
  }

  /// Returns the changed lines that partly ran below those that never ran; nil if there are none.
  private func list(ofPartly entries: [ChangeEntry]) -> TemplateValue? {
    guard !entries.isEmpty else { return nil }
    return list(entries, "\(CountText.counted(entries.count, "changed line")) partly ran")
  }

  /// Returns the unchanged lines that run now but did not before; nil if there are none.
  private func list(
    ofGained comparison: CoverageComparison?, _ files: [String: FileCoverage]
  ) -> TemplateValue? {
    guard let comparison else { return nil }
    let count = comparison.lines(.gained).count
    guard count > 0 else { return nil }
    let lines = CountText.counted(count, "line")
    let words =
      "\(lines) gained: did not run in \(comparison.baseline), \(CountText.agreeing(count, "runs", "run")) now"
    return list(gainedEntries(comparison, files), words)
  }

  /// Returns the unchanged lines that ran in only one of the two by chance; nil if none is known.
  private func list(
    byChance changes: CoverageChanges, _ files: [String: FileCoverage]
  ) -> TemplateValue? {
    guard let comparison = changes.comparison.value, let figure = ChangeSummary(changes).chanceFigure else {
      return nil
    }
    return list(chanceEntries(comparison, files), figure)
  }

  private func list(_ entries: [ChangeEntry], _ summary: String) -> TemplateValue {
    .record([
      "listed": .text(summary), "isOpen": .flag(entries.count <= Self.mostOpen),
      "entries": .list(entries.prefix(Self.mostFolded).map(record)),
      "more": Self.left(entries.count),
    ])
  }

  /// Whether there is a change to report; false for the very first commit, which is all new.
  var showsChanges: Bool { Self.showsChanges(of: integration) }

  static func showsChanges(of integration: Integration) -> Bool {
    guard let changes = integration.changes else { return false }
    if changes.comparison.value != nil { return true }
    guard let patch = changes.patch.value else { return true }
    // A first integration has nothing to be compared with, and its commit may touch no code.
    let touchesNothing = patch.files.isEmpty && patch.unmapped.isEmpty
    return patch.origin != .nothing && !(integration.baseline == nil && touchesNothing)
  }

  /// Returns the reasons why something is unknown, and the files concerned.
  private func unknown(_ changes: CoverageChanges) -> [String] {
    let touched = changes.patch.value?.unmapped ?? []
    // The first of all has nothing to be compared with, and a note says that tests are missing.
    let isTold = integration.number == 1 || integration.coverage.coverage?.testsMissing != nil
    let compared = isTold ? nil : changes.comparison.reason
    let unmapped = (changes.comparison.value?.unmapped ?? []).filter { !touched.contains($0) }
    return Set([changes.patch.reason, compared].compactMap { $0 }).sorted()
      + touched.sentences("Which lines changed", first: Self.mostShown)
      + unmapped.sentences("Whether lines were lost", first: Self.mostShown)
  }

  /// What the change is counted from, as a phrase; empty if that is unknown.
  private func summary(_ changes: CoverageChanges) -> String {
    switch changes.patch.value?.origin {
    case .integration(let number): "since \(number)"
    case .parent: "since the commit's parent"
    case .nothing, nil: ""
    }
  }

  /// Returns a phrase if no line of a change can be measured; nil if some can, or if that is unknown.
  private func noCode(_ patch: PatchCoverage) -> String? {
    guard patch.tally.total == 0, patch.unmapped.isEmpty else { return nil }
    return unchangedSince.map(PatchCoverage.noFile) ?? integration.noLine(of: patch)
  }

  /// Returns the number of files that a figure of the patch does not cover, as a phrase.
  private static func left(_ patch: PatchCoverage) -> String {
    patch.unmapped.isEmpty ? "" : " beside \(CountText.counted(patch.unmapped.count, "unknown file"))"
  }

  /// Returns all lines and regions by kind of change.
  func categories(_ coverage: Coverage) -> TemplateValue {
    guard let comparison = integration.changes?.comparison.value else { return .missing }
    let unmapped = comparison.unmapped.sentences("What became of the lines", first: 12)
    return .record([
      "baseline": .text("\(comparison.baseline)"),
      "rows": ChangeWords.rows(
        lines: comparison.lines, newPartly: comparison.files.reduce(0) { $0 + $1.newPartlyRan.count },
        byChance: comparison.byChance, regions: comparison.regions, since: comparison.baseline),
      "regionSums": .optional(ChangeWords.regionSums(comparison.regions, beside: coverage.totals.regions)),
      "unmapped": .shown(ifAny: unmapped.isEmpty ? nil : unmapped.joined(separator: " ")),
    ])
  }

  /// Returns the figures about the change: the lines that it left uncovered, lost and gained; what it broke comes first where
  /// it left nothing uncovered.
  ///
  /// - Parameters:
  ///   - hasSection: whether the page has more to say of it.
  ///   - isTold: whether the heading says what it left uncovered.
  func changeFigures(hasSection: Bool, isTold: Bool) -> [TemplateValue] {
    guard let changes = integration.changes else { return [] }
    let (patch, comparison) = (changes.patch.value, changes.comparison.value)
    // Why nothing is compared stands with the change.
    let loss = comparison.flatMap(loss)
    guard !isTold else { return [loss].compactMap(\.self) }
    let uncovered = Self.figure(
      "Uncovered in this change",
      patch.map { noCode($0) == nil ? CountText.plain($0.tally.uncovered) : "–" } ?? "unknown",
      whole: patch.map { noCode($0) ?? words($0) + Self.left($0) } ?? changes.patch.reason ?? "",
      link: patch == nil || !hasSection ? nil : "#change",
      isRed: integration.hasFailedPatchGate && patch.map { $0.tally.uncovered > 0 } == true)
    let isLossFirst = patch?.tally.uncovered == 0 && comparison?.lostLines.isEmpty == false
    return (isLossFirst ? [loss, uncovered] : [uncovered, loss]).compactMap(\.self)
  }

  /// Nil if nothing was lost or gained.
  private func loss(_ comparison: CoverageComparison) -> TemplateValue? {
    let (lost, gained) = (comparison.lostLines.count, comparison.lines(.gained).count)
    let regions = [ChangeCategory.lost, .gained].map { comparison.regions[$0] - comparison.regionsByChance[$0] }
    guard lost + gained + regions[0] + regions[1] > 0 else { return nil }
    let ofRegions = zip(regions, ["lost", "gained"]).filter { $0.0 > 0 }.map { "\(CountText.plain($0)) \($1)" }
    // A zero is no news beside what is one.
    let isOne = (lost > 0) != (gained > 0)
    let isSameOfRegions = isOne && (lost > 0) == (regions[0] > 0) && (gained > 0) == (regions[1] > 0)
    let also =
      isSameOfRegions
      ? "and \(CountText.counted(regions[0] + regions[1], "region"))" : "regions: \(ofRegions.joined(separator: ", "))"
    return Self.figure(
      isOne ? lost > 0 ? "Lost" : "Gained" : "Lost and gained", CountText.plain(isOne ? lost + gained : lost),
      unit: isOne ? CountText.agreeing(lost + gained, "line", "lines") : "lost · \(CountText.plain(gained)) gained",
      whole: ofRegions.isEmpty ? "" : also, link: lost > 0 ? "#lost" : nil,
      isRed: lost > 0 && integration.hasFailedLossGate)
  }

  /// Returns of how many changed lines it is.
  private func words(_ patch: PatchCoverage) -> String {
    integration.words(ofChangedLines: patch)
      + (patch.tally.partial > 0 ? "; \(CountText.plain(patch.tally.partial)) partly ran" : "")
  }

  /// - Parameter whole: what the value is a part of.
  static func figure(
    _ name: String, _ value: String, unit: String? = nil, delta: TemplateValue = .missing, whole: String,
    bar: TemplateValue = .missing, link: String? = nil, isRed: Bool = false
  ) -> TemplateValue {
    .record([
      "name": .text(name), "value": .text(value), "delta": delta, "whole": .shown(whole), "bar": bar,
      "unit": .optional(unit), "link": .optional(link), "isRed": .flag(isRed),
    ])
  }
}
