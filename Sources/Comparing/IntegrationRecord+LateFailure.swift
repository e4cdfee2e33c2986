package import FoundationEssentials
package import Model

extension IntegrationRecord {
  /// Adds what a trigger failed of only after the integration was finished, as far as possible as if it had been known
  /// before.
  ///
  /// - Parameters:
  ///   - silences: what people have said of issues.
  ///   - words: puts a reason into words.
  package mutating func add(
    late failure: IssueFinder.OwnFinding, silences: [Silence] = [], now: Date, words: (OutcomeReason) -> String
  ) {
    let verdict = Verdict(outcome).adding(triggerFailures: [failure])
    outcome = verdict.outcome
    if reasons.isEmpty || reasonCodes != nil { reasonCodes = (reasonCodes ?? []) + verdict.reasons.map(\.code) }
    reasons += verdict.reasons.map(words)
    if let told = findings.first(where: { $0.kind == .triggerError && $0.subject == failure.subject }) {
      add(failure.sentence, to: told.id)
    } else {
      open(failure, silences, now)
    }
  }

  /// Adds a sentence to an issue that this integration found itself: more of the trigger's messages have failed since.
  private mutating func add(_ sentence: String, to id: String) {
    for index in issues.indices where issues[index].id == id { issues[index].message += " \(sentence)" }
    guard var memory = issueMemory else { return }
    for index in memory.records.indices where memory.records[index].id == id {
      memory.records[index].message += " \(sentence)"
    }
    issueMemory = memory
  }

  private mutating func open(_ failure: IssueFinder.OwnFinding, _ silences: [Silence], _ now: Date) {
    let found = IssueFinder.issues(diagnostics: [], tests: [], triggerErrors: [failure])
    let followed = IssueComparison(number: number, commit: commit.id, reach: .void, silences: silences, now: now)
      .compare(found, with: issueMemory)
    // All others stand as they are.
    guard let issue = followed.issues.first else { return }
    issues.removeAll { $0.id == issue.id }
    let end = issues.firstIndex { $0.carriedOver == true || $0.status.isOver } ?? issues.endIndex
    issues.insert(FlatIssue(issue), at: end)
    if issue.status.isOpen, let change = deltas?.openIssues { deltas?.openIssues = change + 1 }
    guard let record = followed.memory.records.first(where: { $0.id == issue.id }) else { return }
    issueMemory?.records.removeAll { $0.id == issue.id }
    issueMemory?.records.append(record)
  }
}
