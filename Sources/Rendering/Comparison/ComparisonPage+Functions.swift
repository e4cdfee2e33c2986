import Model

extension ComparisonPage {
  /// A function of one file with its lines by what became of them.
  private struct Function {
    var path: String
    var name: String
    /// The first of its lines that a list of places holds.
    var first: Int
    var counts: [ComparisonWords.PlaceGroup.Kind: Int] = [:]

    var worse: Int { (counts[.lost] ?? 0) + (counts[.new] ?? 0) }
  }

  /// The functions in which something was lost, never ran or was gained; missing where there are none.
  var functions: TemplateValue {
    let functions = touchedFunctions
    guard !functions.isEmpty else { return .missing }
    return .record([
      "summary": .text(CountText.counted(functions.count, "function")),
      "rows": .list(functions.prefix(Self.most).map(row)),
      "left": functions.count > Self.most
        ? .text(CountText.counted(functions.count - Self.most, "more function")) : .missing,
    ])
  }

  /// Those that got worst first, then by path and line.
  private var touchedFunctions: [Function] {
    var functions: [Function] = []
    var indices: [String: Int] = [:]
    let groups = words.placeGroups.filter { [.lost, .new, .gained].contains($0.kind) }
    let told = groups.flatMap { group in group.places.map { (kind: group.kind, path: $0.path, place: $0.place) } }
    for (kind, path, place) in told.sorted(by: { ($0.path, $0.place.first) < ($1.path, $1.place.first) }) {
      guard let name = place.function else { continue }
      let key = "\(path)\n\(name)"
      let index = indices[key] ?? functions.count
      if index == functions.count {
        indices[key] = index
        functions.append(Function(path: path, name: name, first: place.first))
      }
      functions[index].counts[kind, default: 0] += place.count
    }
    return functions.enumerated().sorted { ($1.element.worse, $0.offset) < ($0.element.worse, $1.offset) }
      .map(\.element)
  }

  private func row(of function: Function) -> TemplateValue {
    func count(_ kind: ComparisonWords.PlaceGroup.Kind) -> TemplateValue {
      .text(function.counts[kind].map(CountText.plain) ?? "–")
    }
    return .record([
      "name": .html(FunctionRows.breakable(function.name)),
      "file": .html(FunctionRows.breakable(SourceLocation.fileName(of: function.path))),
      "link": .optional(links.source(function.path, function.first)), "lost": count(.lost),
      "newNeverRan": count(.new), "gained": count(.gained),
    ])
  }
}
