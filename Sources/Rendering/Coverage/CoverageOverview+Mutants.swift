import Model

extension CoverageOverview {
  private static let mostUnchecked = 100

  /// Returns the results of running the tests with function bodies removed.
  func checked(_ coverage: Coverage) -> [String: TemplateValue] {
    [
      "mutants": .optional(MutantWords.known(coverage.mutants)),
      "checked": .optional(coverage.mutants?.value.flatMap(MutantWords.figure)),
      "unchecked": unchecked(coverage),
    ]
  }

  /// Returns the functions that ran but that no test checks, changed ones first; missing if there are none.
  private func unchecked(_ coverage: Coverage) -> TemplateValue {
    guard let report = coverage.mutants?.value, !report.unchecked.isEmpty else { return .missing }
    let functions = report.unchecked.filter(\.isChanged) + report.unchecked.filter { !$0.isChanged }
    return .record([
      "heading": .text(MutantWords.heading),
      "count": .text(CountText.counted(functions.count, "function")),
      "rows": .list(
        functions.prefix(Self.mostUnchecked).map { function in
          .record([
            "name": .html(FunctionRows.breakable(function.name)),
            "place": .shown("\(names[function.path]):\(function.start.line)"),
            "link": link(function.path, function.start.line).map { .shown($0) } ?? .missing,
            "body": .text(MutantWords.replacement(function.unnoticed ?? [])),
            "tests": .text(CountText.plain(function.tests)),
            "isChanged": .flag(function.isChanged),
          ])
        }),
      "more": functions.count > Self.mostUnchecked
        ? .text("and \(CountText.plain(functions.count - Self.mostUnchecked)) more") : .missing,
    ])
  }
}
