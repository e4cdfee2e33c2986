import Model

extension CoverageOverview {
  private static let mostUnchecked = 100

  /// Returns the results of running the tests with function bodies removed and conditions negated.
  func checked(_ coverage: Coverage) -> [String: TemplateValue] {
    [
      "mutants": .optional(MutantWords.known(coverage.mutants)),
      "unchecked": unchecked(coverage),
    ]
  }

  /// Returns the functions, then the conditions, that ran but that no test checks, changed ones first; missing if there are
  /// none.
  private func unchecked(_ coverage: Coverage) -> TemplateValue {
    guard let report = coverage.mutants?.value else { return .missing }
    let (functions, conditions) = (report.unchecked, report.uncheckedConditions)
    let unchecked = (functions + conditions).filter(\.isChanged) + (functions + conditions).filter { !$0.isChanged }
    guard !unchecked.isEmpty else { return .missing }
    return .record([
      "heading": .text(MutantWords.heading),
      "count": .text(MutantWords.counted(functions.count, conditions.count)),
      "rows": .list(
        unchecked.prefix(Self.mostUnchecked).map { subject in
          .record([
            "name": .name(subject.name),
            "place": .name("\(names[subject.path]):\(subject.start.line)"),
            "link": .shown(ifAny: link(subject.path, subject.start.line)),
            "body": .text(MutantWords.deviation(subject.unnoticed ?? [])),
            "tests": .text(CountText.plain(subject.tests)),
            "isChanged": .flag(subject.isChanged),
          ])
        }),
      "more": unchecked.count > Self.mostUnchecked
        ? .text("and \(CountText.plain(unchecked.count - Self.mostUnchecked)) more") : .missing,
    ])
  }
}
