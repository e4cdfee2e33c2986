import Model

extension ComparisonPage {
  /// The issues, grouped by what became of them; missing if none but those of tests and gates above changed.
  var issues: TemplateValue {
    let issues = comparison.issues
    let changed = Set(words.testGroups.flatMap(\.tests).map(\.id))
    let rest = { (list: [IntegrationRecord.FlatIssue]) in
      list.filter { issue in issue.kind != .gate && issue.test.map { !changed.contains($0) } ?? true }
    }
    let late = issues.notReachedBefore.filter { issue in issue.test.map { !changed.contains($0) } ?? true }
    let (before, after) = (words.before, words.after)
    let open = late.filter { $0.status != .resolved }
    func them(_ issues: [IntegrationRecord.FlatIssue]) -> String { CountText.agreeing(issues.count, "it", "them") }
    let groups = [
      IssueGroup("New", "open in \(after) only", rest(issues.new), isIn: true),
      IssueGroup("Open", "in \(after); \(before) could not check \(them(open))", open, isIn: true),
      // What the first one could not check was open there, too.
      IssueGroup(
        "Resolved", "open in \(before) only", rest(issues.gone) + late.filter { $0.status == .resolved }, isGone: true),
      IssueGroup(
        "Not checked", "open in \(before); \(after) could not check \(them(issues.notReached))", issues.notReached,
        id: "unreached"),
    ].filter { !$0.issues.isEmpty }
    guard !groups.isEmpty else { return .missing }
    let counts = groups.map { ($0.issues.count, $0.word.lowercased()) } + [(issues.both.count, "open in both")]
    return .record([
      "summary": .text(
        counts.filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")),
      "groups": .list(
        groups.map { group in
          .record([
            "word": .text(group.word), "id": .text("issues-\(group.id)"), "remark": .shown(group.remark),
            "count": .text(CountText.plain(group.issues.count)),
            "rows": .list(group.issues.prefix(Self.most).map { row($0, in: group) }),
            "left": group.issues.count > Self.most
              ? .text(CountText.counted(group.issues.count - Self.most, "more issue")) : .missing,
          ])
        }),
    ])
  }

  /// Issues of which the same became.
  private struct IssueGroup {
    let word: String
    let id: String
    let remark: String
    let issues: [IntegrationRecord.FlatIssue]
    /// Whether they are resolved.
    let isGone: Bool
    /// Whether their lines are those of the second integration.
    let isIn: Bool

    init(
      _ word: String, _ remark: String, _ issues: [IntegrationRecord.FlatIssue], id: String? = nil,
      isGone: Bool = false, isIn: Bool = false
    ) {
      (self.word, self.id, self.remark) = (word, id ?? word.lowercased(), remark)
      (self.issues, self.isGone, self.isIn) = (issues, isGone, isIn)
    }
  }

  private func row(_ issue: IntegrationRecord.FlatIssue, in group: IssueGroup) -> TemplateValue {
    let place = issue.file.map { file in SourceLocation(file: file, line: issue.line ?? 0) }
    let page = links.issue(issue.id)
    let source = group.isIn ? place.flatMap { links.source($0.file, issue.line) } : nil
    return .record([
      "glyph": .text(group.isGone ? "passed" : issue.kind.glyph), "kind": .text(issue.kind.word),
      "name": .shown(ifAny: issue.test?.name), "page": .optional(page),
      "link": .optional((group.isGone ? nil : issue.test.flatMap { links.test($0) }) ?? page),
      "message": .shown(FailureLine.headline(of: issue.message)), "place": .shown(ifAny: place?.short),
      // The page of the issue shows the line, too.
      "placeLink": .optional(source ?? page),
      "isSilenced": .flag(issue.status == .silenced), "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
