import Model

/// The hints about how an integration's tests are written, after FIRST.
struct PracticeSection: ReportSection {
  let report: ReportContext
  private let card: PracticeCard
  /// The lines with anchors on the pages of counted sources, by path.
  private let blocks: [String: Set<Int>]

  /// Nil for an integration without a card.
  init?(_ report: ReportContext) {
    let integration = report.integration
    guard let card = integration.practice?.shown(beside: integration.outcome, integration.rhythm), card.looks > 0
    else { return nil }
    self.report = report
    self.card = card
    let files = report.integration.coverage.coverage?.files ?? []
    blocks = Dictionary(
      files.map { ($0.path, Set($0.uncoveredBlocks.map(\.lowerBound))) }, uniquingKeysWith: { first, _ in first })
  }

  var record: TemplateValue {
    let off = (card.off ?? []).map(\.rawValue)
    let faults = card.hints.filter { $0.state == .attention }.compactMap(found).phrase(separator: ", ")
    return .record([
      "found": faults.isEmpty ? .missing : faults.record { report.address(of: $0) },
      "rows": .list(card.hints.map(row)),
      "off": off.isEmpty ? .missing : .text("Switched off: \(CountText.list(off))."),
    ])
  }

  /// Returns what a hint asks to look at; nil if rows above have it. Of tests that were flaky before, it says in which
  /// integrations.
  private func found(_ hint: PracticeHint) -> [IssueWords.Part]? {
    if hint.name == .measurements, integration.worse != nil { return nil }
    let fault = [IssueWords.Part(words: hint.fault(integration.changes))]
    guard hint.name == .repeatable, !hint.entries.isEmpty, hint.entries.count < PracticeHint.mostEntries else {
      return fault
    }
    let told = Set((UnsteadySection(report: report).tests + integration.tests.results.filter(\.endsBadly)).map(\.id))
    let unsteady = Set(integration.tests.isolation?.unsteady ?? [])
    let left = hint.entries.compactMap(\.test).filter { !told.contains($0) }
    if left.isEmpty { return nil }
    let earlier = left.map { unsteady.contains($0) ? [] : integration.histories[$0]?.flakyIn ?? [] }
    return earlier.contains(where: \.isEmpty) ? fault : FlakyWords.earlier(of: left.count, in: Set(earlier.joined()))
  }

  private func row(_ hint: PracticeHint) -> TemplateValue {
    let entries = hint.name == .measurements ? measured : hint.entries.map { row($0) }
    return .record([
      "glyph": .text(hint.state.glyph), "state": .text(hint.state.word), "name": .text(hint.name.word),
      "sentence": .shown(hint.sentence), "hasEntries": .flag(!entries.isEmpty),
      "count": .text("Show \(CountText.plain(entries.count))"), "entries": .list(entries),
    ])
  }

  /// What was measured, with plots of earlier measurements where there is more than one figure.
  private var measured: [TemplateValue] {
    integration.tests.measuredValues(integration.trends).prefix(PracticeHint.mostEntries).map { test, trend in
      row(
        PracticeHint.Entry(test: test.id, location: test.location, words: MeasurementWords.entry(trend)),
        trend: trend.known.count > 1 ? MeasurementPlot(trend, size: .small).html : nil)
    }
  }

  private func row(_ entry: PracticeHint.Entry, trend: SafeHTML? = nil) -> TemplateValue {
    let place = entry.file.map { SourceLocation(file: $0, line: entry.line ?? 0) }
    let source = entry.file.flatMap { file in
      sources.link(to: file, line: entry.line.flatMap { blocks[file]?.contains($0) ?? true ? $0 : nil })
    }
    return .record([
      "name": .shown(ifAny: entry.test.map(report.title)), "suite": .shown(ifAny: entry.test?.suite),
      "link": .optional(entry.test.flatMap(report.link)), "place": .place(place),
      "placeLink": .optional(source), "words": .shown(ifAny: entry.words),
      "trend": trend.map { .html($0) } ?? .missing,
    ])
  }
}

extension PracticeHint.Name {
  /// The name of the row.
  var word: String {
    switch self {
    case .fast: "Fast"
    case .isolated: "Isolated"
    case .repeatable: "Repeatable"
    case .selfValidating: "Self-validating"
    case .thorough: "Thorough"
    case .rhythm: "Rhythm"
    case .names: "Names"
    case .templates: "Templates"
    case .sources: "Sources"
    case .totals: "Totals"
    case .measurements: "Measured"
    }
  }
}

extension PracticeHint {
  /// Returns what it asks to look at.
  fileprivate func fault(_ changes: CoverageChanges?) -> String {
    switch name {
    case .fast: counted("slow test", "slow tests")
    case .isolated: counted("test that depends on others", "tests that depend on others")
    case .repeatable: counted("flaky test", "flaky tests")
    case .selfValidating: "assertions that never ran"
    case .thorough: Self.gaps(in: changes)
    // Whatever else the rhythm asks to look at, the outcome has said.
    case .rhythm: "red test deleted"
    case .names: "names that do not match"
    case .templates: counted("empty template", "empty templates")
    case .sources: counted("test file that never ran", "test files that never ran")
    case .totals: "differing totals"
    case .measurements: "worse measured values"
    }
  }

  /// Returns the worst that changes did to the coverage.
  private static func gaps(in changes: CoverageChanges?) -> String {
    let (patch, comparison) = (changes?.patch.value, changes?.comparison.value)
    let changed = patch?.origin == .nothing ? "" : "changed "
    let gaps = [
      (patch?.tally.uncovered, "\(changed)line that never ran", "\(changed)lines that never ran"),
      (comparison?.lostLines.count, "line that no longer runs", "lines that no longer run"),
      (comparison?.lostParts.count, "line that now runs only partly", "lines that now run only partly"),
    ]
    return gaps.lazy.compactMap { count, one, many in
      count.flatMap { $0 > 0 ? CountText.counted($0, one, many) : nil }
    }.first ?? "lines that never ran"
  }

  /// Returns how many entries there are; without a number where not all may be there.
  private func counted(_ one: String, _ many: String) -> String {
    entries.isEmpty || entries.count >= Self.mostEntries ? many : CountText.counted(entries.count, one, many)
  }
}

extension PracticeHint.State {
  fileprivate var glyph: String {
    switch self {
    case .good: "passed"
    case .attention: "warning"
    case .unknown: "not-run"
    }
  }

  fileprivate var word: String {
    switch self {
    case .good: "Good"
    case .attention: "To look at"
    case .unknown: "Unknown"
    }
  }
}
