package import Model

extension IntegrationComparison {
  /// Compares two integrations by their documents, and the tests of each destination with those that it had.
  ///
  /// - Parameters:
  ///   - coverage: the coverage of the second integration, compared with that of the first by lines, or why it was not
  ///     compared.
  ///   - files: returns the coverage of a counted file of the second integration, given its path.
  ///   - silent: returns those of a file's lines in the second integration that hold only comments or spaces.
  ///   - earlier: integrations before the second, which show how long each test usually takes.
  ///   - commits: the commits between the first integration's commit and the second's.
  package init(
    from before: IntegrationRecord, to after: IntegrationRecord, coverage: Answer<CoverageComparison>,
    files: (String) -> FileCoverage? = { _ in nil },
    silent: (_ path: String, _ lines: [Int]) -> Set<Int> = { _, _ in [] }, earlier: [TestVerdicts] = [],
    commits: CommitsBetween
  ) {
    var sides = CoverageSides(from: before, to: after, comparison: coverage, coverage: files, silent: silent)
    sides.leftOut = coverage.value.flatMap { $0.leftOut.isEmpty ? nil : $0.leftOut }
    let was = before.counterpart(of: after)
    self.init(
      before: Side(before), after: Side(after), circumstances: CircumstanceChange.changes(from: was, to: after),
      counts: .changes(from: before.knownCounts(withTestsOf: was), to: after.knownCounts(withTestsOf: after)),
      steps: .changes(from: was.durations, to: after.durations),
      tests: TestChanges(from: was, to: after, earlier: earlier), issues: IssueChanges(from: before, to: after),
      coverage: sides, commits: commits)
    destinations = DestinationTests.all(from: before, to: after).nonEmpty
  }
}

extension IntegrationComparison.DestinationTests {
  fileprivate static func all(from before: IntegrationRecord, to after: IntegrationRecord) -> [Self] {
    guard before.cells != nil else { return [] }
    return (after.cells ?? []).compactMap { cell in
      guard let name = cell.destination?.name, let was = before.result(for: name) else { return nil }
      let tests = TestChanges(from: was, to: cell, earlier: [])
      return tests.reason == nil ? Self(name, tests) : nil
    }
  }
}

extension IntegrationRecord {
  /// Returns what a whole integration came to for the destination that leads another one.
  fileprivate func counterpart(of other: IntegrationRecord) -> IntegrationRecord {
    guard cells != nil, other.cells != nil, let name = other.destination?.name else { return self }
    return result(for: name) ?? self
  }
}

extension IntegrationRecord {
  /// Why the integration says nothing about the tests; nil if it reached them.
  var reasonWithoutTests: String? {
    switch ownOutcome {
    case .succeeded, .warnings, .analyzerWarnings, .testFailures, .incomplete: nil
    case .buildErrors: "The tests of \(bot) \(number) were not reached, because it did not build."
    case .checkoutError: "The tests of \(bot) \(number) did not run: checkout error."
    case .canceled: "Not all tests of \(bot) \(number) are known: canceled."
    case .triggerError: "Not all tests of \(bot) \(number) are known: trigger error."
    case .internalError: "Not all tests of \(bot) \(number) are known: internal error."
    }
  }
}

extension Array {
  /// Returns what at least one of two integrations has, in the order of the names.
  fileprivate static func changes<Name: CaseIterable, Value>(from before: [Name: Value], to after: [Name: Value])
    -> Self
  where Element == Change<Name, Value> {
    Name.allCases.filter { before[$0] != nil || after[$0] != nil }
      .map { Change($0, before: before[$0], after: after[$0]) }
  }
}

extension IntegrationRecord {
  fileprivate var durations: [Step: Double] {
    Dictionary(steps.busy.map { ($0.name, $0.duration) }, uniquingKeysWith: +)
  }

  fileprivate func knownCounts(withTestsOf cell: IntegrationRecord) -> [CountName: Int] {
    let issues = findings
    var counts: [CountName: Int] = [:]
    if cell.reasonWithoutTests == nil {
      let tests = cell.tests.counts
      counts = [
        .red: cell.countingRed, .listed: tests.listed, .passed: tests.passed, .expectedFailures: tests.expectedFailures,
        .skipped: tests.skipped, .notRun: tests.notRun, .canceled: tests.canceled, .flaky: tests.flaky,
        .filteredOut: tests.filteredOut,
      ]
    }
    // Not everything was compiled where the build failed.
    if outcome.isBuilt {
      counts[.warnings] = issues.count(where: \.isCompilerWarning)
      counts[.analyzerWarnings] = issues.count { $0.kind == .analyzerWarning }
    }
    // Those that did not run may run any line.
    if let totals = coverage.totals, tests.counts.isWhole {
      counts[.uncoveredLines] = totals.lines.uncovered
      counts[.coveredLines] = totals.lines.covered
      counts[.partialLines] = totals.lines.partial
      counts[.uncoveredRegions] = totals.regions.uncovered
      counts[.uncoveredFunctions] = totals.functions.uncovered
    }
    return counts
  }
}

extension IssueChanges {
  /// Matches the issues by their names; the rules of `IssueReach` decide which of them are gone.
  init(from before: IntegrationRecord, to after: IntegrationRecord) {
    let (old, open) = (before.issues.filter { !$0.status.isOver }, after.findings.map { $0.named(in: after) })
    let (known, present) = (Set(old.map(\.id)), Set(open.map(\.id)))
    let reach = IssueReach(of: after, towards: old)
    let unseen = Set(old.filter { $0.carriedOver == true && $0.passedOnRetry != true }.map(\.id))
    let told = after.issues.keyed(by: \.id)
    let fates = old.filter { !present.contains($0.id) }.map {
      issue -> (IntegrationRecord.FlatIssue, IssueReach.Fate) in
      if let told = told[issue.id] {
        return (
          issue, told.status == .resolved ? .resolved(told.ending) : told.passedOnRetry == true ? .retried : .open
        )
      }
      return (issue, reach.fate(of: IssueRecord(issue, in: before.number)))
    }
    let gone = fates.compactMap { issue, fate in fate.resolving(issue) }
    let added = open.filter { !known.contains($0.id) }
    let reachBefore = IssueReach(of: before, towards: added)
    let late = added.filter { issue in
      issue.kind.isOfCode && reachBefore.fate(of: IssueRecord(issue, in: after.number)) == .open
    }
    let missed = Set(late.map(\.id))
    let counting = Set(old.filter { $0.status != .silenced }.map(\.id))
    self.init(
      new: added.filter { !missed.contains($0.id) }, gone: gone.filter { !unseen.contains($0.id) },
      both: open.filter { known.contains($0.id) } + fates.filter { $0.1 == .retried }.compactMap { told[$0.0.id] },
      notReached: fates.filter { [.open, .dropped].contains($0.1) }.map(\.0),
      notReachedBefore: late + gone.filter { unseen.contains($0.id) }.map(\.resolved),
      silenced: open.filter { $0.status == .silenced && counting.contains($0.id) }.nonEmpty)
  }
}

extension IssueReach.Fate {
  /// Returns an issue with the way in which it went; nil if it is not gone.
  fileprivate func resolving(_ issue: IntegrationRecord.FlatIssue) -> IntegrationRecord.FlatIssue? {
    guard case .resolved(let ending) = self else { return nil }
    var gone = issue
    gone.ending = ending
    return gone
  }
}

extension IntegrationRecord.FlatIssue {
  /// Returns the issue with whoever is remembered to have caused it, if nobody is suspected of it now.
  fileprivate func named(in document: IntegrationRecord) -> Self {
    guard suspects?.isEmpty != false, let suspect = document.suspect(of: Issue(self)) else { return self }
    var issue = self
    issue.suspects = [suspect]
    return issue
  }

  fileprivate var resolved: Self {
    var issue = self
    issue.status = .resolved
    return issue
  }
}

extension IssueRecord {
  fileprivate init(_ issue: IntegrationRecord.FlatIssue, in number: Int) {
    self.init(new: Issue(issue), issue.id, in: number, predates: false)
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
    // An issue may be of any destination.
    let reachedTests = document.outcome.isBuilt
    let listed = reachedTests && !document.tests.source.isEmpty
    self.init(
      built: reachedTests,
      tests: document.tests.cases.keyed(by: \.id, \.state),
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
      gates: listed ? (document.gates ?? []).keyed(by: \.rule, \.state) : nil)
    mayLackTests = document.mayLackTests
    unsteady = Set(document.tests.isolation?.unsteady ?? [])
  }
}
