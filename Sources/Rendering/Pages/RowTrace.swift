import Model

/// The origin of a red row: who probably caused it, since when, and the page of its issue.
struct RowTrace {
  private let issue: Issue?
  private let age: FindingAge?
  private let issueIndex: IssueIndex
  private let sources: ShownSources
  private let root: String

  /// - Parameter root: the path from the page to the top of the report.
  init(_ issue: Issue?, age: FindingAge?, issueIndex: IssueIndex, sources: ShownSources, root: String = "") {
    self.issue = issue
    self.age = age
    self.issueIndex = issueIndex
    self.sources = sources
    self.root = root
  }

  var record: TemplateValue {
    let suspect = issue.flatMap(issueIndex.suspect)
    return .record([
      "suspect": suspect.map(record(of:)) ?? .missing, "findingAge": age?.record ?? .missing,
      "issuePage": .optional(issue.flatMap { issueIndex.page(of: $0.id) }.map { root + $0 }),
      "issue": .shown(ifAny: issue.map { String($0.id.prefix(16)) }),
    ])
  }

  private func record(of suspect: Suspect) -> TemplateValue {
    .record([
      "who": .shown(suspect.name), "sure": .text(suspect.confidence.words),
      "changed": .shown(ifAny: suspect.place?.short),
      "changedLink": .optional(suspect.place.flatMap { sources.link(to: $0.file, line: $0.line) }.map { root + $0 }),
      "commit": .shown(ifAny: suspect.commit?.short),
    ])
  }
}
