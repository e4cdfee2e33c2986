package import Model

/// A summary of how an integration changed the coverage: a sentence for the patch and one for the lost lines.
package struct ChangeSummary: Sendable {
  /// The number of places that a sentence names before it counts the rest.
  private static let mostPlaces = 3

  /// The touched lines that never ran.
  package let uncovered: LinePlaces
  /// The unchanged lines that ran before and no longer do.
  package let lost: LinePlaces
  /// The lines that still run, but on which a part begins that ran before and no longer does.
  package let lostParts: LinePlaces
  /// The unchanged lines that ran in only one of the two, by chance.
  package let byChance: LinePlaces
  /// The lines that counted before and are now left out on request.
  package let hidden: [LeftOutLines.Remark]
  /// `hidden`, followed by the lines that were left out before and count now.
  package let leftOut: [LeftOutLines.Remark]
  /// The counted files whose touched lines are unknown.
  package let unmapped: [String]
  /// The files with touched lines that are left out on request; empty for a commit without a parent, which is all new.
  package let leftOutFiles: [String]
  /// The files of the repository with touched lines that do not count; empty for a commit without a parent.
  package let uncountedFiles: [UncountedPatchFile]
  private let changes: IntegrationRecord.ChangesSection

  /// - Parameter notRun: the number of listed tests that did not run: where there are any, no line is known to be lost.
  package init(_ changes: IntegrationRecord.ChangesSection, notRun: Int = 0) {
    self.changes = changes
    uncovered = Self.places((changes.patch.files ?? []).map { ($0.path, $0.neverRan) })
    let compared = notRun > 0 ? [] : changes.files ?? []
    lost = Self.places(compared.map { ($0.path, $0.lost ?? []) })
    lostParts = Self.places(compared.map { ($0.path, $0.lostParts ?? []) })
    byChance = Self.places((changes.files ?? []).map { ($0.path, $0.byChance ?? []) })
    unmapped = changes.patch.unmapped ?? []
    leftOutFiles = changes.patch.since == "nothing" ? [] : changes.patch.leftOut ?? []
    uncountedFiles = changes.patch.since == "nothing" ? [] : changes.patch.uncounted ?? []
    let (leftOut, baseline) = (changes.leftOut ?? LeftOutLines(), changes.baseline.map(String.init) ?? "")
    hidden = leftOut.hiding(since: baseline, number: CountText.plain)
    self.leftOut = hidden + leftOut.showing(since: baseline, number: CountText.plain)
  }

  /// - Parameter notRun: the number of listed tests that did not run.
  package init(_ changes: CoverageChanges, notRun: Int = 0) {
    self.init(IntegrationRecord.ChangesSection(changes), notRun: notRun)
  }

  /// How many touched lines ran, without places; if that is unknown, the reason.
  package var patchFigure: String {
    guard !unmapped.isEmpty else { return ranFigure ?? noCode }
    return joined([ranFigure, "which lines changed is not known in \(CountText.counted(unmapped.count, "file"))"])
  }

  /// `patchFigure` with the first places.
  package var patch: String {
    let list = changes.patch.since == "nothing" ? nil : Self.list(uncovered)
    let ran = ranFigure.map { figure in list.map { "\(figure): \($0)" } ?? figure }
    guard !unmapped.isEmpty else { return ran ?? patchFigure }
    let left = unmapped.count - Self.mostPlaces
    let files = unmapped.prefix(Self.mostPlaces).joined(separator: ", ")
    return joined([
      ran,
      "which lines changed is not known in \(files)\(left > 0 ? " and \(CountText.counted(left, "more file"))" : "")",
    ])
  }

  /// A note about changed lines other than those that never ran; nil if there is nothing to add.
  var patchNote: String? {
    let partial = changes.patch.lines?.partial ?? 0
    let parts = [
      partial > 0 ? "\(CountText.plain(partial)) partly ran" : nil,
      unmapped.isEmpty ? nil : "changed lines not known in \(CountText.counted(unmapped.count, "file"))",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The files with touched lines that are left out, such as `changed lines of A.swift and 1 more file`; nil if there
  /// are none.
  package var patchLeftOut: String? { patchLeftOut(first: Self.mostPlaces) { $0 } }

  /// Returns the same with a different number of files, each under a name of the caller's choice.
  func patchLeftOut(first count: Int, _ name: (String) -> String) -> String? {
    guard !leftOutFiles.isEmpty else { return nil }
    let left = leftOutFiles.count - count
    let more = left > 0 ? [CountText.counted(left, "more file")] : []
    return "changed lines of \(CountText.list(leftOutFiles.prefix(count).map(name) + more))"
  }

  /// Clauses about changed lines that do not count, with the reasons and the first files; empty if there are none.
  package var patchUncounted: [String] { uncountedFiles.clauses(first: Self.mostPlaces) }

  private var noCode: String {
    PatchCoverage.noLine()
      + (changes.patch.leftOut != nil ? "; some are left out on request" : "")
  }

  private func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: "; ") }

  /// Nil if no line that is known to have changed holds code.
  private var ranFigure: String? {
    guard let lines = changes.patch.lines else { return "not known: \(changes.patch.reason ?? "no reason was kept")" }
    if changes.patch.since == "nothing" { return "first commit: every line counts as changed" }
    guard lines.total > 0 else { return nil }
    if lines.total == 1, lines.partial == 1 { return "the changed line partly ran" }
    let ran = "\(CountText.plain(lines.covered)) of \(CountText.counted(lines.total, "changed line")) ran"
    let parts = [
      lines.partial > 0 ? ", \(CountText.plain(lines.partial)) of them partly" : "",
      lines.uncovered > 0 ? "; \(CountText.plain(lines.uncovered)) never\(Self.doubt(uncovered))" : "",
    ]
    return ran + parts.joined()
  }

  /// How many lines were lost, without places; nil if none, or if that is unknown.
  package var lostFigure: String? {
    let count = lost.lineCount(behind: 0)
    guard let baseline = changes.baseline, count > 0 else { return nil }
    return LostWords.lines(count, since: "\(baseline)") + Self.doubt(lost)
  }

  /// `lostFigure` with the first places.
  package var lostSentence: String? {
    lostFigure.map { figure in Self.list(lost).map { "\(figure): \($0)" } ?? figure }
  }

  /// How many lines lost a part but still run, without places; nil if none, or if that is unknown.
  package var lostPartsFigure: String? {
    let count = lostParts.lineCount(behind: 0)
    guard changes.baseline != nil, count > 0 else { return nil }
    return LostWords.parts(count) + Self.doubt(lostParts)
  }

  /// `lostPartsFigure` with the first places.
  package var lostPartsSentence: String? {
    lostPartsFigure.map { figure in Self.list(lostParts).map { "\(figure): \($0)" } ?? figure }
  }

  /// How many lines run by chance, beside a label that says so, without places; nil if none is known.
  package var chanceCount: String? { chanceWords() }

  /// - Parameter chance: what says that it is by chance, with a space before it.
  private func chanceWords(_ chance: String = "") -> String? {
    let count = byChance.lineCount(behind: 0)
    guard changes.witnesses != nil || changes.flakyTests != nil, count > 0 else { return nil }
    if let earlier = attemptsBefore {
      return "\(CountText.counted(count, "unchanged line")) ran\(chance) in \(earlier)"
    }
    // That the tests were flaky is past; the code may run so or otherwise at any time.
    return changes.witnesses == nil
      ? "\(CountText.counted(count, "unchanged line")) ran\(chance)"
      : "\(CountText.counted(count, "unchanged line runs", "unchanged lines run"))\(chance)"
  }

  /// How many lines run by chance, and how that is known; nil if none is known.
  package var chanceFigure: String? {
    let count = byChance.lineCount(behind: 0)
    let whose = changes.witnesses.map {
      CountText.witnesses(
        $0, ofBaseline: changes.baselineWitnesses, baseline: changes.baseline, before: changes.baseline.map(String.init)
      )
        + " in \(CountText.agreeing(count, "it", "them"))"
    }
    let place = attemptsBefore == nil ? "" : " there"
    let attempts = changes.flakyTests.map { FlakyWords.onlyAttempts(of: $0, lines: count, where: place) }
    return chanceWords(" by chance").map { "\($0): \([whose, attempts].compactMap(\.self).joined(separator: "; "))" }
  }

  /// The number of the earlier integration if only its flaky tests account for all that runs by chance.
  private var attemptsBefore: Int? {
    guard changes.witnesses == nil, changes.flakyTests != nil, let byChance = changes.byChance,
      byChance[.lost] > 0, byChance[.gained] == 0
    else { return nil }
    return changes.baseline
  }

  /// `chanceFigure` with the first places.
  package var chanceSentence: String? {
    chanceFigure.map { figure in Self.list(byChance).map { "\(figure): \($0)" } ?? figure }
  }

  /// The lines that count in only one of the two, with the first places; empty if there are none.
  package var leftOutSentences: [String] {
    leftOut.map { remark in Self.list(remark.places).map { "\(remark.words): \($0)" } ?? remark.words }
  }

  /// Returns the reservation after a figure of lines that did not run if some are in headers; see
  /// `FileCoverage.isHeader`.
  private static func doubt(_ lines: LinePlaces) -> String {
    lines.places.contains { SourceSuffix.isHeader($0.path) } ? ", as far as calls of headers are counted" : ""
  }

  private static func list(_ lines: LinePlaces) -> String? {
    guard !lines.places.isEmpty else { return nil }
    let left = lines.lineCount(behind: mostPlaces)
    return lines.text(first: mostPlaces) + (left > 0 ? " and \(CountText.counted(left, "more line"))" : "")
  }

  private static func places(_ files: [(path: String, lines: [Int])]) -> LinePlaces {
    LinePlaces(files.flatMap { file in file.lines.map { SourceLocation(file: file.path, line: $0) } })
  }
}

extension CountText {
  /// Returns `integration 14, of the same commit as 12, differs` or `integrations 3 and 4, of this commit, differ`.
  ///
  /// - Parameters:
  ///   - ofBaseline: the numbers that belong to the earlier commit; nil if that was not recorded.
  ///   - baseline: the number of the earlier integration, which is among them only if its code is the same.
  ///   - before: the name of the earlier integration.
  ///   - after: the name of the later integration; nil for the one that the text is about.
  static func witnesses(
    _ numbers: [Int], ofBaseline: [Int]?, baseline: Int?, before: String?, after: String? = nil
  ) -> String {
    func group(_ numbers: [Int], _ whose: String) -> String? {
      guard !numbers.isEmpty else { return nil }
      return
        "\(CountText.agreeing(numbers.count, "integration", "integrations")) \(list(numbers.map(String.init))), of \(whose),"
    }
    let groups: [String?]
    if let ofBaseline, let before {
      groups = [
        group(ofBaseline.filter { $0 == baseline }, "the same code"),
        group(ofBaseline.filter { $0 != baseline }, "the same commit as \(before)"),
        group(
          numbers.filter { !ofBaseline.contains($0) }, after.map { "the same commit as \($0)" } ?? "this commit"),
      ]
    } else {
      groups = [group(numbers, "one of the two commits")]
    }
    return list(groups.compactMap(\.self)) + CountText.agreeing(numbers.count, " differs", " differ")
  }
}
