import Model

/// A brief summary of an integration's coverage: what never ran, and in which files.
struct CoverageSection: ReportSection {
  private static let most = 8

  let report: ReportContext

  /// Missing where there is neither coverage nor a gate, or all of it ran: the figures above already say so.
  var record: TemplateValue {
    let coverage = integration.coverage.coverage.flatMap { gatesBelow.isEmpty && isBare($0) ? nil : $0 }
    guard coverage != nil || !gatesBelow.isEmpty else { return .missing }
    return .record(["available": coverage.map(record(of:)) ?? .missing, "gates": gates])
  }

  /// Whether there is nothing to say but how many files there are.
  private func isBare(_ coverage: Coverage) -> Bool {
    // A gate that failed leads here.
    guard coverage.isComplete, coverage.totals.lines.total > 0, !changes.isSomething,
      filesDelta(of: coverage) == nil, integration.gates.allSatisfy({ $0.state != .failed })
    else { return false }
    return !coverage.files.contains { isOfInterest($0, isComplete: true) }
      && [coverage.totals, integration.comparable?.totals].allSatisfy { $0?.regions.uncovered ?? 0 == 0 }
  }

  private func record(of coverage: Coverage) -> TemplateValue {
    let changes = CoverageTree.changes(integration.changes)
    func rank(of file: FileCoverage) -> CoverageTree.Rank {
      CoverageTree.Rank(lines: file.totals.lines, isInChange: changes[file.path] != nil, name: file.path)
    }
    let worst = coverage.files.filter { isOfInterest($0, isComplete: coverage.isWhole) }
      .sorted { rank(of: $0) < rank(of: $1) }
    let areListed = worst.count == coverage.files.count && worst.count <= Self.most
    return .record([
      "summary": summary(of: coverage, areListed: areListed), "origin": coverage.isWhole ? origin : .missing,
      "incomplete": coverage.isComplete
        ? .missing : .shown(coverage.reason ?? "A process died without saving its coverage data."),
      "changes": self.changes,
      "hasRows": .flag(!worst.isEmpty),
      "rows": .list(worst.prefix(Self.most).map { record(of: $0, isComplete: coverage.isWhole) }),
      "left": .optional(left(worst.dropFirst(Self.most), of: coverage.files.count - min(worst.count, Self.most))),
    ])
  }

  /// Returns how many files the rows do not show, and how many of these have gaps; nil if they show all.
  private func left(_ worst: ArraySlice<FileCoverage>, of all: Int) -> String? {
    guard all > 0 else { return nil }
    let gaps = worst.count { $0.totals.lines.uncovered + $0.totals.lines.partial > 0 }
    let words = CountText.counted(all, "more file")
    return gaps == 0
      ? "\(words) without gaps" : gaps == all ? "\(words) with gaps" : "\(words), \(CountText.plain(gaps)) with gaps"
  }

  /// What it is compared with; missing if that is the baseline.
  private var origin: TemplateValue {
    guard let number = integration.comparable?.coverageFrom else { return .missing }
    return .record(["number": .text("\(number)"), "link": .optional(report.comparisonPages[number])])
  }

  /// Whether some of it did not run, or did not before.
  private func isOfInterest(_ file: FileCoverage, isComplete: Bool) -> Bool {
    let (now, before) = (file.totals.lines, isComplete ? integration.baseline?.files[file.path]?.lines : nil)
    return [now.uncovered, now.partial, before?.uncovered ?? 0, before?.partial ?? 0].contains { $0 > 0 }
  }

  /// - Parameter areListed: whether each file has a row, so that their number shows.
  private func summary(of coverage: Coverage, areListed: Bool) -> TemplateValue {
    let totals = coverage.totals
    guard totals.lines.total > 0 else { return SummaryPart.line([SummaryPart(words: "no lines with code")]) }
    let before = coverage.isWhole ? integration.comparable?.totals : nil
    // As in columns, unchanged figures are not marked.
    // What is complete needs no figure, unless it was not.
    func part(
      of all: String, _ never: String, _ did: String, _ tally: (CoverageTotals) -> Tally
    ) -> SummaryPart? {
      if tally(totals).uncovered == 0, before.map(tally)?.uncovered ?? 0 == 0 { return nil }
      return SummaryPart(
        words: CoverageWords.figure(tally(totals), of: all, never: never, did: did),
        delta: before.map(tally).flatMap {
          Delta(tally(totals), from: $0, byChance: integration.chance { tally($0).uncovered })
        })
    }
    let parts = [
      partly(totals.lines.partial, before: before?.lines.partial),
      part(of: coverage.functionSum, "never called", "called") { $0.functions },
      part(of: CountText.counted(totals.regions.total, "region"), "never ran", "ran") { $0.regions },
    ].compactMap { coverage.isWhole ? $0 : nil }
    let files = SummaryPart(
      words: CountText.counted(coverage.files.count, "file"), delta: filesDelta(of: coverage))
    return SummaryPart.line(parts + (areListed && !parts.isEmpty && files.delta == nil ? [] : [files]))
  }

  /// Returns how many lines partly ran; nil if none do and did.
  private func partly(_ count: Int, before: Int?) -> SummaryPart? {
    guard count > 0 || before ?? 0 > 0 else { return nil }
    return SummaryPart(
      words: CountText.counted(count, "line partly ran", "lines partly ran"),
      delta: before.flatMap {
        Delta(count, from: $0, .moreIsWorse, byChance: integration.chance { $0.lines.partial })
      })
  }

  /// Returns the change in the number of files; as in columns, nil if nothing changed.
  private func filesDelta(of coverage: Coverage) -> Delta? {
    guard coverage.isComplete, let baseline = integration.baseline, baseline.totals != nil,
      baseline.files.count != coverage.files.count
    else { return nil }
    return Delta(coverage.files.count, from: baseline.files.count, .neutral)
  }

  private func record(of file: FileCoverage, isComplete: Bool) -> TemplateValue {
    let lines = file.totals.lines
    let before = isComplete ? integration.baseline?.files[file.path]?.lines : nil
    let ran = lines.covered - lines.partial
    let isNew = isComplete && integration.baseline?.totals != nil && before == nil
    let byChance = integration.byChance(in: file.path)
    return .record([
      "path": .shown(file.path), "link": .optional(sources.link(to: file.path)), "target": .shown(file.target),
      "uncovered": .text(CountText.plain(lines.uncovered)), "total": .text(CountText.plain(lines.total)),
      "delta": isNew
        ? .record(["text": "new", "tone": ""])
        : before.flatMap {
          Delta(lines.uncovered, from: $0.uncovered, .moreIsWorse, byChance: byChance.uncoveredChange)
        }.record,
      "partial": .text(CountText.plain(lines.partial)),
      "partialDelta": before.flatMap {
        Delta(
          lines.partial, from: $0.partial, .moreIsWorse,
          byChance: byChance.chance(of: lines.partial - $0.partial, beside: lines.uncovered - $0.uncovered))
      }.record,
      "share": CountText.percent(lines.uncovered, of: lines.total).map { .text($0) } ?? .text(""),
      "bar": Bar(
        [("red", lines.uncovered), ("amber", lines.partial), ("green", ran)],
        label: "\(lines.uncovered) never ran, \(lines.partial) partly ran, \(ran) ran"
      ).record,
    ])
  }
}

extension CoverageSection {
  private static let mostPlaces = 6

  /// The changes in the coverage, for the first page; missing if nothing is to say of them.
  var changes: TemplateValue {
    guard let changes = integration.changes else { return .missing }
    let summary = ChangeSummary(changes, notRun: counts.notRun)
    let coverage = integration.coverage.coverage
    // For a first integration, it is obvious that there is nothing to compare with; and a figure tells what is missing.
    let isObvious = integration.baseline == nil || coverage?.testsMissing != nil
    // The row of a failed gate above has the lines.
    let isLossTold = integration.hasFailedLossGate
    let facts: [String: TemplateValue] = [
      "patch": .shown(ifAny: changes.patch.value == nil ? summary.patchFigure : nil),
      "leftOut": .shown(ifAny: summary.patchLeftOut),
      "notCounted": .list(summary.patchUncounted.map { .shown($0) }),
      "lost": .shown(ifAny: isLossTold ? nil : summary.lostFigure),
      "lostPlaces": isLossTold ? .missing : places(summary.lost),
      "deleted": .shown(ifAny: isLossTold || summary.lostFigure == nil ? nil : integration.deletedTests),
      "lostParts": .shown(ifAny: isLossTold ? nil : summary.lostPartsFigure),
      "lostPartsPlaces": isLossTold ? .missing : places(summary.lostParts),
      "unchecked": coverage?.mutants?.value.map(unchecked) ?? .missing,
      "chance": .shown(ifAny: summary.chanceCount),
      "chancePlaces": places(summary.byChance),
      "unknown": .shown(ifAny: isObvious ? nil : changes.comparison.reason),
    ]
    return facts.values.contains(where: \.isSomething) ? .record(facts) : .missing
  }

  /// Changed functions or conditions that ran but that no test checks, and those that were not tried; missing if there are
  /// none.
  private func unchecked(_ report: MutationReport) -> TemplateValue {
    let kinds = [("Not checked", MutantWords.unchecked(report)), ("Not tried", MutantWords.untried(report))]
    let rows = kinds.map { row($0, of: $1.filter(\.subject.isChanged)) }.filter(\.isSomething)
    return rows.isEmpty ? .missing : .list(rows)
  }

  /// Returns those with one fault together, after what they are; missing if there are none.
  private func row(
    _ term: String, of subjects: [(subject: MutationReport.Subject, fault: String)]
  ) -> TemplateValue {
    let changed = subjects.grouped(by: \.fault).joined()
    let shown = Array(changed.prefix(Self.mostPlaces))
    let left = changed.count - shown.count
    guard !shown.isEmpty else { return .missing }
    return .record([
      "term": .text(term),
      "entries": .list(
        shown.indices.map { index in
          let (subject, fault) = shown[index]
          let next = index + 1 < shown.endIndex ? shown[index + 1] : nil
          return .record([
            "text": .name(MutantWords.shortName(subject)),
            "link": .optional(sources.link(to: subject.path, line: subject.start.line)),
            "after": .shown(next?.fault == fault ? "," : ": \(fault)\(next == nil ? "" : ";")"),
          ])
        }),
      "more": left > 0 ? .text("and \(CountText.plain(left)) more") : .missing,
    ])
  }

  /// The gates without a row on the first screen.
  private var gatesBelow: [GateResult] { integration.gates.filter { $0.state != .failed } }

  private var gates: TemplateValue {
    guard !gatesBelow.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        gatesBelow.map { gate in
          .record([
            "name": .shown(gate.name.capitalizedFirst),
            "word": .text(gate.ending.word), "glyph": .text(gate.ending.glyph),
            "sentence": .shown(ifAny: isToldAbove(gate) ? nil : gate.sentence),
          ])
        })
    ])
  }

  /// Whether the figure of the change says why a gate has nothing to judge.
  private func isToldAbove(_ gate: GateResult) -> Bool {
    guard gate.isOfNothing, let patch = integration.changes?.patch.value, patch.origin != .nothing else { return false }
    return patch.tally.total == 0 && gate.judgedOtherwise(than: patch) == nil
  }

  private func places(_ lines: LinePlaces) -> TemplateValue {
    guard !lines.places.isEmpty else { return .missing }
    let left = lines.lineCount(behind: Self.mostPlaces)
    return .record([
      "entries": .list(
        lines.places.prefix(Self.mostPlaces).map { place in
          .record([
            "text": .name("\(place.path):\(place.range)"),
            "link": .optional(sources.link(to: place.path, line: place.lines.lowerBound)),
          ])
        }),
      "more": left > 0 ? .text("and \(CountText.counted(left, "more line"))") : .missing,
    ])
  }
}
