import Model

/// A gate that failed in only one of two integrations.
struct GateChange {
  /// What was open of it.
  let issue: IntegrationRecord.FlatIssue
  /// Whether it fails in the second of the two, or no longer does.
  let isFailing: Bool

  /// Whether it fails now because changed lines did not run.
  var failsForChangedLines: Bool {
    guard isFailing, let rule = Issue(issue).gate.flatMap(CoverageGate.init) else { return false }
    return switch rule {
    case .patch, .patchFullyCovered: true
    case .noLostCoverage, .ratchet, .noUncheckedChanges: false
    }
  }

  /// Its name, in mid-sentence.
  var name: String {
    Issue(issue).gate.map(GateResult.name(ofRule:)) ?? FailureLine.brief(of: issue.message)
  }

  /// Its name at the start of a line; what it found is among the lines.
  var title: String { name.capitalizedFirst }

  /// What became of it; one that is not asked for any more does not pass.
  var word: String {
    if isFailing { return "failed\(again)" }
    return issue.ending == .fixed ? "passes\(again)" : "no longer fails"
  }

  /// The same, with the integration in which it failed last.
  var change: String {
    let last = isFailing ? issue.life?.cameBackFrom : nil
    return word + (last.map { ", last in \($0)" } ?? "")
  }

  /// The same about several.
  var pluralWord: String {
    if isFailing { return word }
    return issue.ending == .fixed ? "pass\(again)" : "no longer fail"
  }

  private var again: String { IssueWords.again(Issue(issue)) }
}

extension ComparisonWords {
  /// The gates that failed in only one of the two, those that fail now first.
  var gates: [GateChange] {
    func changes(_ issues: [IntegrationRecord.FlatIssue], isFailing: Bool) -> [GateChange] {
      issues.filter { $0.kind == .gate && $0.carriedOver != true }.map { GateChange(issue: $0, isFailing: isFailing) }
    }
    return changes(comparison.issues.new, isFailing: true) + changes(comparison.issues.gone, isFailing: false)
  }

  /// What became of the gates, as phrases: a single one is named.
  var gatePhrases: [String] {
    gates.grouped(by: \.word).compactMap { alike in
      guard let first = alike.first else { return nil }
      if alike.count == 1 { return "\(first.name) \(first.word)" }
      return "\(CountText.plain(alike.count)) gates \(first.pluralWord)"
    }
  }
}

extension ComparisonPage {
  /// The gates that changed; missing if none did.
  var gates: TemplateValue {
    let gates = words.gates
    guard !gates.isEmpty else { return .missing }
    let (before, after) = (comparison.before, comparison.after)
    return .record([
      "before": .shown(words.before), "after": .shown(words.after),
      "rows": .list(
        gates.map { gate in
          let rule = Issue(gate.issue).gate
          func result(_ side: IntegrationComparison.Side) -> GateResult? { side.gates?.first { $0.rule == rule } }
          return .record([
            "title": .shown(gate.title), "link": .optional(links.issue(gate.issue.id)),
            "word": .text(gate.change),
            "suspect": gate.isFailing ? suspect(of: Issue(gate.issue)) : .missing, "before": state(result(before)),
            "after": state(result(after)),
          ])
        }),
    ])
  }

  private func state(_ gate: GateResult?) -> TemplateValue {
    gate.map { gate in
      .record([
        "glyph": .text(gate.state.glyph), "word": .text(gate.state.word),
        "say": .shown(gate.finding(beside: comparison.before.number)),
      ])
    } ?? .missing
  }
}
