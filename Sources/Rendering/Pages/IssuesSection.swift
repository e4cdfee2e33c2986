import Model

/// The issues of an integration by status.
struct IssuesSection {
  private static let mostPerStatus = 200

  private let integration: Integration
  private let paths: ReportPaths
  private let pages: Set<TestID>
  private let shelf: IssueShelf
  private let tests: [TestID: TestResult]

  /// - Parameters:
  ///   - pages: the tests that have a page.
  ///   - shelf: the issues that have one.
  init(_ integration: Integration, paths: ReportPaths, pages: Set<TestID>, shelf: IssueShelf) {
    self.shelf = shelf
    tests = integration.tests.byID
    self.integration = integration
    self.paths = paths
    self.pages = pages
  }

  var record: TemplateValue {
    .record([
      "summary": .text(summary), "open": .text(CountText.plain(open)),
      "delta": openBefore.map { Delta(open, from: $0, .moreIsWorse) }.record,
      "isEmpty": .flag(integration.issues.isEmpty),
      "groups": .list(Issue.Status.allCases.compactMap(group)),
      "all": .optional(all),
    ])
  }

  /// What the page of all issues has more than this section.
  private var all: String? {
    guard !shelf.entries.isEmpty else { return nil }
    let gone = integration.issueRecords.count { !$0.isOpen }
    return gone > 0 ? "All issues that are known, \(CountText.plain(gone)) of them gone" : "All issues that are known"
  }

  private var open: Int { integration.issues.count { $0.status.isOpen } }

  private var openBefore: Int? {
    integration.baseline?.issues.count { $0.status.isOpen }
  }

  /// What follows the number of open ones.
  private var summary: String {
    let counts = Issue.Status.allCases.map { status in
      (status, integration.issues.filter { $0.status == status }.count)
    }
    let shown = counts.filter { $0.1 > 0 }.map { "\(CountText.plain($0.1)) \($0.0.rawValue)" }
    let against = integration.baseline.map { ", against integration \($0.number)" } ?? ""
    return (shown.isEmpty ? "" : ": \(shown.joined(separator: ", "))") + against
  }

  private func group(_ status: Issue.Status) -> TemplateValue? {
    let issues = integration.issues.filter { $0.status == status }
    guard !issues.isEmpty else { return nil }
    let left = issues.count - Self.mostPerStatus
    return .record([
      "word": .text(status.rawValue.prefix(1).uppercased() + status.rawValue.dropFirst()),
      "id": .text("issues-\(status.rawValue)"),
      "count": .text(CountText.plain(issues.count)),
      "remark": .text(remark(on: status, issues)),
      "rows": .list(issues.prefix(Self.mostPerStatus).map(record(of:))),
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  private func remark(on status: Issue.Status, _ issues: [Issue]) -> String {
    let number = integration.baseline?.number
    switch status {
    case .new: return number.map { "not in integration \($0)" } ?? "nothing to compare with"
    case .unresolved:
      guard let baseline = integration.baseline else {
        return integration.number == 1 ? "there before the first integration" : "nothing to compare with"
      }
      // What a broken build kept from being found is not new after it, either.
      let known = Set(baseline.issues.map(\.id))
      let count = issues.count { known.contains($0.id) }
      guard count > 0 else { return "nothing earlier to compare with" }
      let some = count < issues.count ? "\(CountText.plain(count)) of them " : ""
      return "\(some)also in integration \(baseline.number)"
    case .resolved: return number.map { "gone since integration \($0)" } ?? "no longer found"
    case .silenced: return "silenced by a person; they do not count"
    }
  }

  private func record(of issue: Issue) -> TemplateValue {
    let message = FailureLine.headline(of: issue.message)
    let link = issue.test.flatMap { test -> String? in
      guard tests[test] != nil else { return nil }
      return pages.contains(test) ? paths.page(of: test) : paths.row(of: test)
    }
    let name = issue.test.map { tests[$0]?.title ?? $0.name }
    return .record([
      "glyph": .text(issue.status == .resolved ? "passed" : issue.kind.glyph),
      "name": .shown(ifAny: name),
      "message": .shown(message),
      "link": .optional(link),
      "kind": .text(issue.kind.word),
      "place": .shown(issue.location?.short ?? ""),
      "path": issue.location.map { .shown($0.file) } ?? .missing,
      "age": .shown(IssueWords.history(of: issue).joined(separator: "; ")),
      "note": .shown(ifAny: issue.silence.map(IssueWords.sentence) ?? issue.endedSilence.map(IssueWords.end)),
      "suspect": .shown(
        ifAny: issue.suspects.first.map { "suspect (\($0.confidence.rawValue)): \($0.name), \($0.reason)" }),
      "page": .optional(shelf.page(of: issue.id)),
      "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
