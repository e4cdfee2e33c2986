import Model

/// The issues of an integration by status.
struct IssuesSection {
  private static let mostPerStatus = 200

  private let integration: Integration
  private let paths: ReportPaths
  private let pages: Set<TestID>

  /// - Parameter pages: the tests that have a page.
  init(_ integration: Integration, paths: ReportPaths, pages: Set<TestID>) {
    self.integration = integration
    self.paths = paths
    self.pages = pages
  }

  var record: TemplateValue {
    .record([
      "summary": .text(summary),
      "isEmpty": .flag(integration.issues.isEmpty),
      "groups": .list(Issue.Status.allCases.compactMap(group)),
    ])
  }

  private var summary: String {
    let counts = Issue.Status.allCases.map { status in
      (status, integration.issues.filter { $0.status == status }.count)
    }
    let shown = counts.filter { $0.1 > 0 || $0.0 == .new }.map { "\(CountText.plain($0.1)) \($0.0.rawValue)" }
    let against = integration.baseline.map { ", against integration \($0.number)" } ?? ""
    return shown.joined(separator: ", ") + against
  }

  private func group(_ status: Issue.Status) -> TemplateValue? {
    let issues = integration.issues.filter { $0.status == status }
    guard !issues.isEmpty else { return nil }
    let left = issues.count - Self.mostPerStatus
    return .record([
      "word": .text(status.rawValue.prefix(1).uppercased() + status.rawValue.dropFirst()),
      "id": .text("issues-\(status.rawValue)"),
      "count": .text(CountText.plain(issues.count)),
      "remark": .text(remark(on: status)),
      "rows": .list(issues.prefix(Self.mostPerStatus).map(record(of:))),
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  private func remark(on status: Issue.Status) -> String {
    let number = integration.baseline?.number
    switch status {
    case .new: return number.map { "not in integration \($0)" } ?? "nothing to compare with"
    case .unresolved: return number.map { "also in integration \($0)" } ?? "seen before"
    case .resolved: return number.map { "gone since integration \($0)" } ?? "no longer found"
    case .silenced: return "silenced by a person; they do not count"
    }
  }

  private func record(of issue: Issue) -> TemplateValue {
    let message = FailureLine.firstLine(issue.message)
    let link = issue.test.flatMap { test -> String? in
      guard integration.tests.results.contains(where: { $0.id == test }) else { return nil }
      return pages.contains(test) ? paths.page(of: test) : paths.row(of: test)
    }
    let name = issue.test.map { test in
      integration.tests.results.first { $0.id == test }?.title ?? test.name
    }
    return .record([
      "glyph": .text(issue.status == .resolved ? "passed" : issue.kind.glyph),
      "name": .shown(ifAny: name),
      "message": .shown(message),
      "link": .optional(link),
      "kind": .text(issue.kind.word),
      "place": .shown(issue.location?.short ?? ""),
      "path": issue.location.map { .shown($0.file) } ?? .missing,
      "age": .text(
        issue.age == 0 ? "first seen here" : "first seen \(CountText.counted(issue.age, "integration")) ago"),
      "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
