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
      lines += unknown(summary.unmapped) + leftOut(summary.leftOutFiles)
      lines += uncounted(summary.uncountedFiles)
      if let lost = summary.lostFigure { lines += ["", "Lost: \(lost)."] + places(summary.lost) }
      if let lost = summary.lostPartsFigure { lines += ["", "Lost: \(lost)."] + places(summary.lostParts) }
      for remark in summary.leftOut { lines += ["", "Left out: \(remark.words)."] + places(remark.places) }
      if let chance = summary.chanceFigure {
        lines += ["", "Neither lost nor gained: \(chance)."] + places(summary.byChance)
      }
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

  private func unknown(_ files: [String]) -> [String] {
    list(files, "not known: ")
  }

  private func leftOut(_ files: [String]) -> [String] {
    guard !files.isEmpty else { return [] }
    return ["", "Left out: changed lines of \(CountText.counted(files.count, "file"))."] + list(files)
  }

  private func uncounted(_ files: [UncountedPatchFile]) -> [String] {
    files.byReason.flatMap { files, reason in
      let lines = "\(files.subject.capitalizedFirst) \(CountText.counted(files.count, "file")) do not count"
      return ["", "\(lines): \(MarkdownText.escaped(reason))."] + list(files.map(\.path))
    }
  }

  private func list(_ files: [String], _ words: String = "") -> [String] {
    guard !files.isEmpty else { return [] }
    let left = files.count - Self.mostPlaces
    let shown = files.prefix(Self.mostPlaces).map { "- \(words)\(MarkdownText.code(document.repositoryPath($0)))" }
    return [""] + shown + (left > 0 ? ["- … and \(CountText.counted(left, "more file"))"] : [])
  }

  private func places(_ lines: LinePlaces) -> [String] {
    guard !lines.places.isEmpty else { return [] }
    let left = lines.lineCount(behind: Self.mostPlaces)
    let shown = lines.places.prefix(Self.mostPlaces).map { place in
      "- \(MarkdownText.code("\(document.repositoryPath(place.path)):\(place.range)"))"
    }
    return [""] + shown + (left > 0 ? ["- … and \(CountText.counted(left, "more line"))"] : [])
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
