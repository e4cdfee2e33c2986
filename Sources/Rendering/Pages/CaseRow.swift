import Model

/// One case of a parameterised test, as a row.
struct CaseRow {
  let argument: TestArgument
  let sources: ShownSources
  /// Whether its test passed only in a later attempt.
  var isOfFlaky = false

  /// Returns the cases with the worst state first, and those that passed only in a later attempt before those that passed
  /// at once, otherwise in the order in which they started.
  static func sorted(_ arguments: [TestArgument]) -> [TestArgument] {
    func key(_ argument: EnumeratedSequence<[TestArgument]>.Element) -> (Int, Int, Int) {
      (argument.element.state.rank, argument.element.isFlaky ? 0 : 1, argument.offset)
    }
    return arguments.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }

  var record: TemplateValue {
    let display = argument.display.isEmpty ? "(no arguments printed)" : argument.display
    return .record([
      "display": .shown(display.count > 400 ? String(display.prefix(400)) + " …" : display),
      "glyph": .text(argument.isFlaky ? "flaky" : argument.state.glyph),
      "word": .text(argument.state.word + (argument.isFlaky ? ", flaky" : "")),
      "filter": .text(TestRow.filter(of: argument.state, isFlaky: argument.isFlaky || isOfFlaky)),
      "line": argument.failures.first.map { FailureLine($0).record } ?? .missing,
      "place": .shown(ifAny: argument.failures.first?.location?.short),
      "placeLink": sources.link(to: argument.failures.first?.location),
    ])
  }
}
