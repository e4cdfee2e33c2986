import Model

/// A gate that failed in one of two integrations, or in both.
struct GateChange {
  /// What became of it from the first to the second.
  enum Course {
    case failed, stillFails, gone
  }

  /// What was open of it.
  let issue: IntegrationRecord.FlatIssue
  let course: Course
  /// How it was judged in the second; nil where it was not.
  let result: GateResult?

  private var rule: CoverageGate? { Issue(issue).gate.flatMap(CoverageGate.init) }

  /// Whether it fails because changed lines did not run.
  var failsForChangedLines: Bool {
    guard let rule else { return false }
    return switch rule {
    case .patch, .patchFullyCovered: true
    case .noLostCoverage, .ratchet, .noUncheckedChanges: false
    }
  }

  /// For how many lines that no longer run it newly fails; nil if it does not fail for such lines.
  var lostLines: Int? { course == .failed && rule == .noLostCoverage ? result?.lines?.count : nil }

  /// Its name, in mid-sentence.
  var name: String {
    Issue(issue).gate.map(GateResult.name(ofRule:)) ?? FailureLine.brief(of: issue.message)
  }

  /// Its name at the start of a line; what it found is among the lines.
  var title: String { name.capitalizedFirst }

  /// What became of it; one that is not asked for any more does not pass.
  var word: String {
    switch course {
    case .failed: last == nil ? "failed" : "failed again"
    case .stillFails: "still fails"
    case .gone: issue.ending == .fixed ? "passes\(again)" : "no longer fails"
    }
  }

  /// The earlier integration in which it failed last; nil unless it fails again now.
  var last: Int? { course == .failed ? issue.life?.cameBackFrom : nil }

  /// The same in a sentence, with its name.
  var phrase: String { "\(name) \(word)" + (lostLines.map { " (\(CountText.counted($0, "line")))" } ?? "") }

  /// What became of several.
  var pluralWord: String {
    switch course {
    case .failed: word
    case .stillFails: "still fail"
    case .gone: issue.ending == .fixed ? "pass\(again)" : "no longer fail"
    }
  }

  private var again: String { IssueWords.again(Issue(issue)) }
}

extension ComparisonWords {
  /// The gates that failed in either, those that fail only now first.
  var gates: [GateChange] {
    func changes(_ issues: [IntegrationRecord.FlatIssue], _ course: GateChange.Course) -> [GateChange] {
      issues.filter { $0.kind == .gate && $0.carriedOver != true }.map { issue in
        let rule = Issue(issue).gate
        return GateChange(
          issue: issue, course: course, result: comparison.after.gates?.first { $0.rule == rule })
      }
    }
    let issues = comparison.issues
    return changes(issues.new, .failed) + changes(issues.both, .stillFails) + changes(issues.gone, .gone)
  }

  /// Returns what became of the gates with a course, as phrases: a single one is named.
  func gatePhrases(_ course: GateChange.Course) -> [String] {
    gates.filter { $0.course == course }.grouped(by: \.word).compactMap { alike in
      guard let first = alike.first else { return nil }
      return alike.count == 1 ? first.phrase : "\(CountText.plain(alike.count)) gates \(first.pluralWord)"
    }
  }
}

extension ComparisonPage {
  /// The gates that failed in either; missing if none did.
  var gates: TemplateValue {
    let gates = words.gates
    guard !gates.isEmpty else { return .missing }
    return .record([
      "before": .shown(words.before), "after": .shown(words.after),
      "rows": .list(
        gates.map { gate in
          let rule = Issue(gate.issue).gate
          return .record([
            "title": .shown(gate.title), "link": .optional(links.issue(gate.issue.id)),
            "word": .text(gate.word), "last": lastly(gate.last),
            "suspect": gate.course == .failed ? suspect(of: Issue(gate.issue)) : .missing,
            "before": state(comparison.before.gates?.first { $0.rule == rule }), "after": state(gate.result),
          ])
        }),
    ])
  }

  private func state(_ gate: GateResult?) -> TemplateValue {
    gate.map { gate in
      .record([
        "glyph": .text(gate.ending.glyph), "word": .text(gate.ending.word),
        // That it passed says it, unless there is a share; each names what it counts from, which may differ.
        "say": .shown(
          ifAny: gate.state == .passed && gate.share == nil ? nil : gate.finding(beside: nil)),
      ])
    } ?? .missing
  }
}
