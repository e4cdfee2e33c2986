import Model

/// All issues that an integration knows of, and which of them have pages of their own, and where.
struct IssueIndex {
  /// So many issues have pages; those that are open come first.
  static let most = 500
  static let path = "issues.html"

  /// All issues with their whole past, in the order of their pages.
  let entries: [(issue: Issue, record: IssueRecord)]
  private let paths: [String: String]
  /// Who is told, by the issue's name, also of issues of earlier integrations.
  private let suspects: [String: Suspect]

  init(_ integration: Integration) {
    let told = Dictionary(integration.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Dictionary(integration.issueRecords.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var entries = integration.issues.compactMap { issue in known[issue.id].map { (issue: issue, record: $0) } }
    entries += integration.issueRecords.filter { told[$0.id] == nil && !$0.isOpen }
      .sorted { ($1.streaks.last?.closed ?? 0, $0.id) < ($0.streaks.last?.closed ?? 0, $1.id) }
      .map { (issue: Issue($0), record: $0) }
    var seen: Set<String> = []
    self.entries = entries.filter { seen.insert($0.record.id).inserted }
    suspects = Dictionary(
      self.entries.compactMap { issue, record in
        (issue.suspects.named.first ?? (record.suspects ?? []).named.first).map { (issue.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
    paths = Dictionary(
      self.entries.prefix(Self.most).map { ($0.record.id, Self.path(of: $0.record.id)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Where the page of an issue lies that has one, relative to the top of the report.
  static func path(of id: String) -> String { "issues/\(fileName(of: id)).html" }

  /// The id itself, unless it is none that Martlet gives.
  private static func fileName(of id: String) -> String {
    let isPlain = id.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    return isPlain && !id.isEmpty && id.utf8.count < 40 ? id : ReportPaths.slug(of: id)
  }

  /// Who probably caused an issue; nil where nobody is told.
  func suspect(of issue: Issue) -> Suspect? { issue.suspects.named.first ?? suspects[issue.id] }

  /// The page of an issue, relative to the top of the report; nil when it has none.
  func page(of id: String) -> String? { paths[id] }
}
