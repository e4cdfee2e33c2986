import Model

/// The issues of an integration by status.
struct IssuesSection {
  private static let mostPerStatus = 200

  /// What has a heading of its own.
  private enum Group: String, CaseIterable {
    case new
    case cameBack = "came back"
    case unresolved
    case carriedOver = "not checked again"
    case resolved, silenced

    init(_ issue: Issue) {
      switch issue.status {
      case .new: self = issue.comeback == nil ? .new : .cameBack
      case .unresolved: self = issue.isCarriedOver ? .carriedOver : .unresolved
      case .resolved: self = .resolved
      case .silenced: self = .silenced
      }
    }
  }

  private let integration: Integration
  private let paths: ReportPaths
  private let pages: Set<TestID>
  private let issueIndex: IssueIndex
  private let tests: [TestID: TestResult]
  private let groups: [Group: [Issue]]

  /// - Parameters:
  ///   - pages: the tests that have a page.
  ///   - issueIndex: the issues that have one.
  init(_ integration: Integration, paths: ReportPaths, pages: Set<TestID>, issueIndex: IssueIndex) {
    self.issueIndex = issueIndex
    tests = integration.tests.byID
    groups = Dictionary(grouping: integration.issues, by: Group.init)
    self.integration = integration
    self.paths = paths
    self.pages = pages
  }

  var record: TemplateValue {
    .record([
      "summary": .text(summary), "open": .text(CountText.plain(open)),
      "delta": openBefore.map { Delta(open, from: $0, .moreIsWorse) }.record,
      "isEmpty": .flag(integration.issues.isEmpty),
      "groups": .list(Group.allCases.compactMap(record(of:))),
      "all": .optional(all),
    ])
  }

  /// What the page of all issues has more than this section.
  private var all: String? {
    guard !issueIndex.entries.isEmpty else { return nil }
    let gone = integration.issueRecords.count { !$0.isOpen }
    return gone > 0 ? "All issues that are known, \(CountText.plain(gone)) of them gone" : "All issues that are known"
  }

  private var open: Int { integration.issues.count { $0.status.isOpen } }

  private var openBefore: Int? {
    integration.baseline?.issues.count { $0.status.isOpen }
  }

  /// What follows the number of open ones.
  private var summary: String {
    let shown = Group.allCases.compactMap { group in
      groups[group].map { "\(CountText.plain($0.count)) \(group.rawValue)" }
    }
    let against = integration.baseline.map { ", against integration \($0.number)" } ?? ""
    return (shown.isEmpty ? "" : ": \(shown.joined(separator: ", "))") + against
  }

  private func record(of group: Group) -> TemplateValue? {
    guard let issues = groups[group] else { return nil }
    let left = issues.count - Self.mostPerStatus
    return .record([
      "word": .text(group.rawValue.capitalizedFirst),
      "id": .text("issues-\(group.rawValue.split(separator: " ").joined(separator: "-"))"),
      "count": .text(CountText.plain(issues.count)),
      "remark": .text(remark(on: group, issues)),
      "rows": .list(issues.prefix(Self.mostPerStatus).map(record(of:))),
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  private func remark(on group: Group, _ issues: [Issue]) -> String {
    let number = integration.baseline?.number
    switch group {
    case .cameBack: return "there before, then gone"
    case .carriedOver: return "open from before; this integration did not come to them"
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
      "page": .optional(issueIndex.page(of: issue.id)),
      "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
