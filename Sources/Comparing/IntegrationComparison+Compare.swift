package import Model

extension IntegrationComparison {
  /// Compares two integrations by their documents.
  ///
  /// - Parameters:
  ///   - coverage: the coverage of the second integration, compared with that of the first by lines, or why it was not
  ///     compared.
  ///   - functions: returns the functions of a counted file of the second integration, given its path.
  ///   - silent: returns those of a file's lines in the second integration that hold only comments or spaces.
  ///   - earlier: integrations before the second, which show how long each test usually takes.
  ///   - commits: the commits between the first integration's commit and the second's.
  package init(
    from before: IntegrationRecord, to after: IntegrationRecord, coverage: Answer<CoverageComparison>,
    functions: (String) -> [FunctionCoverage] = { _ in [] },
    silent: (_ path: String, _ lines: [Int]) -> Set<Int> = { _, _ in [] }, earlier: [TestVerdicts] = [],
    commits: CommitsBetween
  ) {
    var sides = CoverageSides(from: before, to: after, comparison: coverage, functions: functions, silent: silent)
    sides.leftOut = coverage.value.flatMap { $0.leftOut.isEmpty ? nil : $0.leftOut }
    self.init(
      before: Side(before), after: Side(after), circumstances: CircumstanceChange.changes(from: before, to: after),
      counts: CountChange.changes(from: before, to: after), steps: StepChange.changes(from: before, to: after),
      tests: TestChanges(from: before, to: after, earlier: earlier), issues: IssueChanges(from: before, to: after),
      coverage: sides, commits: commits)
  }
}

extension IntegrationRecord {
  /// Why the integration says nothing about the tests; nil if it reached them.
  var reasonWithoutTests: String? {
    switch outcome {
    case .succeeded, .warnings, .analyzerWarnings, .testFailures, .incomplete: nil
    case .buildErrors: "The tests of \(bot) \(number) were not reached, because it did not build."
    case .canceled, .checkoutError, .triggerError, .internalError:
      "\(bot) \(number) did not come to its end (\(outcome.rawValue)), so not all of its tests are known."
    }
  }
}

extension CountChange {
  /// Returns every count that at least one of the integrations has.
  static func changes(from before: IntegrationRecord, to after: IntegrationRecord) -> [CountChange] {
    let (one, other) = (counts(of: before), counts(of: after))
    return Name.allCases.compactMap { name in
      one[name] == nil && other[name] == nil ? nil : CountChange(name, before: one[name], after: other[name])
    }
  }

  private static func counts(of document: IntegrationRecord) -> [Name: Int] {
    let issues = document.findings
    var counts: [Name: Int] = [:]
    if document.reasonWithoutTests == nil {
      let tests = document.tests.counts
      counts = [
        .red: tests.red, .listed: tests.listed, .passed: tests.passed, .expectedFailures: tests.expectedFailures,
        .skipped: tests.skipped, .notRun: tests.notRun, .canceled: tests.canceled, .flaky: tests.flaky,
        .filteredOut: tests.filteredOut,
      ]
    }
    if document.outcome.isConclusive {
      counts[.warnings] = issues.count(where: \.isCompilerWarning)
      counts[.analyzerWarnings] = issues.count { $0.kind == .analyzerWarning }
    }
    if let totals = document.coverage.totals {
      counts[.uncoveredLines] = totals.lines.uncovered
      counts[.coveredLines] = totals.lines.covered
      counts[.partialLines] = totals.lines.partial
      counts[.uncoveredRegions] = totals.regions.uncovered
      counts[.uncoveredFunctions] = totals.functions.uncovered
    }
    return counts
  }
}

extension StepChange {
  /// Returns every step that at least one of the integrations took, in the order of the steps.
  static func changes(from before: IntegrationRecord, to after: IntegrationRecord) -> [StepChange] {
    let (one, other) = (durations(of: before), durations(of: after))
    return Step.allCases.compactMap { step in
      one[step] == nil && other[step] == nil ? nil : StepChange(step, before: one[step], after: other[step])
    }
  }

  private static func durations(of document: IntegrationRecord) -> [Step: Double] {
    Dictionary(document.steps.map { ($0.name, $0.duration) }, uniquingKeysWith: +)
  }
}

extension IssueChanges {
  /// Matches the issues by their names; the rules of `IssueReach` decide which of them are gone.
  init(from before: IntegrationRecord, to after: IntegrationRecord) {
    let (old, open) = (before.issues.filter { $0.status != .resolved }, after.findings)
    let (known, present) = (Set(old.map(\.id)), Set(open.map(\.id)))
    let reach = IssueReach(of: after, towards: old)
    let told = Dictionary(after.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let fates = old.filter { !present.contains($0.id) }.map {
      issue -> (IntegrationRecord.FlatIssue, IssueReach.Fate) in
      if let told = told[issue.id] { return (issue, told.status == .resolved ? .resolved : .open) }
      return (issue, reach.fate(of: IssueRecord(new: Issue(issue), issue.id, in: before.number, predates: false)))
    }
    self.init(
      new: open.filter { !known.contains($0.id) }, gone: fates.filter { $0.1 == .resolved }.map(\.0),
      both: open.filter { known.contains($0.id) }, notReached: fates.filter { $0.1 == .open }.map(\.0))
  }
}

extension IssueReach {
  /// Derives how far an integration got from its document.
  ///
  /// - Parameter issues: the issues whose fate is to be decided.
  fileprivate init(of document: IntegrationRecord, towards issues: [IntegrationRecord.FlatIssue]) {
    guard document.outcome.isConclusive else {
      self = .void
      return
    }
    let reachedTests = document.reasonWithoutTests == nil
    let listed = reachedTests && !document.tests.source.isEmpty
    let gates = (document.gates ?? []).map { ($0.rule, $0.state) }
    self.init(
      built: reachedTests,
      tests: Dictionary(document.tests.cases.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
      listed: listed,
      // A document only counts the tests that were filtered out, so any unlisted test may be one of them.
      filteredOut: document.tests.filteredOut > 0 ? Set(issues.compactMap(\.test)) : [],
      flaky: Set(document.tests.cases.lazy.filter { $0.flaky == true }.map(\.id)),
      isolated: document.tests.isolation?.left == 0,
      // The document does not record which triggers ran; if none did, all may be waiting.
      waitingTriggers: document.steps.contains { $0.name == .afterTriggers }
        ? .named([]) : .allAfter,
      analyzed: document.steps.contains { $0.name == .analyzing },
      sanitized: (document.circumstances ?? []).contains { $0.name == "sanitize" } && !document.tests.isPartial,
      gates: listed ? Dictionary(gates, uniquingKeysWith: { first, _ in first }) : nil)
  }
}
