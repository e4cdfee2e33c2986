extension TestResult {
  /// Whether everything that the test is red for is silenced: its failure, unless sanitizers alone failed it, and each
  /// finding of a sanitizer.
  ///
  /// - Parameter silenced: issues of this test that are silenced.
  package func isSilenced(by silenced: [Issue]) -> Bool {
    guard state.isRed, isRedBySanitizerAlone || silenced.contains(where: \.kind.isOfRedTest) else { return false }
    var findings = silenced.filter { $0.kind == .sanitizer }.map(\.message)
    return sanitizerReports.allSatisfy { report in
      guard let index = findings.firstIndex(of: report.message) else { return false }
      findings.remove(at: index)
      return true
    }
  }
}

extension IntegrationDocument {
  /// The red tests that do not count, each with an issue that says why: everything that they are red for is silenced.
  package var silencedTests: [TestID: FlatIssue] {
    var silenced: [TestID: FlatIssue] = [:]
    var counting: Set<TestID> = []
    for issue in issues where issue.kind.isOfRedTest || issue.kind == .sanitizer {
      guard let test = issue.test, issue.status != .resolved else { continue }
      if issue.status != .silenced {
        counting.insert(test)
      } else if silenced[test] == nil || issue.kind.isOfRedTest {
        silenced[test] = issue
      }
    }
    let red = Set(tests.cases.lazy.filter(\.state.isRed).map(\.id))
    return silenced.filter { red.contains($0.key) && !counting.contains($0.key) }
  }
}
