import Model

/// One case of a parameterised test, as a row.
struct CaseRow {
  /// The maximum number of failures that a row on the test's page tells.
  static let mostFailures = 3
  /// How many cases that ended alike have rows among all tests, and how many more are behind a fold.
  private static let most = (rows: 3, folded: 400)

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

  /// Returns the cases that ended alike, the worst first.
  static func kinds(of arguments: [TestArgument]) -> [[TestArgument]] {
    sorted(arguments).grouped { [$0.state.rank, $0.isPlain ? 1 : 0] }
  }

  /// Returns the rows of cases that ended alike: of many the first ones, and the others behind a fold, or all of those that
  /// plainly passed.
  static func record(ofAlike cases: [TestArgument], _ row: (TestArgument) -> CaseRow) -> TemplateValue {
    let isPlain = cases.first?.isPlain == true
    let shown = cases.count <= most.rows ? cases.count : isPlain ? 0 : most.rows
    let folded = cases.dropFirst(shown)
    let fold = folded.first.map { first in
      let words = first.counted(folded.count, areMore: shown > 0)
      return row(first).state.merging(Self.fold(folded, words: words, row)) { own, _ in own }
    }
    return .record([
      "cases": .list(cases.prefix(shown).map { row($0).record }),
      "folded": fold.map(TemplateValue.record) ?? .missing,
    ])
  }

  /// Returns cases behind a fold, whose words say how many they are.
  static func fold(
    _ cases: ArraySlice<TestArgument>, words: String, _ row: (TestArgument) -> CaseRow
  ) -> [String: TemplateValue] {
    let left = cases.count - most.folded
    return [
      "words": .text(words), "isPlain": .flag(cases.first?.isPlain == true),
      "entries": .list(cases.prefix(most.folded).map { row($0).record }),
      "more": left > 0 ? .text(CountText.counted(left, "more case")) : .missing,
    ]
  }

  private var state: [String: TemplateValue] {
    [
      "glyph": .text(argument.isFlaky ? "flaky" : argument.state.glyph),
      "word": .text(argument.state.word + (argument.isFlaky ? ", flaky" : "")),
      "filter": .text(TestRow.filter(of: argument.state, isFlaky: argument.isFlaky || isOfFlaky)),
    ]
  }

  var record: TemplateValue {
    let display = argument.display.isEmpty ? "(no arguments printed)" : argument.display
    let failures = argument.failures.prefix(Self.mostFailures).map { FailureLine($0).record }
    let own: [String: TemplateValue] = [
      "display": .shown(display.count > 400 ? String(display.prefix(400)) + " …" : display),
      "line": failures.first ?? .missing, "others": .list(failures.dropFirst().map { .record(["line": $0]) }),
      "place": .place(argument.failures.first?.location),
      "placeLink": sources.link(to: argument.failures.first?.location),
    ]
    return .record(state.merging(own) { _, own in own })
  }
}
