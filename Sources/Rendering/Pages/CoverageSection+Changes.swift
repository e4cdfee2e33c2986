import Model

extension CoverageSection {
  private static let mostPlaces = 6

  /// What changed in the coverage, for the first page; missing without coverage.
  var changes: TemplateValue {
    guard let changes = integration.changes else { return .missing }
    let summary = ChangeSummary(changes)
    let isAllNew = changes.patch.value?.origin == .nothing
    return .record([
      "patch": .shown(summary.patchFigure),
      "isPatchRed": .flag((!isAllNew && !summary.uncovered.places.isEmpty) || !summary.unmapped.isEmpty),
      "uncovered": places(isAllNew ? LinePlaces([]) : summary.uncovered),
      "leftOut": .shown(ifAny: summary.patchLeftOut),
      "notCounted": .list(summary.patchUncounted.map { .shown($0) }),
      "lost": .shown(ifAny: summary.lostFigure),
      "lostPlaces": places(summary.lost),
      "lostParts": .shown(ifAny: summary.lostPartsFigure),
      "lostPartsPlaces": places(summary.lostParts),
      "chance": .shown(ifAny: summary.chanceFigure),
      "chancePlaces": places(summary.byChance),
      "unknown": changes.comparison.reason.map { .shown($0) } ?? .missing,
    ])
  }

  /// What became of the gates; missing without any.
  var gates: TemplateValue {
    guard !integration.gates.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        integration.gates.map { gate in
          .record([
            "rule": .shown(gate.rule), "word": .text(gate.state.word), "glyph": .text(gate.state.glyph),
            "sentence": .shown(gate.sentence),
          ])
        })
    ])
  }

  private func places(_ lines: LinePlaces) -> TemplateValue {
    let left = lines.lineCount(behind: Self.mostPlaces)
    return .record([
      "entries": .list(
        lines.places.prefix(Self.mostPlaces).map { place in
          .record([
            "text": .shown("\(place.path):\(place.range)"),
            "link": .optional(sources.link(to: place.path, line: place.lines.lowerBound)),
          ])
        }),
      "more": left > 0 ? .text("and \(CountText.counted(left, "more line"))") : .missing,
    ])
  }
}
