import Model

extension ComparisonPage {
  /// How many places of one kind are shown before the rest is folded away.
  private static let mostShown = 12

  /// The lines that got worse or better, each group with its places; missing where there are none.
  var places: TemplateValue {
    let groups = words.placeGroups.map { group -> TemplateValue in
      let places = group.places
      let shown = places.prefix(Self.most)
      let rows = shown.map { row(of: $0.path, $0.place, sign: group.sign) }
      return .record([
        "id": .text(group.kind.rawValue), "word": .text(group.word.capitalizedFirst),
        "count": .text(CountText.counted(group.lineCount, "line")),
        "remark": .text(words.meaning(of: group)),
        "rows": .list(Array(rows.prefix(Self.mostShown))), "folded": .list(Array(rows.dropFirst(Self.mostShown))),
        "hasFolded": .flag(rows.count > Self.mostShown),
        "foldedCount": .text(CountText.counted(rows.count - Self.mostShown, "more place")),
        "left": places.count > shown.count
          ? .text(
            "\(CountText.counted(places.count - shown.count, "more place")) with "
              + CountText.counted(places.dropFirst(shown.count).reduce(0) { $0 + $1.place.count }, "line")) : .missing,
      ])
    }
    return groups.isEmpty ? .missing : .record(["groups": .list(groups)])
  }

  private func row(of path: String, _ place: CoverageSides.Place, sign: String) -> TemplateValue {
    .record([
      "sign": .text(sign), "count": .text(CountText.plain(place.count)), "range": .text(place.range),
      "file": .html(FunctionRows.breakable(SourceLocation.fileName(of: path))),
      "link": .optional(links.source(path, place.first)),
      "function": place.function.map { .html(FunctionRows.breakable($0)) } ?? .missing,
      "counted": place.category == .includedNeverRan ? .text("counted only now") : .missing,
    ])
  }
}
