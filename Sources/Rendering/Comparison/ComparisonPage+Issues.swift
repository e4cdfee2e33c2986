import Model

extension ComparisonPage {
  /// The issues, grouped by what became of them; missing if none but those of tests and gates above changed.
  var issues: TemplateValue {
    let issues = comparison.issues
    let changed = Set(words.testGroups.flatMap(\.tests).map(\.id))
    let isAbove = { (issue: IntegrationRecord.FlatIssue) in
      issue.kind == .gate || issue.test.map(changed.contains) == true
    }
    let rest = { (list: [IntegrationRecord.FlatIssue]) in list.filter { !isAbove($0) } }
    let late = issues.notReachedBefore.filter { issue in issue.test.map { !changed.contains($0) } ?? true }
    let (before, after) = (words.before, words.after)
    // What the first one could not check was open there, too, and may have been mended in it.
    let lateResolved = late.filter { $0.status == .resolved }
    let open = late.filter { $0.status != .resolved }
    let silencedNow = rest(issues.silenced ?? [])
    let groups = [
      IssueGroup(.new, nil, rest(issues.new).filter { !words.isBack($0) }),
      IssueGroup(.back, "open in \(after), and before \(before)", rest(issues.new).filter(words.isBack)),
      IssueGroup(.open, "in \(after), not checked in \(before)", open),
      IssueGroup(.silenced, "open in \(before)", silencedNow),
      IssueGroup(
        .resolved, lateResolved.isEmpty ? nil : "open before \(after)", rest(issues.gone) + lateResolved),
      IssueGroup(.unreached, "in \(after), open in \(before)", issues.notReached),
    ].filter { !$0.issues.isEmpty }
    guard !groups.isEmpty else { return .missing }
    // A single group needs no heading of its own.
    let only = groups.count == 1 ? groups.first : nil
    let both = rest(issues.both)
    let silenced = both.count { $0.status == .silenced } - silencedNow.count
    let told = [only?.remark, IssueWords.inBoth(both.count - silenced - silencedNow.count, silenced: silenced)]
      .compactMap(\.self)
    return .record([
      "heading": .text(only?.fate.heading ?? "Issues"), "isOnly": .flag(only != nil),
      "summary": .shown(ifAny: told.nonEmpty?.joined(separator: "; ")),
      "groups": .list(
        groups.map { group in
          .record([
            "word": .text(group.fate.word), "id": .text("issues-\(group.fate.rawValue)"),
            "remark": .shown(ifAny: group.remark),
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
    enum Fate: String {
      case new, open, silenced, resolved, unreached
      case back = "came-back"

      var word: String {
        switch self {
        case .new: "New"
        case .back: "Came back"
        case .open: "Open"
        case .silenced: "Silenced"
        case .resolved: "Resolved"
        case .unreached: "Not checked"
        }
      }

      /// The same over a section.
      var heading: String {
        switch self {
        case .new, .open, .silenced, .resolved: "\(word) issues"
        case .back: "Issues that came back"
        case .unreached: "Issues not checked"
        }
      }
    }

    let fate: Fate
    let remark: String?
    let issues: [IntegrationRecord.FlatIssue]

    init(_ fate: Fate, _ remark: String?, _ issues: [IntegrationRecord.FlatIssue]) {
      (self.fate, self.remark, self.issues) = (fate, remark, issues)
    }

    /// Whether the lines of its issues are those of the second integration.
    var isOfSecond: Bool { [.new, .back, .open, .silenced].contains(fate) }
  }

  private func row(_ issue: IntegrationRecord.FlatIssue, in group: IssueGroup) -> TemplateValue {
    let place = issue.file.map { file in SourceLocation(file: file, line: issue.line ?? 0) }
    let page = links.issue(issue.id)
    // A line of the first integration may be another one in the second.
    let source =
      group.isOfSecond ? place.flatMap { links.source($0.file, issue.line) } : links.lastSource(issue.id)
    let fix = links.fix(issue.id)
    // Where it was mended, the line may have the same number.
    let isOfFirst = group.fate == .unreached || fix != nil && comparison.issues.gone.contains { $0.id == issue.id }
    let glyph = group.fate == .resolved ? "passed" : Issue(issue).glyph
    let name = issue.test.flatMap { links.title($0) } ?? issue.test?.name
    let isMendedHere = fix.map { $0.lines.file == issue.file } == true
    let told = place.map { isOfFirst ? "\($0.short) in \(words.before)" : $0.short }
    return .record([
      "glyph": .text(glyph), "style": .text(Issue(issue).style(glyph)), "kind": .optional(Issue(issue).tag),
      "name": .shown(ifAny: name), "page": .optional(page),
      "link": .optional((group.fate == .resolved ? nil : issue.test.flatMap { links.test($0) }) ?? page),
      "message": .shown(FailureLine.brief(of: issue.message)),
      // What mended it in its own file has its place.
      "place": .place(ifAny: isMendedHere ? nil : told),
      "suspect": group.fate == .new || group.fate == .back ? suspect(of: Issue(issue)) : .missing,
      // The page of the issue shows the line, too.
      "placeLink": .optional(source ?? page), "isElsewhere": .flag(!group.isOfSecond && source != nil),
      "fixed": .shown(ifAny: fix?.place), "fixedLink": .optional(fix?.link), "fixedBy": .shown(ifAny: fix?.author),
      "fixedLines": .list(fix.map { SourceExcerpt.rows(of: $0.lines) } ?? []),
      "fixer": .shown(ifAny: group.fate == .resolved ? links.fixer(issue.id) : nil),
      "silenced": .shown(ifAny: silence(of: issue, in: group)), "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}

extension ComparisonPage {
  /// Returns that an issue is silenced, and by whom if that is news; nil for one that is not.
  private func silence(of issue: IntegrationRecord.FlatIssue, in group: IssueGroup) -> String? {
    guard issue.status == .silenced else { return nil }
    let news = group.fate == .silenced ? issue.silence.map(IssueWords.sentence) : nil
    return news ?? LogWords.silenced
  }

  /// The only change that mended an issue.
  struct Fix: Sendable {
    /// Where it added a line, or the name of its file.
    var place: String
    var link: String?
    /// Who made it; nil if one of several commits did.
    var author: String?
    /// The lines that it removed and added.
    var lines: SourceHunk
  }
}

extension ReportContext {
  /// Returns what mended an issue in this integration; nil if that is not known.
  func fix(of issue: Issue) -> ComparisonPage.Fix? {
    guard let hunk = IssuesSection(report: self).mending(of: issue) else { return nil }
    return ComparisonPage.Fix(
      place: IssuesSection.place(of: hunk),
      link: hunk.linked.flatMap { sources.link(to: $0.file, line: $0.line) },
      author: author(ofEndOf: issue),
      lines: SourceHunk(file: hunk.file, lines: hunk.lines.filter { $0.change != nil }))
  }

  /// Returns who fixed an issue if nobody knows with what change: an author, or which of several commits; nil for any
  /// other issue, and for what may be gone by chance.
  func fixer(of issue: Issue) -> String? {
    guard issue.status == .resolved, issue.ending == .fixed, integration.flakySince(endOf: issue) == nil,
      fix(of: issue) == nil, let resolution = issueIndex.record(of: issue)?.streaks.last?.resolution
    else { return nil }
    return resolution.count == 1 ? resolution.author : IssueWords.commits(of: resolution)
  }

  /// Returns who made the commit that ended an issue; nil if it is one of several, and if that is not known.
  func author(ofEndOf issue: Issue) -> String? {
    issueIndex.record(of: issue)?.streaks.last?.resolution.flatMap { $0.count == 1 ? $0.author : nil }
  }
}
