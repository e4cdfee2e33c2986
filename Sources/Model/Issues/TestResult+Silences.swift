extension TestState {
  /// The kind of issue that a red test is; nil for tests that are not red.
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
  /// The reasons why the test is red other than sanitizer findings, as fingerprints of the messages, without duplicates
  /// and in their order; failures that were left out are one more finding, which no silence covers.
  package var findings: [String] {
    var seen: Set<String> = []
    let all = ownFailures.map { Fingerprint.of($0.message) }.filter { seen.insert($0).inserted }
    let unknown = leftOut?.failures == nil ? [] : [Self.unknownFindings]
    return all.isEmpty ? [Fingerprint.of("")] : all + unknown
  }

  /// Stands for the failures that were left out; differs from any fingerprint.
  package static let unknownFindings = "left-out"

  /// The failures that are not sanitizer findings.
  package var ownFailures: [TestFailure] {
    failures.filter { failure in !sanitizerReports.contains { $0.isTold(by: failure) } }
  }

  /// Returns whether everything that makes the test red is silenced: each of its failures, unless sanitizers alone
  /// failed it, and each sanitizer finding. The issue of a failure does not silence a crash.
  ///
  /// - Parameter silenced: the silenced issues of this test.
  package func isSilenced(by silenced: [Issue]) -> Bool {
    guard let kind = state.issueKind else { return false }
    let ofKind = silenced.filter { $0.kind == kind }
    guard isRedBySanitizerAlone || !ofKind.isEmpty && isToldWhole(by: ofKind) else { return false }
    var findings = silenced.filter { $0.kind == .sanitizer }.map(\.message)
    return sanitizerReports.allSatisfy { report in
      guard let index = findings.firstIndex(of: report.message) else { return false }
      findings.remove(at: index)
      return true
    }
  }

  /// Returns whether the issues cover everything that the test failed with; an issue without findings covers all.
  private func isToldWhole(by issues: [Issue]) -> Bool {
    issues.contains { $0.findings.isEmpty } || Set(issues.flatMap(\.findings)).isSuperset(of: findings)
  }
}

extension Integration {
  /// The red tests that do not count, each with a silenced issue that explains why.
  package var silencedTests: [TestID: Issue] {
    let silences = Dictionary(grouping: issues.filter { $0.status == .silenced }, by: \.test)
    var silenced: [TestID: Issue] = [:]
    for result in tests.results where result.state.isRed {
      let own = silences[result.id] ?? []
      guard result.isSilenced(by: own) else { continue }
      silenced[result.id] = own.first { $0.kind == result.state.issueKind } ?? own.first
    }
    return silenced
  }

  /// The tests that were red in the baseline and do not count there or here: what is silenced is not mended.
  package var silencedSinceBaseline: Set<TestID> {
    guard let baseline else { return [] }
    return baseline.silencedTests.union(silencedTests.keys.filter { baseline.states[$0]?.isRed == true })
  }

  /// The red tests that make the integration red.
  package var countingRedTests: [TestResult] {
    let silenced = silencedTests
    return tests.results.filter { $0.state.isRed && silenced[$0.id] == nil }
  }

  /// The tests whose failure was silenced in the baseline and that now fail for a different reason.
  package var testsRedAnew: Set<TestID> {
    let silenced = Set((baseline?.issues ?? []).filter { $0.status == .silenced }.compactMap(\.test))
    guard !silenced.isEmpty else { return [] }
    return silenced.intersection(issues.filter { $0.status == .new && $0.kind.isOfRedTest }.compactMap(\.test))
  }

  /// The issues that were silenced in the baseline and count again, because the silence or the quarantine has ended.
  package var issuesCountingAgain: [Issue] {
    let silenced = Set((baseline?.issues ?? []).filter { $0.status == .silenced }.map(\.id))
    return findings.filter { $0.status == .unresolved && silenced.contains($0.id) }
  }

  /// The issues of tests that were red before and now are for a new reason, unless they count again.
  package var issuesForNewReason: [Issue] {
    let again = Set(issuesCountingAgain.map(\.id))
    return findings.filter {
      $0.status == .unresolved && $0.life?.reasonSince == number && !again.contains($0.id)
    }
  }
}

extension Baseline {
  /// The red tests all of whose open issues are silenced.
  package var silencedTests: Set<TestID> {
    let open = issues.filter { !$0.status.isOver && $0.kind.isOfRedTest }
    let silenced = Set(open.filter { $0.status == .silenced }.compactMap(\.test))
    let counting = Set(open.filter { $0.status != .silenced }.compactMap(\.test))
    return silenced.subtracting(counting).filter { states[$0]?.isRed == true }
  }
}

extension IntegrationRecord {
  /// The number of red tests that make the integration red.
  package var countingRed: Int { tests.counts.red - silencedTests.count }

  /// The number of red tests that make the integration red, in this destination or another required one.
  package var judgedRed: Int {
    let required = (cells ?? []).filter { $0.destination?.required == true }
    return countingRed + Set(required.flatMap(\.countingRedTests)).subtracting(countingRedTests).count
  }

  private var countingRedTests: [TestID] {
    let silenced = silencedTests
    return tests.cases.filter { $0.state.isRed && silenced[$0.id] == nil }.map(\.id)
  }

  /// The silenced findings of red tests, as fingerprints; for some tests these are not all that they failed with.
  package var silencedFindings: [TestID: Set<String>] {
    let told = findings.filter { $0.status == .silenced }.compactMap { issue in
      issue.test.map { ($0, Set(issue.findings ?? [])) }
    }
    return Dictionary(told, uniquingKeysWith: { $0.union($1) })
  }

  /// The red tests that do not count, each with an issue that explains why.
  package var silencedTests: [TestID: FlatIssue] {
    let silenced = Dictionary(
      issues.filter { $0.status == .silenced }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let told = tests.cases.compactMap { test in test.silenced.flatMap { silenced[$0] }.map { (test.id, $0) } }
    return tests.silenced == nil ? silencedByIssues : Dictionary(told, uniquingKeysWith: { first, _ in first })
  }

  /// The same for documents of older versions, which do not record it per test: the tests whose issues are all
  /// silenced.
  private var silencedByIssues: [TestID: FlatIssue] {
    let kinds = Dictionary(
      tests.cases.compactMap { test in test.state.issueKind.map { (test.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var silenced: [TestID: FlatIssue] = [:]
    var counting: Set<TestID> = []
    for issue in issues where !issue.status.isOver {
      guard let test = issue.test, let kind = kinds[test], issue.kind == kind else { continue }
      if issue.status == .silenced { silenced[test] = silenced[test] ?? issue } else { counting.insert(test) }
    }
    return silenced.filter { !counting.contains($0.key) }
  }
}
