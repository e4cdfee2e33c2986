import Model

/// What an issue is called and what it says on one line, for lists of issues.
struct IssueLines {
  private let integration: Integration
  private let tests: [TestID: TestResult]

  /// - Parameter tests: the results of the integration.
  init(_ integration: Integration, tests: [TestID: TestResult]) {
    self.integration = integration
    self.tests = tests
  }

  /// The name of the test or of the gate; nil for what has none.
  func name(of issue: Issue) -> String? {
    if let test = issue.test { return tests[test]?.title ?? test.name }
    return issue.gate.map(GateResult.title(ofRule:))
  }

  /// The failure, with its operands if they are known, for the template `failure-line`.
  func line(of issue: Issue) -> TemplateValue {
    if issue.status != .resolved, issue.kind.isOfRedTest, let test = issue.test.flatMap({ tests[$0] }),
      let failure = test.failures.first ?? test.arguments?.lazy.flatMap(\.failures).first
    {
      return FailureLine(failure).record
    }
    let gate = issue.gate.flatMap { rule in integration.gates.first { $0.rule == rule && $0.state == .failed } }
    let text = gate.map(\.finding) ?? FailureLine.brief(of: issue.message)
    return .record(["operands": .missing, "text": .shown(text), "note": .missing])
  }
}
