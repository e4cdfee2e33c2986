import Model

extension ComparisonPage {
  /// How many places of one kind are shown before the rest is folded away.
  private static let mostShown = 12

  /// What the lists of places tell, in their order.
  private static let groups: [(id: String, word: String, sign: String, categories: Set<ChangeCategory>)] = [
    ("lost", "Lost", "▼", [.lost]), ("new", "New, never ran", "+", [.newNeverRan, .includedNeverRan]),
    ("gained", "Gained", "▲", [.gained]),
  ]

  private typealias Place = (path: String, place: CoverageSides.Place)

  private var allPlaces: [Place] {
    comparison.coverage.files.flatMap { file in (file.places ?? []).map { (file.path, $0) } }
  }

  /// The lines that got worse or better, each group with its places; missing where there are none.
  var places: TemplateValue {
    let all = allPlaces
    guard !all.isEmpty else { return .missing }
    let groups = Self.groups.compactMap { group -> TemplateValue? in
      let places = all.filter { group.categories.contains($0.place.category) }
      guard !places.isEmpty else { return nil }
      let shown = places.prefix(Self.most)
      let rows = shown.map { row(of: $0, sign: group.sign) }
      return .record([
        "id": .text(group.id), "word": .text(group.word),
        "count": .text(CountText.counted(places.reduce(0) { $0 + $1.place.count }, "line")),
        "remark": .text(remark(on: group.id)),
        "rows": .list(Array(rows.prefix(Self.mostShown))), "folded": .list(Array(rows.dropFirst(Self.mostShown))),
        "hasFolded": .flag(rows.count > Self.mostShown),
        "foldedCount": .text(CountText.counted(rows.count - Self.mostShown, "more place")),
        "left": places.count > shown.count
          ? .text(
            "\(CountText.counted(places.count - shown.count, "more place")) with "
              + CountText.counted(places.dropFirst(shown.count).reduce(0) { $0 + $1.place.count }, "line")) : .missing,
      ])
    }
    return .record(["groups": .list(groups)])
  }

  private func remark(on group: String) -> String {
    switch group {
    case "lost": "unchanged, ran in \(words.before), not any more in \(words.after)"
    case "new": "new in \(words.after), or counted only there"
    default: "unchanged, did not run in \(words.before) and ran in \(words.after)"
    }
  }

  private func row(of entry: Place, sign: String) -> TemplateValue {
    .record([
      "sign": .text(sign), "count": .text(CountText.plain(entry.place.count)), "range": .text(entry.place.range),
      "file": .html(FunctionRows.breakable(SourceLocation.fileName(of: entry.path))),
      "link": .optional(links.source(entry.path, entry.place.first)),
      "function": entry.place.function.map { .html(FunctionRows.breakable($0)) } ?? .missing,
      "counted": entry.place.category == .includedNeverRan ? .text("counted only now") : .missing,
    ])
  }

  /// The functions in which something was lost, never ran or was gained; missing where there are none.
  var functions: TemplateValue {
    struct Entry {
      var path: String
      var name: String
      var first: Int
      var counts: [String: Int] = [:]
    }
    var entries: [Entry] = []
    var indices: [String: Int] = [:]
    for (path, place) in allPlaces {
      guard let name = place.function, let group = Self.groups.first(where: { $0.categories.contains(place.category) })
      else { continue }
      let key = "\(path)\n\(name)"
      if indices[key] == nil {
        indices[key] = entries.count
        entries.append(Entry(path: path, name: name, first: place.first))
      }
      if let index = indices[key] { entries[index].counts[group.id, default: 0] += place.count }
    }
    guard !entries.isEmpty else { return .missing }
    func worse(_ entry: Entry) -> Int { (entry.counts["lost"] ?? 0) + (entry.counts["new"] ?? 0) }
    let sorted = entries.enumerated().sorted { (worse($1.element), $0.offset) < (worse($0.element), $1.offset) }
      .map(\.element)
    func count(_ entry: Entry, _ group: String) -> TemplateValue {
      .text(entry.counts[group].map(CountText.plain) ?? "–")
    }
    return .record([
      "summary": .text(CountText.counted(entries.count, "function")),
      "rows": .list(
        sorted.prefix(Self.most).map { entry in
          .record([
            "name": .html(FunctionRows.breakable(entry.name)),
            "file": .html(FunctionRows.breakable(SourceLocation.fileName(of: entry.path))),
            "link": .optional(links.source(entry.path, entry.first)), "lost": count(entry, "lost"),
            "newNeverRan": count(entry, "new"), "gained": count(entry, "gained"),
          ])
        }),
      "left": entries.count > Self.most
        ? .text(CountText.counted(entries.count - Self.most, "more function")) : .missing,
    ])
  }
}
