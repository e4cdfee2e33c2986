import Model

/// One case of a parameterised test, as a row.
struct CaseRow {
  let argument: TestArgument
  let sources: ShownSources

  /// Returns the cases with the worst state first, otherwise in the order in which they started.
  static func sorted(_ arguments: [TestArgument]) -> [TestArgument] {
    arguments.enumerated().sorted { ($0.element.state.rank, $0.offset) < ($1.element.state.rank, $1.offset) }
      .map(\.element)
  }

  var record: TemplateValue {
    let display = argument.display.isEmpty ? "(no arguments printed)" : argument.display
    return .record([
      "display": .shown(display.count > 400 ? String(display.prefix(400)) + " …" : display),
      "glyph": .text(argument.state.glyph),
      "word": .text(argument.state.word),
      "filter": .text(TestRow.filter(of: argument.state)),
      "line": argument.failures.first.map { FailureLine($0).record } ?? .missing,
      "place": .shown(ifAny: argument.failures.first?.location?.short),
      "placeLink": sources.link(to: argument.failures.first?.location),
    ])
  }
}
