package import Model

extension ComparisonWords {
  /// The lines of which the same became.
  package struct PlaceGroup: Sendable {
    package enum Kind: String, Sendable {
      case lost, parts, new, gained, chance
    }

    package var kind: Kind
    package var places: [(path: String, place: CoverageSides.Place)]

    package var lineCount: Int { places.reduce(0) { $0 + $1.place.count } }

    /// What became of them.
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

  /// The lines that got worse or better, and those that ran otherwise by chance; groups without any are left out.
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

  /// The lines that count in one of the two only, because the other leaves them out; each a clause with the first places.
  package var leftOut: [String] {
    guard let leftOut = comparison.coverage.leftOut else { return [] }
    let now = "in \(after)"
    return
      (leftOut.hiding(since: before, now: now, number: CountText.plain)
      + leftOut.showing(since: before, now: now, number: CountText.plain)).map { $0.text(first: 10) }
      + (leftOut.unknown.isEmpty
        ? [] : ["Which lines are left out in one of the two only is not known in \(CountText.list(leftOut.unknown))"])
  }

  /// What a group means, as a phrase.
  package func meaning(of group: PlaceGroup) -> String {
    switch group.kind {
    case .lost: "unchanged, ran in \(before), not any more in \(after)"
    case .parts: "unchanged and still run, but a part of them that ran in \(before) does not any more in \(after)"
    case .new: "new in \(after), or counted only there"
    case .gained: "unchanged, did not run in \(before) and ran in \(after)"
    case .chance: "unchanged, \(witnesses) in them"
    }
  }

  /// Who differs in the lines that run by chance.
  private var witnesses: String {
    let (one, other, coverage) = (comparison.before, comparison.after, comparison.coverage)
    let numbers = coverage.witnesses ?? []
    if one.commit.id == other.commit.id, numbers.contains(one.number) {
      return "\(before) and \(after), of one commit, differ"
    }
    // The numbers of two bots would not say whose they are.
    guard one.bot == other.bot else { return "other integrations of one of the two commits differ" }
    return CountText.witnesses(numbers, ofBaseline: coverage.witnessesBefore, before: before, after: after)
  }
}
