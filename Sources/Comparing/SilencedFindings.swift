import Model

/// What people have silenced of red tests: what the tests failed on then, and no other failure of theirs.
///
/// A test that fails on something else besides has an issue for that alone, which counts.
package struct SilencedFindings: Sendable {
  /// One silenced issue of a red test.
  private struct Entry {
    var issue: String
    var kind: Issue.Kind
    /// Nil where nobody knows; then it is whatever the test fails on first.
    var findings: Set<String>?

    /// Nobody knows what was left out, so that nobody has silenced it.
    func covers(_ finding: String) -> Bool {
      findings.map { finding != TestResult.unknownFindings && $0.contains(finding) } ?? true
    }
  }

  private var entries: [TestID: [Entry]] = [:]
  private var issues: Set<String> = []

  /// Of tests of which nothing is silenced.
  package init() {}

  /// - Parameter silence: what holds of a record, if something does.
  init(_ records: [IssueRecord], by silence: (IssueRecord) -> Silence?) {
    for record in records where record.kind.isOfRedTest {
      guard let test = record.test, let silence = silence(record) else { continue }
      let entry = Entry(
        issue: record.id, kind: record.kind, findings: (silence.findings ?? record.findings).map(Set.init))
      entries[test, default: []].append(entry)
      issues.insert(record.id)
    }
  }

  /// Whether an issue is among them.
  func contains(_ issue: String) -> Bool { issues.contains(issue) }

  /// The silenced issue that tells of all that a finding is about; nil where there is none.
  func issue(telling finding: Issue) -> String? {
    guard let test = finding.test else { return nil }
    return entries[test]?.first { $0.kind == finding.kind && finding.findings.allSatisfy($0.covers) }?.issue
  }

  /// Splits what a test failed on into what each silenced issue is about, and what none of them is.
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
