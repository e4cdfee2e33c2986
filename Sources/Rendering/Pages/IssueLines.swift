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

  /// The name before what a list says of the issue; nil if that begins with it.
  func leadingName(of issue: Issue) -> String? {
    issue.gate != nil && failedGate(of: issue) == nil ? nil : name(of: issue)
  }

  private func failedGate(of issue: Issue) -> GateResult? {
    issue.gate.flatMap { rule in integration.gates.first { $0.rule == rule && $0.state == .failed } }
  }

  /// The failure, with its operands if they are known, for the template `failure-line`.
  func line(of issue: Issue) -> TemplateValue {
    if issue.status != .resolved, issue.kind.isOfRedTest, let test = issue.test.flatMap({ tests[$0] }),
      let failure = test.failures.first ?? test.arguments?.lazy.flatMap(\.failures).first
    {
      return FailureLine(failure).record
    }
    let text = failedGate(of: issue).map(\.finding) ?? FailureLine.brief(of: issue.message)
    return .record(["operands": .missing, "text": .shown(text), "note": .missing])
  }
}
