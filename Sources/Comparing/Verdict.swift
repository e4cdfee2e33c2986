package import Model

/// The outcome of an integration with what says why.
package struct Verdict: Hashable, Sendable {
  package var outcome: Outcome
  package var reasons: [OutcomeReason]
  /// Whether gates failed, and no test, nor anything outside of the tests.
  package var onlyGatesFailed: Bool

  package init(_ outcome: Outcome, _ reasons: [OutcomeReason] = [], onlyGatesFailed: Bool = false) {
    self.outcome = outcome
    self.reasons = reasons
    self.onlyGatesFailed = onlyGatesFailed
  }
}

extension Verdict {
  /// What is known when an integration has been built and tested, or could not be.
  package struct Evidence: Sendable {
    package var built: Bool
    /// What SwiftPM last said that it did when it could not resolve the dependencies, empty for nothing; nil where it
    /// could, or was not asked.
    package var failedResolving: String?
    package var diagnostics: [Diagnostic]
    package var tests: TestReport
    /// What is missing from the proof that every listed test ran.
    package var gaps: [TestGap]
    /// How many failures a library recorded outside every test.
    package var failuresOutsideTests: Int
    /// The number of listed tests of the baseline with the same selection; nil without one.
    package var testsBefore: Int?
    /// Whether a test source was changed or removed since the baseline.
    package var testSourcesChanged: Bool
    /// Whether the package has a test target at all.
    package var hasTestTargets: Bool
    /// Whether the tests were narrowed by a filter.
    package var isFiltered: Bool
    /// The conditions on coverage that failed.
    package var failedGates: [GateResult] = []
    /// What the package's own `.martlet.yml` takes out of sight.
    package var omissions: [PackageOmission] = []
    /// How many findings the analyze action has.
    package var analyzerWarnings = 0
    /// The issues that were found now and that a person has silenced; they do not count. One that is only carried over,
    /// because nothing was reached that could show it, has nothing to take away here.
    package var silenced: [Issue] = []
    /// Whether something is missing when no test is listed.
    package var expectsTests: Bool

    package init(
      built: Bool, diagnostics: [Diagnostic], tests: TestReport, gaps: [TestGap] = [],
      failuresOutsideTests: Int = 0, testsBefore: Int? = nil,
      testSourcesChanged: Bool = false, hasTestTargets: Bool = true, isFiltered: Bool = false,
      expectsTests: Bool = true
    ) {
      self.built = built
      self.diagnostics = diagnostics
      self.tests = tests
      self.gaps = gaps
      self.failuresOutsideTests = failuresOutsideTests
      self.testsBefore = testsBefore
      self.testSourcesChanged = testSourcesChanged
      self.hasTestTargets = hasTestTargets
      self.isFiltered = isFiltered
      self.expectsTests = expectsTests
    }
  }

  /// Returns the first outcome whose rule applies, in the order of the design.
  package static func of(_ evidence: Evidence) -> Verdict {
    var verdict = judged(evidence.withoutSilenced)
    // Without a build nothing would have been seen anyway.
    if evidence.built { verdict.reasons += evidence.omissions.map { .omission($0) } }
    if !evidence.silenced.isEmpty { verdict.reasons.append(.silenced(evidence.silenced.count)) }
    return verdict
  }

  private static func judged(_ evidence: Evidence) -> Verdict {
    if !evidence.built {
      let errors = evidence.diagnostics.count { $0.severity == .error }
      let reason = evidence.failedResolving.map { OutcomeReason.resolvingFailed(errors: errors, last: $0) }
      return Verdict(.buildErrors, [reason ?? .buildFailed(.package, errors: errors)])
    }
    let counts = evidence.tests.counts
    let reports = evidence.tests.sanitizerReports
    let hasFailures = counts.red > 0 || evidence.failuresOutsideTests > 0 || !reports.isEmpty
    let gaps =
      (evidence.gaps.isEmpty ? missing(counts, evidence) : evidence.gaps.map { .gap($0) })
      + unlisted(evidence.tests.unlisted) + uncalled(evidence.tests)
    let flaky: [OutcomeReason] = counts.flaky > 0 ? [.testsFlaky(counts.flaky)] : []
    if hasFailures || !evidence.failedGates.isEmpty {
      // What made it red comes first; many places tell the first reason only.
      let red: [OutcomeReason] =
        counts.red > 0
        ? [.testsRed(failed: counts.failed, crashed: counts.crashed, timedOut: counts.timedOut)] : []
      let gates = evidence.failedGates.map { OutcomeReason.gateFailed($0) }
      let reasons = red + reports.map { .sanitizerReport($0) } + (hasFailures ? gaps + gates : gates + gaps)
      return Verdict(.testFailures, reasons + flaky, onlyGatesFailed: !hasFailures)
    }
    if !gaps.isEmpty { return Verdict(.incomplete, gaps) }
    let warnings = warnings(counts, evidence, flaky)
    if evidence.analyzerWarnings > 0 {
      return Verdict(.analyzerWarnings, [.analyzerWarnings(evidence.analyzerWarnings)] + warnings)
    }
    return warnings.isEmpty ? Verdict(.succeeded) : Verdict(.warnings, warnings)
  }

  private static func missing(_ counts: TestCounts, _ evidence: Evidence) -> [OutcomeReason] {
    guard counts.listed > 0 else {
      if !evidence.expectsTests { return [] }
      if !evidence.hasTestTargets { return [.noTestTarget] }
      return [
        evidence.isFiltered && counts.filteredOut > 0 ? .filterMatchesNothing(leftOut: counts.filteredOut) : .noTests
      ]
    }
    let notRun: [OutcomeReason] = counts.notRun > 0 ? [.testsNotRun(counts.notRun, listed: counts.listed)] : []
    return notRun + (counts.canceled > 0 ? [.testsCanceled(counts.canceled, listed: counts.listed)] : [])
  }

  /// The tests that a library calls passed and of which the counters know better.
  private static func uncalled(_ report: TestReport) -> [OutcomeReason] {
    let uncalled = report.assertions?.uncalled ?? []
    return uncalled.isEmpty ? [] : [.testsUncalled(uncalled)]
  }

  /// The tests that are declared and in no list, those of one cause together.
  private static func unlisted(_ unlisted: [UnlistedTest]) -> [OutcomeReason] {
    let causes: [UnlistedTest.Cause] = [.notBuilt, .handWrittenList, .notListed]
    return causes.compactMap { cause in
      let all = unlisted.filter { $0.cause == cause }
      return all.isEmpty ? nil : .testsUnlisted(all, cause)
    }
  }

  private static func warnings(_ counts: TestCounts, _ evidence: Evidence, _ flaky: [OutcomeReason]) -> [OutcomeReason]
  {
    var reasons: [OutcomeReason] = []
    let warnings = evidence.diagnostics.count { $0.severity == .warning }
    if warnings > 0 { reasons.append(.compilerWarnings(warnings)) }
    let warning = evidence.tests.results.count { !$0.warnings.isEmpty }
    if warning > 0 { reasons.append(.testWarnings(warning)) }
    reasons += flaky
    let differing = evidence.tests.isolation?.differing.count ?? 0
    if differing > 0 { reasons.append(.orderDependent(differing)) }
    // Those that the package's own file leaves out are told by their names.
    let known = counts.listed + evidence.omissions.filter { $0.code == .testsLeftOut }.reduce(0) { $0 + $1.names.count }
    if let before = evidence.testsBefore, known < before, !evidence.testSourcesChanged {
      reasons.append(.fewerTests(before - known))
    }
    return reasons
  }
}

extension Verdict {
  /// The verdict when after-triggers have failed: never plain success any more.
  ///
  /// - Parameter failures: the triggers that failed.
  package func adding(triggerFailures failures: [IssueFinder.Told]) -> Verdict {
    guard !failures.isEmpty else { return self }
    return Verdict(
      outcome == .succeeded ? .warnings : outcome,
      reasons + failures.map { .triggerFailed($0.subject, said: $0.sentence) }, onlyGatesFailed: onlyGatesFailed)
  }
}
