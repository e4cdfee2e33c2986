import Model

/// The page of all known issues, open and gone.
struct IssueListPage: ReportSection, Page {
  static let template = "issues"
  let report: ReportContext

  var frame: PageFrame {
    PageFrame(
      title: "Issues of \(integration.bot) \(integration.number): \(heading)", root: "", section: .issues,
      trail: [.init("Issues")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    [
      "glyph": .text(open.isEmpty ? "passed" : open.contains { $0.issue.status == .new } ? "failed" : "warning"),
      "heading": .text(heading),
      "kinds": .list(
        Issue.Kind.worstFirst.compactMap { kind in
          let count = open.count { $0.issue.kind == kind }
          return count > 0 ? .text(CountText.counted(count, kind.word, kind.plural)) : nil
        }),
      "delta": integration.baseline.flatMap { baseline in
        Delta(open.count, from: baseline.issues.count { $0.status.isOpen }, .moreIsWorse)
      }.record,
      "hasIssues": .flag(!issueIndex.entries.isEmpty),
      "groups": .list(
        [
          group("New", "issues-new") { $0.status == .new && $0.comeback == nil },
          group("Came back", "issues-came-back") { $0.comeback != nil },
          group("Unresolved", "issues-unresolved") { $0.status == .unresolved },
          group("Silenced", "issues-silenced") { $0.status == .silenced },
          group("Resolved", "issues-resolved") { $0.status == .resolved },
        ].compactMap(\.self)),
    ]
  }

  private var open: [(issue: Issue, record: IssueRecord)] { issueIndex.entries.filter { $0.issue.status.isOpen } }

  private var heading: String {
    open.isEmpty ? "No issue is open" : "\(CountText.counted(open.count, "issue")) open"
  }

  private func group(_ word: String, _ id: String, _ isMeant: (Issue) -> Bool) -> TemplateValue? {
    let entries = issueIndex.entries.filter { isMeant($0.issue) }
    guard !entries.isEmpty else { return nil }
    let left = entries.count - IssueIndex.most
    return .record([
      "word": .text(word), "id": .text(id), "count": .text(CountText.plain(entries.count)),
      "rows": .list(
        entries.prefix(IssueIndex.most).map { Row($0.issue, $0.record, isDeleted: report.isDeleted($0.issue)) }.grouped(
          by: \.key
        ).map(record)),
      // The document lists only the issues that were resolved in this integration.
      "left": left > 0
        ? .text(CountText.counted(left, "more issue") + (id == "issues-resolved" ? "" : ", listed in integration.json"))
        : .missing,
    ])
  }

  /// An issue with its history in words.
  private struct Row {
    let issue: Issue
    let recordID: String
    let history: String

    init(_ issue: Issue, _ record: IssueRecord, isDeleted: Bool) {
      (self.issue, recordID) = (issue, record.id)
      history = IssueWords.history(of: issue, record: record, isDeleted: isDeleted).joined(separator: "; ")
    }

    /// The key of issues that differ only in their places, and share a row.
    var key: [String] { [issue.kind.rawValue, issue.test?.description ?? "", issue.message, history] }
  }

  /// Returns the source on the page of an issue, if that quotes it.
  private func source(of row: Row) -> String? {
    guard row.issue.status != .resolved, let place = row.issue.location,
      SourceExcerpt(of: place, in: sources, around: 8) != nil
    else { return nil }
    return issueIndex.page(of: row.recordID).map { "\($0)#source" }
  }

  private func record(_ alike: [Row]) -> TemplateValue {
    guard let row = alike.first else { return .missing }
    let issue = row.issue
    let suspect = issue.status == .resolved ? nil : issueIndex.suspect(of: issue)
    return .record([
      "glyph": .text(issue.status == .resolved ? "passed" : issue.kind.glyph),
      "name": .shown(ifAny: report.leadingName(of: issue)),
      "suite": .shown(ifAny: issue.test?.home),
      "suspect": .shown(ifAny: suspect?.name), "confidence": .shown(ifAny: suspect?.confidence.words),
      "line": report.line(of: issue), "kind": .text(issue.kind.word),
      "places": .list(
        alike.map { one in
          .record([
            "text": .shown(one.issue.location?.short ?? ""),
            "link": alike.count > 1
              ? .optional(issueIndex.page(of: one.recordID))
              : .optional(source(of: one)),
          ])
        }),
      "history": .shown(row.history),
      "note": .shown(ifAny: issue.silence.map(IssueWords.sentence) ?? issue.endedSilence.map(IssueWords.end)),
      "id": .shown(String(issue.id.prefix(16))), "link": .optional(issueIndex.page(of: row.recordID)),
    ])
  }
}

extension Issue.Kind {
  /// All kinds, warnings last.
  fileprivate static var worstFirst: [Self] {
    let warnings: Set<Self> = [.warning, .analyzerWarning, .serviceWarning]
    return allCases.filter { !warnings.contains($0) } + allCases.filter(warnings.contains)
  }
}
