package import Model

extension ComparisonWords {
  /// Lines with the same kind of change.
  package struct PlaceGroup: Sendable {
    package enum Kind: String, Sendable {
      case lost, parts, new, gained
      case newParts = "new-parts"
      case gainedParts = "gained-parts"
      case lostByChance = "lost-by-chance"
      case ranByChance = "ran-by-chance"
    }

    package var kind: Kind
    package var places: [(file: CoverageSides.File, place: CoverageSides.Place)]

    package var lineCount: Int { places.reduce(0) { $0 + $1.place.count } }

    /// The places that are like no others, and those that are alike.
    package var gathered: (apart: [(file: CoverageSides.File, place: CoverageSides.Place)], alike: [AlikePlaces]) {
      let groups = places.grouped { file, place in
        [file.folder, place.range, place.function.map { FunctionShortName($0).text } ?? ""]
      }
      return (
        groups.filter { $0.count < AlikePlaces.least }.flatMap { $0 },
        groups.filter { $0.count >= AlikePlaces.least }.map { group in
          AlikePlaces(
            folder: group[0].file.folder, place: group[0].place,
            function: group[0].place.function.map { FunctionShortName($0).text }, paths: group.map(\.file.path))
        }
      )
    }

    /// The kind of change, as a word.
    package var word: String {
      switch kind {
      case .lost: "lost"
      case .parts: "lost in part"
      case .new: "new, never ran"
      case .newParts: "new, partly ran"
      case .gained: "gained"
      case .gainedParts: "gained in part"
      case .lostByChance: "lost by chance"
      case .ranByChance: "ran by chance"
      }
    }

    var sign: String {
      switch kind {
      case .lost, .parts: "▼"
      case .new, .newParts: "+"
      case .gained, .gainedParts: "▲"
      case .lostByChance, .ranByChance: "~"
      }
    }

    /// The style of the sign; nil for what is neither better nor worse.
    var tone: String? {
      switch kind {
      case .lost, .parts: "worse"
      case .gained, .gainedParts: "better"
      case .new, .newParts, .lostByChance, .ranByChance: nil
      }
    }
  }

  /// Places with the same lines of the same function in files of one folder, as made or copied sources have them.
  package struct AlikePlaces: Sendable {
    /// With a slash at its end; `./` is the top of the package.
    package var folder: String
    /// The place in the first of them.
    var place: CoverageSides.Place
    /// The function without its type, which differs; nil if not known.
    package var function: String?
    /// In the order of the list.
    package var paths: [String]

    /// The lines, how many files have them, and where these are.
    package var words: String {
      "\(place.first == place.last ? "line" : "lines") \(place.range) in each of \(CountText.plain(paths.count)) files of \(folder)"
    }

    package var lineCount: Int { place.count * paths.count }

    /// As few as this are read as quickly one by one.
    static let least = 3
  }

  /// The lines that got worse or better, and those whose change is due to chance; empty groups are left out.
  package var placeGroups: [PlaceGroup] {
    func group(_ kind: PlaceGroup.Kind, _ places: (CoverageSides.File) -> [CoverageSides.Place]?) -> PlaceGroup {
      PlaceGroup(
        kind: kind,
        places: comparison.coverage.files.flatMap { file in (places(file) ?? []).map { (file, $0) } })
    }
    return [
      group(.lost) { $0.places?.filter { $0.category == .lost } },
      group(.parts, \.lostParts),
      group(.new) { $0.places?.filter { $0.category == .newNeverRan || $0.category == .includedNeverRan } },
      group(.newParts, \.newParts),
      group(.gained) { $0.places?.filter { $0.category == .gained } },
      group(.gainedParts, \.gainedParts),
      group(.lostByChance) { $0.byChance?.filter { $0.category == .lost } },
      group(.ranByChance) { $0.byChance?.filter { $0.category == .gained } },
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

  /// Returns the number of lines of a group, and what there is to say of them beyond its name.
  package func sum(of group: PlaceGroup) -> String {
    let count = group.lineCount
    func unchanged(_ meaning: String) -> String { "\(CountText.counted(count, "unchanged line"))\(meaning)" }
    return switch group.kind {
    case .lost: unchanged(", \(CountText.agreeing(count, "no longer runs", "no longer run"))")
    case .parts: unchanged(", part of \(CountText.agreeing(count, "it", "them")) no longer runs")
    case .new, .newParts: "\(CountText.plain(count)) of \(CountText.counted(newLines, "new line"))"
    case .gained: unchanged(", \(CountText.agreeing(count, "runs", "run")) now")
    case .gainedParts: unchanged(" partly ran in \(before), \(gain(of: group)) now")
    case .lostByChance: unchanged(": \(chance(count, in: before))")
    case .ranByChance: unchanged(": \(chance(count, in: after))")
    }
  }

  /// Returns how lines of which more runs now run: wholly, where their files have no line that runs in part.
  private func gain(of group: PlaceGroup) -> String {
    group.places.allSatisfy { $0.file.after?.partial == 0 }
      ? "\(CountText.agreeing(group.lineCount, "runs", "run")) wholly"
      : "more of \(CountText.agreeing(group.lineCount, "it", "each")) runs"
  }

  /// The number of lines that the second integration counts and the first did not have or count.
  private var newLines: Int {
    let categories: [ChangeCategory] = [.newRan, .newNeverRan, .includedRan, .includedNeverRan]
    let (lines, silent) = (comparison.coverage.lines ?? CategoryCounts(), comparison.coverage.silent)
    return categories.reduce(0) { $0 + lines[$1] - silent[$1] }
  }

  /// Returns how it is known that lines run by chance.
  ///
  /// - Parameter place: which of the two they ran in, if it was in the failed attempts of flaky tests.
  private func chance(_ count: Int, in place: String) -> String {
    let coverage = comparison.coverage
    return [
      coverage.witnesses == nil ? nil : "\(witnesses) in \(CountText.agreeing(count, "it", "them"))",
      coverage.flakyTests.map { FlakyWords.onlyAttempts(of: $0, lines: count, where: " in \(place)") },
    ].compactMap(\.self).joined(separator: "; ")
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

extension CoverageSides {
  /// The new lines without code.
  var silent: CategoryCounts { files.compactMap(\.silent).reduce(CategoryCounts()) { $0 + $1 } }

  /// The lines that no sum tells: those that run by chance, and new ones without code.
  var untold: CategoryCounts { silent + (byChance ?? CategoryCounts()) }
}

extension CoverageSides.File {
  /// The lines that no sum tells: those that run by chance, and new ones without code.
  var untold: CategoryCounts { (silent ?? CategoryCounts()) + (linesByChance ?? CategoryCounts()) }
}
