import Model

extension MarkdownExport {
  /// How many places are told before the rest is only counted.
  private static let mostPlaces = 20

  /// What changed in the coverage, and what the gates say.
  var changes: [String] {
    var lines: [String] = []
    if let section = document.coverage.changes {
      let summary = ChangeSummary(section)
      lines += ["### Coverage of the change", "", "Patch: \(MarkdownText.escaped(summary.patchFigure))."]
      if section.patch.since != "nothing" { lines += places(summary.uncovered) }
      if let lost = summary.lostFigure { lines += ["", "Lost: \(lost)."] + places(summary.lost) }
      if let reason = section.reason { lines += ["", MarkdownText.escaped(reason)] }
    }
    let gates = document.gates ?? []
    if !gates.isEmpty {
      lines += lines.isEmpty ? ["### Gates", ""] : [""]
      lines += gates.map { gate in
        "- \(gate.state.word): \(MarkdownText.code(gate.rule)). \(MarkdownText.escaped(gate.sentence))"
      }
    }
    return lines
  }

  private func places(_ places: [ChangeSummary.Place]) -> [String] {
    guard !places.isEmpty else { return [] }
    let shown = places.prefix(Self.mostPlaces).map { place in
      MarkdownText.code(
        ChangeSummary.Place(path: document.repositoryPath(place.path), lines: place.lines).text)
    }
    let more = places.count - Self.mostPlaces
    return ["", "- " + shown.joined(separator: "\n- ") + (more > 0 ? "\n- … and \(CountText.plain(more)) more" : "")]
  }
}

extension GateResult.State {
  /// The word that pages use, capitalised.
  var word: String {
    switch self {
    case .passed: "Passed"
    case .failed: "Failed"
    case .notJudged: "Not judged"
    }
  }

  var glyph: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .notJudged: "not-run"
    }
  }
}
