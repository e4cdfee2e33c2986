import Model

/// All issues known to an integration, and the pages of those that have one.
struct IssueIndex {
  /// The maximum number of issues with pages; open ones come first.
  static let most = 500
  static let path = "issues.html"

  /// What issues have in common that stand below one heading, in their order.
  enum Group: String, CaseIterable {
    case new
    case cameBack = "came back"
    case stillOpen = "still open"
    case unchecked = "not checked"
    case dropped = "no longer checked"
    case resolved
    case silenced

    init(_ issue: Issue) {
      switch issue.status {
      case .new: self = issue.comeback == nil ? .new : .cameBack
      case .unresolved: self = issue.isUnchecked ? .unchecked : .stillOpen
      case .silenced: self = .silenced
      case .dropped: self = .dropped
      case .resolved: self = .resolved
      }
    }

    /// The anchor of its list, on the summary and on the page of all issues alike.
    var anchor: String { "issues-\(rawValue.split(separator: " ").joined(separator: "-"))" }
  }

  /// All issues with their full histories, in the order of their pages.
  let entries: [(issue: Issue, record: IssueRecord)]
  private let paths: [String: String]
  private let records: [String: IssueRecord]
  /// The suspects by issue id, including those of earlier integrations.
  private let suspects: [String: Suspect]
  private let elsewhere: Set<Issue>

  init(_ integration: Integration) {
    let told = Dictionary(integration.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let records = integration.issueRecords.map { record in
      let isFlaky = record.test.flatMap { integration.histories[$0] }?.flakyIn.isEmpty == false
      return isFlaky && record.kind.isOfRedTest ? record.ofFlakyTest : record
    }
    let known = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var entries = integration.issues.compactMap { issue in known[issue.id].map { (issue: issue, record: $0) } }
    entries += records.filter { told[$0.id] == nil && (!$0.isOpen || $0.life.droppedIn != nil) }
      .sorted { ($1.streaks.last?.closed ?? 0, $0.id) < ($0.streaks.last?.closed ?? 0, $1.id) }
      .map { (issue: Issue($0), record: $0) }
    var seen: Set<String> = []
    self.entries = entries.filter { seen.insert($0.record.id).inserted }
    suspects = Dictionary(
      self.entries.compactMap { issue, record in
        (issue.suspects.named.first ?? (record.suspects ?? []).named.first).map { (issue.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
    elsewhere = Set(integration.issues.flatMap(\.elsewhere))
    self.records = Dictionary(self.entries.map { ($0.issue.id, $0.record) }, uniquingKeysWith: { first, _ in first })
    paths = Dictionary(
      self.entries.prefix(Self.most).map { ($0.record.id, Self.path(of: $0.record.id)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the path of an issue's page, relative to the top of the report.
  static func path(of id: String) -> String { "issues/\(fileName(of: id)).html" }

  /// Returns the id itself if it has the form of Martlet's own ids, otherwise a slug.
  private static func fileName(of id: String) -> String {
    let isPlain = id.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    return isPlain && !id.isEmpty && id.utf8.count < 40 ? id : ReportPaths.slug(of: id)
  }

  /// Returns who probably caused an issue; nil if no one is named.
  func suspect(of issue: Issue) -> Suspect? {
    // As another destination has it, it may be somebody else's fault.
    issue.suspects.named.first ?? (elsewhere.contains(issue) ? nil : suspects[issue.id])
  }

  /// Returns what is remembered of an issue; nil for one that is not followed.
  func record(of issue: Issue) -> IssueRecord? { records[issue.id] }

  /// Returns the page of an issue, relative to the top of the report; nil if it has none.
  func page(of id: String) -> String? { paths[id] }
}

extension IssueRecord {
  /// The record as it reads once its test is known to be flaky: that the test passed was no fix.
  fileprivate var ofFlakyTest: IssueRecord {
    var record = self
    for index in streaks.indices where streaks[index].ending == .fixed {
      record.streaks[index].ending = .passedAgain
      record.streaks[index].resolution = nil
      record.streaks[index].wentUnchecked = nil
    }
    return record
  }
}
