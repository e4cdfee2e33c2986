import Model

/// The page of all known issues, open and gone.
struct IssueListPage: ReportSection, Page {
  static let template = "issues"
  let report: ReportContext
  private let groups: [IssueIndex.Group: [(issue: Issue, record: IssueRecord)]]
  /// The tests that wait for what a row before theirs tells.
  private let waitingAlike: Set<TestID>

  init(report: ReportContext) {
    self.report = report
    let groups = Dictionary(grouping: report.issueIndex.entries) { IssueIndex.Group($0.issue) }
    self.groups = groups
    let listed = IssueIndex.Group.allCases.flatMap { (groups[$0] ?? []).sortedByKind }
    waitingAlike = listed.compactMap { $0.issue.test.flatMap { report.tests[$0] } }.waitingAlike
  }

  var frame: PageFrame {
    PageFrame(
      title: "Issues of \(integration.bot) \(integration.number): \(heading)", root: "", section: .issues,
      trail: [.init("Issues")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    // What was not checked may be gone.
    let leading = open.filter { !$0.issue.isUnchecked }.sortedByKind.first ?? open.sortedByKind.first
    return [
      "glyph": .text(leading?.issue.glyph ?? "passed"),
      "heading": .text(heading),
      "facts": .list(((kinds.count > 1 ? kinds : []) + changes).map { .text($0) }),
      "hasIssues": .flag(!issueIndex.entries.isEmpty), "hasOpen": .flag(openGroups.contains { groups[$0] != nil }),
      "hasWhen": .flag(hasWhen), "width": .text(hasWhen ? "6" : "5"),
      "open": .list(openGroups.compactMap(record(of:))), "resolved": record(of: .resolved) ?? .missing,
    ]
  }

  private var open: [(issue: Issue, record: IssueRecord)] {
    issueIndex.entries.filter(\.issue.status.isOpen)
  }

  /// How many issues of each kind are open.
  private var kinds: [String] {
    let (flaky, others) = (open.filter(\.issue.isOfFlaky), open.filter { !$0.issue.isOfFlaky })
    let kinds = Issue.Kind.worstFirst.compactMap { kind in
      let count = others.count { $0.issue.kind == kind }
      return count > 0 ? kind.counted(count) : nil
    }
    return kinds + (flaky.isEmpty ? [] : [CountText.counted(flaky.count, "flaky test")])
  }

  /// What became of issues since the baseline; empty without one.
  private var changes: [String] {
    guard integration.baseline != nil else { return [] }
    let resolved = (groups[.resolved] ?? []).count { $0.record.streaks.last?.closed == integration.number }
    let found = [IssueIndex.Group.new, .cameBack].map { (group: $0, count: groups[$0]?.count ?? 0) }
    let counts = found.filter { $0.count > 0 }.map { "\(CountText.plain($0.count)) \($0.group.rawValue)" }
    // The list has those of earlier integrations as well.
    return counts + (resolved > 0 ? ["\(CountText.plain(resolved)) resolved in \(integration.number)"] : [])
  }

  private var heading: String {
    [openWords, TestSum.silenced(groups[.silenced]?.count ?? 0)].compactMap(\.self).joined(separator: ", ")
  }

  private var openWords: String {
    if open.isEmpty { return "No issue is open" }
    let unchecked = open.count(where: \.issue.isUnchecked)
    let which = unchecked == open.count ? "" : "\(CountText.plain(unchecked)) of them "
    let all = kinds.count == 1 ? kinds[0] : CountText.counted(open.count, "issue")
    return "\(all) open" + (unchecked == 0 ? "" : ", \(which)not checked")
  }

  /// Whether any open issue has something to say of when it was there.
  private var hasWhen: Bool {
    openGroups.contains { group in
      (groups[group] ?? []).contains { entry in
        let row = Row(entry.issue, entry.record, report)
        return row.start != nil || !row.history.isEmpty
      }
    }
  }

  private var openGroups: [IssueIndex.Group] { IssueIndex.Group.allCases.filter { $0 != .resolved } }

  private func record(of group: IssueIndex.Group) -> TemplateValue? {
    guard let entries = groups[group] else { return nil }
    let left = entries.count - IssueIndex.most
    // The document lists only those that are over since this integration.
    let isListed = ![.resolved, .dropped].contains(group)
    // What is gone stays in the order in which it went.
    let sorted = group == .resolved ? entries : entries.sortedByKind
    let rows = sorted.prefix(IssueIndex.most).map { Row($0.issue, $0.record, report) }
    return .record([
      "word": .text(group.rawValue.capitalizedFirst),
      "id": .text(group.anchor),
      "count": .text(CountText.plain(entries.count)),
      "rows": .list(rows.grouped(by: \.key).map(group == .resolved ? record(ofResolved:) : record(ofOpen:))),
      "left": left > 0
        ? .text(CountText.counted(left, "more issue") + (isListed ? ", listed in integration.json" : ""))
        : .missing,
    ])
  }

  /// An issue with its history in words.
  private struct Row {
    let issue: Issue
    let record: IssueRecord
    /// Since when it is there; nil if that is not known, or if its group tells.
    let start: (words: String, number: Int, rest: String)?
    /// What else is to say.
    let history: [IssueWords.Part]

    init(_ issue: Issue, _ record: IssueRecord, _ report: ReportContext) {
      (self.issue, self.record) = (issue, record)
      let start = IssueWords.start(of: issue)
      let group = IssueIndex.Group(issue)
      let isOfNew = [.new, .cameBack].contains(group)
      let isTold = isOfNew && start?.number == report.integration.number && start?.rest.isEmpty == true
      self.start = isTold ? nil : start.map { (isOfNew ? "in" : $0.words, $0.number, $0.rest) }
      let streaks =
        start == nil && group == .new
        ? []
        : IssueWords.streakPhrases(
          of: issue, record: record, tellsDoubts: !issue.isUnchecked, on: report.branchBeforeComeback(of: issue)
        ).dropFirst(start == nil ? 0 : 1)
      let phrases: [[IssueWords.Part]] =
        IssueWords.phrases(IssueWords.traits(of: issue)) + Array(streaks)
        + [report.flakyPast(of: issue)].compactMap(\.self)
        + IssueWords.phrases(IssueWords.elsewhere(of: issue))
      history = phrases.phrase()
    }

    var streak: IssueRecord.Streak? { record.streaks.last }

    /// The key of issues that differ only in their places, and share a row.
    var key: [String] {
      [issue.kind.rawValue, issue.test?.description ?? "", issue.message, start.map { "\($0)" } ?? "", history.text]
    }
  }

  private func record(ofOpen alike: [Row]) -> TemplateValue {
    guard let row = alike.first else { return .missing }
    let issue = row.issue
    let suspect = issueIndex.suspect(of: issue)
    let glyph = report.glyph(of: issue)
    return .record([
      "glyph": .text(glyph), "style": .text(issue.style(glyph)),
      "name": .shown(ifAny: report.leadingName(of: issue)),
      "suite": .shown(ifAny: issue.test?.home),
      "suspect": suspect.map {
        report.record(
          of: $0, issue, issueIndex.record(of: issue)?.suspectedHunk, isPlaceTold: tellsPlace(of: $0, alike))
      } ?? .missing,
      // Of what does not count, its page says more.
      "line": issue.status == .silenced && report.leadingName(of: issue) != nil
        ? .missing
        : report.line(of: issue, tellsWait: issue.test.map(waitingAlike.contains) != true),
      "kind": .optional(issue.tag),
      "places": places(of: alike),
      "more": .optional(more(of: alike)), "start": row.start.map(record(ofStart:)) ?? .missing,
      "history": row.history.isEmpty ? .missing : row.history.record { report.address(of: $0, with: issue.test) },
      "note": .shown(ifAny: issue.silence.map(IssueWords.sentence) ?? issue.endedSilence.map(IssueWords.end)),
      "id": .shown(String(issue.id.prefix(16))), "link": .optional(issueIndex.page(of: row.record.id)),
    ])
  }

  private func record(ofStart start: (words: String, number: Int, rest: String)) -> TemplateValue {
    .record([
      "before": .text(start.words), "words": .text("\(start.number)"), "after": .text(start.rest),
      "link": .optional(report.address(of: start.number)), "isElsewhere": .flag(true),
    ])
  }

  /// Of what is gone, its page says more.
  private func record(ofResolved alike: [Row]) -> TemplateValue {
    guard let row = alike.first else { return .missing }
    let issue = row.issue
    let note =
      IssueWords.destinations(of: issue) + IssueWords.elsewhere(of: issue)
      + [report.foundGate(of: issue)?.neededPart].compactMap(\.self)
    let resolution = row.streak?.resolution
    let people = resolution.flatMap(IssueWords.people)
    let flaky = integration.flakySince(endOf: issue).map { [FlakyWords.since($0)] }
    return .record([
      "glyph": .text(report.glyph(of: issue)),
      "name": .shown(report.name(of: issue) ?? FailureLine.brief(of: issue.message)),
      "suite": .shown(ifAny: issue.test?.home), "kind": issue.gate == nil ? .text(issue.kind.word) : .missing,
      "link": .optional(issueIndex.page(of: row.record.id)),
      "places": places(of: alike),
      "more": .optional(more(of: alike)), "who": .shown(ifAny: people ?? resolution.map(IssueWords.commits)),
      "heir": IssuePage.Kin.heir(of: row.record, in: issueIndex)?.record(root: "") ?? .missing,
      "ending": .text(IssueWords.ending(of: issue)),
      "flaky": flaky?.record { report.address(of: $0, with: issue.test) } ?? .missing,
      "closed": row.streak?.closed.map { number in
        .record([
          "number": .optional(IssueWords.place(ofEnd: row.streak?.resolution?.integrations, closed: number)),
          "link": .optional(report.address(of: number)),
        ])
      } ?? .missing,
      "note": note.isEmpty ? .missing : .shown(note.joined(separator: "; ")),
      "length": .shown(ifAny: row.streak.map(IssueWords.length(of:))),
    ])
  }

  /// Whether a row names the changed line that speaks for a suspect.
  private func tellsPlace(of suspect: Suspect, _ alike: [Row]) -> Bool {
    (lines(of: alike) ?? alike.compactMap(\.issue.location)).contains {
      $0.file == suspect.place?.file && $0.line == suspect.place?.line
    }
  }

  /// Returns the lines for which a gate failed; nil for any other issue.
  private func lines(of alike: [Row]) -> [SourceLocation]? {
    let lines = alike.first.flatMap { report.foundGate(of: $0.issue) }?.lines
    return lines?.isEmpty == false ? lines : nil
  }

  /// Returns how many lines of a gate are not named.
  private func more(of alike: [Row]) -> String? { alike.first.flatMap { report.foundGate(of: $0.issue) }?.morePlaces }

  private func places(of alike: [Row]) -> TemplateValue {
    let seen = lastSource(of: alike)
    if let lines = lines(of: alike) {
      return sources.links(
        to: LinePlaces(lines), first: GateResult.mostPlaces, from: alike.first?.issue.isFound == true ? "" : nil,
        elsewhere: seen)
    }
    // Of several on one line, it stands once.
    let rows = alike.filter { $0.issue.location != nil }.grouped { $0.issue.location?.short }.map { $0[0] }
    return .list(
      rows.enumerated().map { index, row in
        .record([
          "glue": .text(index > 0 ? " " : report.isAtDeclaration(row.issue) ? "declared at " : ""),
          "text": .place(row.issue.location),
          "link": .optional(
            alike.count > 1 ? issueIndex.page(of: row.record.id) : report.quotation(of: row.issue) ?? seen),
          "isUp": .flag(seen != nil), "after": .missing,
        ])
      })
  }

  /// Returns the page that has the place of an issue as it was seen last; nil for one that is found here, and for
  /// several.
  private func lastSource(of alike: [Row]) -> String? {
    alike.count == 1 ? report.lastSource(of: alike[0].issue) : nil
  }
}

extension [(issue: Issue, record: IssueRecord)] {
  /// The issues by kind, the worst first, and otherwise in their order.
  fileprivate var sortedByKind: Self {
    let ofKind = Dictionary(grouping: self, by: \.issue.kind)
    return Issue.Kind.worstFirst.flatMap { ofKind[$0] ?? [] }
  }
}

extension Issue.Kind {
  /// All kinds, warnings last.
  static var worstFirst: [Self] {
    let warnings: Set<Self> = [.warning, .analyzerWarning, .serviceWarning]
    return allCases.filter { !warnings.contains($0) } + allCases.filter(warnings.contains)
  }
}
