import Model

/// The silenced findings of red tests: what each test failed on when it was silenced, but none of its other failures.
///
/// If a test also fails on something else, it has a separate issue for that, which counts.
package struct SilencedFindings: Sendable {
  /// One silenced issue of a red test.
  private struct Entry {
    var issue: String
    var kind: Issue.Kind
    /// Nil if unknown; then the entry applies to whatever the test fails on first.
    var findings: Set<String>?

    /// Whether a finding is silenced. One that was left out of the results is unknown, and so cannot have been
    /// silenced.
    func covers(_ finding: String) -> Bool {
      findings.map { finding != TestResult.unknownFindings && $0.contains(finding) } ?? true
    }
  }

  private var entries: [TestID: [Entry]] = [:]
  private var issues: Set<String> = []

  /// Creates a value without silenced findings.
  package init() {}

  /// - Parameter silence: returns the silence that applies to a record, if any.
  init(_ records: [IssueRecord], by silence: (IssueRecord) -> Silence?) {
    for record in records where record.kind.isOfRedTest {
      guard let test = record.test, let silence = silence(record) else { continue }
      let entry = Entry(
        issue: record.id, kind: record.kind, findings: (silence.findings ?? record.findings).map(Set.init))
      entries[test, default: []].append(entry)
      issues.insert(record.id)
    }
  }

  func contains(_ issue: String) -> Bool { issues.contains(issue) }

  /// Returns the silenced issue that covers everything a finding is about, if there is one.
  func issue(telling finding: Issue) -> String? {
    guard let test = finding.test else { return nil }
    return entries[test]?.first { $0.kind == finding.kind && finding.findings.allSatisfy($0.covers) }?.issue
  }

  /// Splits a test's findings into those of each silenced issue and the rest.
  func parts(of findings: [String], in test: TestID, _ kind: Issue.Kind) -> [[String]] {
    var left = findings
    var parts: [[String]] = []
    for entry in entries[test] ?? [] where entry.kind == kind {
      parts.append(left.filter(entry.covers))
      left.removeAll(where: entry.covers)
    }
    return (parts + [left]).filter { !$0.isEmpty }
  }
}
