import Model

extension ComparisonPage {
  /// The number of places of one kind that have rows with their functions, and how many more of them, or of files that
  /// are alike, are listed in their place before the rest is folded away.
  private static let mostShown = (rows: 12, listed: 24)

  /// The lines that got worse or better, each group with its places; missing if there are none.
  var places: TemplateValue {
    let groups = words.placeGroups.map { group -> TemplateValue in
      var told = group
      told.places = Array(group.places.prefix(Self.most))
      let (shown, alike) = told.places.count > Self.mostShown.rows ? told.gathered : (told.places, [])
      let isLong = shown.count > Self.mostShown.rows
      let rows = shown.map { row(of: $0.file.path, $0.place, in: group, isBrief: isLong) }
      let most = isLong ? Self.mostShown.listed : Self.mostShown.rows
      return .record([
        "id": .text(group.kind.rawValue), "word": .text(group.word.capitalizedFirst),
        "sum": .shown(words.sum(of: group)),
        "isLong": .flag(isLong), "alike": .list(alike.map { row(of: $0, in: group) }),
        "hasRows": .flag(!rows.isEmpty), "rows": .list(Array(rows.prefix(most))),
        "folded": .list(Array(rows.dropFirst(most))),
        "hasFolded": .flag(rows.count > most),
        "foldedCount": .text(CountText.counted(rows.count - most, "more place")),
        "left": group.places.count > told.places.count
          ? .text(
            "\(CountText.counted(group.places.count - told.places.count, "more place")) with "
              + CountText.counted(group.lineCount - told.lineCount, "line")) : .missing,
      ])
    }
    return groups.isEmpty ? .missing : .record(["groups": .list(groups)])
  }

  private func row(
    of alike: ComparisonWords.AlikePlaces, in group: ComparisonWords.PlaceGroup
  ) -> TemplateValue {
    let files = alike.paths.map { path -> TemplateValue in
      .record([
        "file": .name(SourceLocation.fileName(of: path)), "link": .optional(links.source(path, alike.place.first)),
      ])
    }
    let most = Self.mostShown.listed
    return .record([
      "sign": .text(group.sign), "tone": .optional(group.tone), "words": .shown(alike.words),
      "function": alike.function.map { .name($0) } ?? .missing,
      "files": .list(Array(files.prefix(most))), "rest": .list(Array(files.dropFirst(most))),
      "restCount": files.count > most ? .text(CountText.counted(files.count - most, "more file")) : .missing,
    ])
  }

  /// - Parameter isBrief: whether the function is left out.
  private func row(
    of path: String, _ place: CoverageSides.Place, in group: ComparisonWords.PlaceGroup, isBrief: Bool
  ) -> TemplateValue {
    .record([
      "sign": .text(group.sign), "tone": .optional(group.tone), "range": .text(place.range),
      "file": .name(SourceLocation.fileName(of: path)),
      "link": .optional(links.source(path, place.first)),
      "function": isBrief ? .missing : place.function.map { .name($0) } ?? .missing,
      "counted": place.category == .includedNeverRan ? .text("counted only now") : .missing,
    ])
  }
}
