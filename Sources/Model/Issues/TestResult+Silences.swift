extension TestState {
  /// The kind of the issue that a red test is; nil for tests that are not red.
  package var issueKind: Issue.Kind? {
    switch self {
    case .crashed: .crash
    case .timedOut: .timeOut
    case .failed: .testFailure
    case .canceled, .expectedFailure, .skipped, .passed, .notRun: nil
    }
  }
}

extension TestResult {
  /// Whether everything that the test is red for is silenced: its failure, unless sanitizers alone failed it, and each
  /// finding of a sanitizer. The issue of a failure does not silence a crash.
  ///
  /// - Parameter silenced: issues of this test that are silenced.
  package func isSilenced(by silenced: [Issue]) -> Bool {
    guard let kind = state.issueKind, isRedBySanitizerAlone || silenced.contains(where: { $0.kind == kind }) else {
      return false
    }
    var findings = silenced.filter { $0.kind == .sanitizer }.map(\.message)
    return sanitizerReports.allSatisfy { report in
      guard let index = findings.firstIndex(of: report.message) else { return false }
      findings.remove(at: index)
      return true
    }
  }
}

extension IntegrationDocument {
  /// The red tests that do not count, each with an issue that says why.
  package var silencedTests: [TestID: FlatIssue] {
    let silenced = Dictionary(
      issues.filter { $0.status == .silenced }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let told = tests.cases.compactMap { test in test.silenced.flatMap { silenced[$0] }.map { (test.id, $0) } }
    return tests.silenced == nil ? silencedByIssues : Dictionary(told, uniquingKeysWith: { first, _ in first })
  }

  /// The same for a document of an older Martlet, which does not say it of each test: those whose issues are all silenced.
  private var silencedByIssues: [TestID: FlatIssue] {
    let kinds = Dictionary(
      tests.cases.compactMap { test in test.state.issueKind.map { (test.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var silenced: [TestID: FlatIssue] = [:]
    var counting: Set<TestID> = []
    for issue in issues where issue.status != .resolved {
      guard let test = issue.test, let kind = kinds[test], issue.kind == kind else { continue }
      if issue.status == .silenced { silenced[test] = silenced[test] ?? issue } else { counting.insert(test) }
    }
    return silenced.filter { !counting.contains($0.key) }
  }
}
