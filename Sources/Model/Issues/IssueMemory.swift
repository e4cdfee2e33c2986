/// All issues known to an integration, open and gone: `issues.json` in the folder of what is kept of the integration.
///
/// Each integration hands its memory on to those that have it as their baseline. A memory therefore follows the branch,
/// and is complete without earlier ones.
package struct IssueMemory: Hashable, Sendable, Codable {
  /// Something that must be reached before an issue can be seen.
  package enum Stage: String, Codable, CaseIterable, Sendable {
    case build, analysis, tests
  }

  /// The name and version of the format.
  package static let schemaName = "martlet.issues/1"

  package var schema: String
  /// The integration that the memory belongs to.
  package var number: Int
  package var commit: CommitID
  /// The stages that any integration has reached so far.
  package var reached: [Stage]
  package var records: [IssueRecord]

  package init(number: Int, commit: CommitID, reached: [Stage], records: [IssueRecord]) {
    schema = Self.schemaName
    self.number = number
    self.commit = commit
    self.reached = reached
    self.records = records
  }
}

extension IssueMemory {
  /// Reconstructs what is known of an integration from its summary document alone.
  package init(of document: IntegrationRecord) {
    var reached: Set<Stage> = document.outcome.isBuilt ? [.build] : []
    if document.tests.listed > 0 { reached.insert(.tests) }
    if document.issues.contains(where: { $0.kind == .analyzerWarning }) { reached.insert(.analysis) }
    self.init(
      number: document.number, commit: document.commit.id, reached: Stage.allCases.filter(reached.contains),
      records: document.issues.map { IssueRecord($0, in: document.number) })
  }
}

extension IssueMemory {
  /// Adds the findings of red tests, which older memories lack, from the document of the same integration.
  package mutating func addFindings(of document: IntegrationRecord) {
    guard document.number == number else { return }
    let cases = Dictionary(document.tests.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for index in records.indices where records[index].findings == nil && records[index].isOpen {
      guard let test = records[index].test.flatMap({ cases[$0] }), test.state.issueKind == records[index].kind,
        !test.failures.isEmpty
      else { continue }
      records[index].findings = Set(test.failures.map { Fingerprint.of($0.message) }).sorted()
    }
  }
}

extension IssueRecord {
  fileprivate init(_ issue: IntegrationRecord.FlatIssue, in number: Int) {
    let life = issue.life
    let age = life?.streakAge ?? issue.age
    var streaks: [Streak] = []
    if let life, let last = life.cameBackFrom {
      streaks.append(Streak(opened: life.firstSeen, lastSeen: last, closed: min(last + 1, life.streakStart)))
    }
    streaks.append(
      Streak(
        opened: life?.streakStart ?? max(0, number - age), lastSeen: number,
        closed: issue.status == .resolved ? number : nil, age: age))
    streaks[streaks.count - 1].ending = issue.ending
    streaks[streaks.count - 1].droppedIn = life?.droppedIn
    self.init(
      id: issue.id, kind: issue.kind, message: issue.message,
      location: issue.file.map { SourceLocation(file: $0, line: issue.line ?? 0, column: issue.column) },
      test: issue.test, age: issue.age, predates: life?.predates ?? false, streaks: streaks)
    findings = issue.findings
    subject = issue.knownSubject
  }
}
