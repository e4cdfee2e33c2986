/// Signed changes of an integration's figures against its baseline.
package struct Deltas: Hashable, Sendable {
  /// A change for each count of tests, including `listed`.
  package struct Tests: Hashable, Sendable {
    /// The changes by the names used in the summary document.
    package var byName: [String: Int]

    package init(from old: TestCounts, to new: TestCounts) {
      byName = [
        "listed": new.listed - old.listed, "passed": new.passed - old.passed, "failed": new.failed - old.failed,
        "expectedFailures": new.expectedFailures - old.expectedFailures, "skipped": new.skipped - old.skipped,
        "crashed": new.crashed - old.crashed, "timedOut": new.timedOut - old.timedOut,
        "canceled": new.canceled - old.canceled, "notRun": new.notRun - old.notRun,
        "filteredOut": new.filteredOut - old.filteredOut, "flaky": new.flaky - old.flaky,
      ]
      if new.quit != old.quit { byName["quit"] = new.quit - old.quit }
    }

    package var listed: Int { byName["listed", default: 0] }
    /// The change of failed, crashed and timed-out tests together.
    package var red: Int {
      byName["failed", default: 0] + byName["crashed", default: 0] + byName["timedOut", default: 0]
    }
  }

  /// Nil if one of the two integrations did not reach its tests, which is different from having run none.
  package var tests: Tests?
  /// Nil if one of the two integrations has no coverage, or incomplete coverage, or if tests did not run.
  package var coverage: CoverageTotals?
  /// Nil if one of the two integrations did not build.
  package var warnings: Int?
  /// The warnings of the analyze action; nil, like the four below, if unknown for one of the two integrations.
  package var analyzerWarnings: Int?
  /// The warnings that tests recorded.
  package var testWarnings: Int?
  /// Tests that end differently alone.
  package var orderDependent: Int?
  package var slowTests: Int?
  /// Methods that look like tests but that XCTest never runs.
  package var neverRun: Int?
  /// Shown practice hints that ask for a look; nil also if different hints were switched off.
  package var hints: Int?
  /// Issues that are new or unresolved.
  package var openIssues = 0
  /// The files whose coverage changed, by path; one that is newly counted or no longer counted changes by all of its
  /// figures. Empty if one of the two integrations has no coverage.
  package var files: [String: CoverageTotals] = [:]
  /// In seconds, also of builds of different kinds.
  package var duration: Double
}

extension CoverageTotals {
  /// Returns the signed change from one set of totals to another.
  package static func - (new: CoverageTotals, old: CoverageTotals) -> CoverageTotals {
    CoverageTotals(
      lines: new.lines - old.lines, regions: new.regions - old.regions, functions: new.functions - old.functions,
      // Branches that were not counted before have not been added since.
      branches: new.branches.flatMap { new in old.branches.map { new - $0 } })
  }

  /// Whether each of the changes is zero.
  fileprivate var isNothing: Bool {
    var changes = self
    if changes.branches == Tally() { changes.branches = nil }
    return changes == CoverageTotals()
  }
}

extension Integration {
  /// The changes against the baseline; nil without one.
  package var deltas: Deltas? {
    guard let baseline else { return nil }
    // With incomplete counters, and without some of the tests, the changes are unknown.
    let totals = coverageOfTests.coverage.flatMap { $0.isWhole ? $0.totals : nil }
    var deltas = Deltas(
      tests: reachedTests.flatMap { new in baseline.reachedTests.map { Deltas.Tests(from: $0, to: new) } },
      coverage: totals.flatMap { new in baseline.totals.map { new - $0 } },
      warnings: ownOutcome.isBuilt ? baseline.builtWarnings.map { warningCount - $0 } : nil,
      duration: duration - baseline.duration
    )
    let findings = BaselineFindings(self)
    deltas.analyzerWarnings = findings.change(\.analyzerWarnings, from: baseline.findings)
    deltas.testWarnings = findings.change(\.testWarnings, from: baseline.findings)
    deltas.orderDependent = findings.change(\.orderDependent, from: baseline.findings)
    deltas.slowTests = findings.slowChange(from: baseline.findings)
    deltas.neverRun = findings.change(\.neverRun, from: baseline.findings)
    deltas.hints = findings.change(\.hints, from: baseline.findings)
    deltas.openIssues = issues.count(where: \.status.isOpen) - baseline.issues.count(where: \.status.isOpen)
    if deltas.coverage != nil { deltas.files = fileDeltas(from: baseline) }
    return deltas
  }

  /// The counts of the tests; nil if the integration did not reach them, or was not asked for any.
  package var reachedTests: TestCounts? {
    let wereRun = steps.contains { $0.name == .testing } || steps.isEmpty
    return ownOutcome.isBuilt && wereRun || !tests.results.isEmpty ? tests.counts : nil
  }

  /// The baseline for counts; nil if the integration stopped early, since its counts cannot be compared.
  package var comparable: Baseline? { outcome.isOfAllSteps ? baseline : nil }

  /// The baseline for times; nil if either integration stopped early, since their times cannot be compared.
  package var timed: Baseline? { comparable.flatMap { $0.outcome.isOfAllSteps ? $0 : nil } }

  /// The baseline for times that include a build: incremental and clean builds are only compared with their own kind.
  package var builtAlike: Baseline? {
    timed.flatMap { $0.isWarm != nil && $0.isWarm == steps.isBuildWarm ? $0 : nil }
  }

  /// The coverage that knows whether tests are missing to it.
  package var coverageOfTests: CoverageReport {
    guard case .available(var known) = coverage, !tests.counts.isWhole else { return coverage }
    known.testsMissing = tests.counts
    return .available(known)
  }

  private func fileDeltas(from baseline: Baseline) -> [String: CoverageTotals] {
    var changes = baseline.files.mapValues { CoverageTotals() - $0 }
    for file in coverage.coverage?.files ?? [] {
      changes[file.path] = file.totals - (baseline.files[file.path] ?? CoverageTotals())
    }
    return changes.filter { !$0.value.isNothing }
  }

  /// The number of compiler warnings.
  package var warningCount: Int { diagnostics.count { $0.severity == .warning } }
}

extension Outcome {
  fileprivate var isOfAllSteps: Bool {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings, .testFailures: true
    default: false
    }
  }
}
