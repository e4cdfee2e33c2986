package import Model

extension ComparisonPage {
  /// Returns who probably turned a test red; missing for one that is not red, and if nobody is named.
  func suspect(of test: TestChange, in group: ComparisonWords.TestGroup) -> TemplateValue {
    words.issue(of: test, in: group).map(suspect) ?? .missing
  }

  /// Returns who probably caused an issue; missing if nobody is named.
  func suspect(of issue: Issue) -> TemplateValue {
    guard let suspect = issue.suspects.named.first else { return .missing }
    // In the files of a later integration the line may be another one; the issue's page has it as it was.
    let isNew = issue.status == .new && issue.life?.elderBegan == nil
    let quoted = links.issue(issue.id).map { "\($0)#cause" }
    let (cause, hunk) = (isNew ? nil : quoted, links.hunk(issue.id))
    // What changed in a file stands on the page of the issue, where that is known.
    let change = hunk == nil ? cause : quoted
    let file = isNew ? suspect.file.flatMap { links.source($0, nil) } : nil
    return .record([
      "who": .shown(suspect.names(of: issue)), "sure": .optional(suspect.sureness(of: issue)),
      "deed": .text(suspect.verb(in: hunk)),
      "changed": .place(ifAny: suspect.place.map { $0.short + words.commit(of: suspect) }),
      "changedLink": .optional(suspect.place.flatMap { isNew ? links.source($0.file, $0.line) : cause }),
      "reason": suspect.place == nil && suspect.commit != nil
        ? reason(of: suspect, link: change ?? file) : .missing,
    ])
  }

  /// Returns why somebody is suspected against whom no line speaks, as the reports have it.
  private func reason(of suspect: Suspect, link: String?) -> TemplateValue {
    let evidence = suspect.evidence(in: words.isOnly(suspect.commit) ? nil : suspect.commit?.short)
    return .record([
      "before": .text(evidence.before), "words": .shown(evidence.words), "link": .optional(link),
      "isElsewhere": .flag(false),
    ])
  }
}

extension ComparisonWords {
  /// Returns the commit that is the evidence against somebody, to follow the line; empty if it is the only one that is
  /// compared, and if it is not known.
  package func commit(of suspect: Suspect) -> String {
    suspect.commit.flatMap { isOnly($0) ? nil : " in \($0.short)" } ?? ""
  }

  fileprivate func isOnly(_ commit: CommitID?) -> Bool { commit != nil && commit == onlyCommit?.id }

  /// Returns the issue of a test that is red in the second integration, as the destination has it; nil for any other test.
  package func issue(of test: TestChange, in group: TestGroup) -> Issue? {
    guard test.after?.state.isRed == true || test.isNowQuit else { return nil }
    let issues = comparison.issues
    let issue = (issues.new + issues.both + issues.notReachedBefore).first {
      $0.test == test.id && $0.status != .resolved
    }.map { Issue($0) }
    let destination = group.destinations.first ?? comparison.after.destinations?.first?.name
    return destination.flatMap { issue?.told(for: $0) } ?? issue
  }
}
