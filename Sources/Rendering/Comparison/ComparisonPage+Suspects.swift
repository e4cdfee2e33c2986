package import Model

extension ComparisonPage {
  /// Returns who probably turned a test red; missing for one that was red before, and if nobody is named.
  func suspect(of test: TestChange, in group: ComparisonWords.TestGroup) -> TemplateValue {
    words.newIssue(of: test, in: group).map(suspect) ?? .missing
  }

  /// Returns who probably caused an issue; missing if nobody is named.
  func suspect(of issue: Issue) -> TemplateValue {
    guard let suspect = issue.suspects.named.first else { return .missing }
    return .record([
      "who": .shown(suspect.names(of: issue)), "sure": .optional(suspect.sureness(of: issue)),
      "changed": .shown(ifAny: suspect.place?.short),
      "changedLink": .optional(suspect.place.flatMap { links.source($0.file, $0.line) }),
      "commit": .shown(ifAny: suspect.commit?.short),
    ])
  }
}

extension ComparisonWords {
  /// Returns the issue of a test that turned red between the two, as the destination has it; nil if it was red before.
  package func newIssue(of test: TestChange, in group: TestGroup) -> Issue? {
    guard test.before?.state.isRed != true, test.after?.state.isRed == true || test.isNowQuit else { return nil }
    let issues = comparison.issues
    let issue = (issues.new + issues.both + issues.notReachedBefore).first {
      $0.test == test.id && $0.status != .resolved
    }.map { Issue($0) }
    let destination = group.destinations.first ?? comparison.after.destinations?.first?.name
    return destination.flatMap { issue?.told(for: $0) } ?? issue
  }
}
