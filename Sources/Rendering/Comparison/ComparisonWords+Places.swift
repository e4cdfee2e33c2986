package import Model

extension ComparisonWords {
  /// Lines with the same kind of change.
  package struct PlaceGroup: Sendable {
    package enum Kind: String, Sendable {
      case lost, parts, new, gained, chance
    }

    package var kind: Kind
    package var places: [(path: String, place: CoverageSides.Place)]

    package var lineCount: Int { places.reduce(0) { $0 + $1.place.count } }

    /// The kind of change, as a word.
    package var word: String {
      switch kind {
      case .lost: "lost"
      case .parts: "lost in part"
      case .new: "new, never ran"
      case .gained: "gained"
      case .chance: "by chance"
      }
    }

    var sign: String {
      switch kind {
      case .lost, .parts: "▼"
      case .new: "+"
      case .gained: "▲"
      case .chance: "~"
      }
    }
  }

  /// The lines that got worse or better, and those whose change is due to chance; empty groups are left out.
  package var placeGroups: [PlaceGroup] {
    func group(_ kind: PlaceGroup.Kind, _ places: (CoverageSides.File) -> [CoverageSides.Place]?) -> PlaceGroup {
      PlaceGroup(
        kind: kind,
        places: comparison.coverage.files.flatMap { file in (places(file) ?? []).map { (file.path, $0) } })
    }
    return [
      group(.lost) { $0.places?.filter { $0.category == .lost } },
      group(.parts, \.lostParts),
      group(.new) { $0.places?.filter { $0.category == .newNeverRan || $0.category == .includedNeverRan } },
      group(.gained) { $0.places?.filter { $0.category == .gained } },
      group(.chance, \.byChance),
    ].filter { !$0.places.isEmpty }
  }

  /// The lines that count in only one of the two because the other leaves them out, as clauses with the first places.
  package var leftOut: [String] {
    guard let leftOut = comparison.coverage.leftOut else { return [] }
    let now = "in \(after)"
    return
      (leftOut.hiding(since: before, now: now, number: CountText.plain)
      + leftOut.showing(since: before, now: now, number: CountText.plain)).map { $0.text(first: 10) }
      + (leftOut.unknown.isEmpty
        ? [] : ["Left-out lines cannot be compared in \(CountText.list(leftOut.unknown))"])
  }

  /// Returns the meaning of a group, as a phrase.
  package func meaning(of group: PlaceGroup) -> String {
    switch group.kind {
    case .lost: "unchanged, ran in \(before), no longer in \(after)"
    case .parts: "unchanged, a part ran in \(before), no longer in \(after)"
    case .new: "new or newly counted in \(after)"
    case .gained: "unchanged, did not run in \(before) and ran in \(after)"
    case .chance:
      "unchanged, "
        + [
          comparison.coverage.witnesses == nil ? nil : "\(witnesses) in them",
          comparison.coverage.flakyTests.map { FlakyWords.onlyAttempts(of: $0, lines: 2, where: attemptsPlace) },
        ].compactMap(\.self).joined(separator: "; ")
    }
  }

  /// Which of the two the flaky tests are of, as far as the lines tell: what ran in their failed attempts ran there only.
  private var attemptsPlace: String {
    switch (byChance[.lost] > 0, byChance[.gained] > 0) {
    case (true, false): " in \(before)"
    case (false, true): " in \(after)"
    case (true, true), (false, false): ""
    }
  }

  /// The integrations that disagree about the lines that run by chance.
  private var witnesses: String {
    let (one, other, coverage) = (comparison.before, comparison.after, comparison.coverage)
    let numbers = coverage.witnesses ?? []
    if one.commit.id == other.commit.id, numbers.contains(one.number) {
      return "\(before) and \(after), of one commit, differ"
    }
    // With two bots, a number would not identify the integration.
    guard one.bot == other.bot else { return "other integrations of one of the two commits differ" }
    return CountText.witnesses(
      numbers, ofBaseline: coverage.witnessesBefore, baseline: one.number, before: before, after: after)
  }
}
