package import Model

/// The outcome of an integration, with its reasons.
package struct Verdict: Hashable, Sendable {
  package var outcome: Outcome
  package var reasons: [OutcomeReason]
  /// Whether gates are all that failed: no test did, nor anything outside the tests.
  package var onlyGatesFailed: Bool

  package init(_ outcome: Outcome, _ reasons: [OutcomeReason] = [], onlyGatesFailed: Bool = false) {
    self.outcome = outcome
    self.reasons = reasons
    self.onlyGatesFailed = onlyGatesFailed
  }
}

extension Verdict {
  /// The verdict of an earlier integration whose results are adopted.
  package init(adopting earlier: IntegrationRecord) {
    let codes = earlier.reasonCodes ?? []
    self.init(
      earlier.outcome,
      earlier.reasons.enumerated().map { index, reason in
        .adopted(reason, index < codes.count ? codes[index] : OutcomeReason.Code(""))
      }, onlyGatesFailed: earlier.onlyGatesFailed ?? false)
  }
}

extension Verdict {
  /// The facts about an integration that has been built and tested, or could not be.
  package struct Evidence: Sendable {
    package var built: Bool
    /// The last action that SwiftPM printed before it failed to resolve the dependencies, empty if it printed none; nil
    /// if it succeeded or was not asked.
    package var failedResolving: String?
    package var diagnostics: [Diagnostic]
    package var tests: TestReport
    /// What is missing from the proof that every listed test ran.
    package var gaps: [TestGap]
    /// The number of failures that a library recorded outside any test.
    package var failuresOutsideTests: Int
    /// The number of listed tests in a baseline with the same selection; nil without one.
    package var testsBefore: Int?
    /// Whether a test source was changed or removed since the baseline.
    package var testSourcesChanged: Bool
    /// The bot whose file says what is tested; nil for a run by hand.
    package var bot: String?
    /// Whether the package has a test target at all.
    package var hasTestTargets: Bool
    /// Whether the tests were narrowed by a filter.
    package var isFiltered: Bool
    /// The filters, and the skips, that match no listed test.
    package var unmatchedFilters: [String] = []
    package var unmatchedSkips: [String] = []
    /// The conditions on coverage that failed.
    package var failedGates: [GateResult] = []
    /// What the package's own `.martlet.yml` hides.
    package var omissions: [PackageOmission] = []
    /// The number of findings of the analyze action.
    package var analyzerWarnings = 0
    /// The issues found by this integration that people have silenced, and that therefore do not count. Carried-over
    /// issues are not included: they were not found, so there is nothing to discount.
    package var silenced: [Issue] = []
    /// Whether it is an omission if no tests are listed.
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
    if evidence.built, let only = evidence.tests.only, only.isPartial {
      // What is green says first how much that means; what is not says first why.
      verdict.reasons.insert(.onlyAffected(only), at: verdict.outcome.isGreen ? 0 : verdict.reasons.endIndex)
    }
    // Without a build, nothing would have been visible anyway.
    if evidence.built {
      verdict.reasons += evidence.omissions.map { .omission($0) }
      verdict.reasons += evidence.unmatchedSkips.map { .skipUnmatched($0) }
    }
    let quarantined = evidence.silenced.count { $0.silence?.isQuarantine == true }
    let silenced = evidence.silenced.count - quarantined
    if silenced > 0 { verdict.reasons.append(.silenced(silenced)) }
    if quarantined > 0 { verdict.reasons.append(.quarantined(quarantined)) }
    return verdict
  }

  private static func judged(_ evidence: Evidence) -> Verdict {
    if !evidence.built {
      let errors = evidence.diagnostics.count { $0.severity == .error }
      guard let last = evidence.failedResolving else {
        return Verdict(.buildErrors, [.buildFailed(.package, errors: errors)])
      }
      let hints = evidence.diagnostics.filter { $0.severity == .note }.map { OutcomeReason.hint($0.message) }
      return Verdict(.buildErrors, [.resolvingFailed(errors: errors, last: last)] + hints)
    }
    let counts = evidence.tests.counts
    let reports = evidence.tests.sanitizerReports
    let hasFailures = counts.red > 0 || evidence.failuresOutsideTests > 0 || !reports.isEmpty
    // If no filter matches, that is told in one sentence.
    let unmatched = counts.listed > 0 ? evidence.unmatchedFilters.map { OutcomeReason.filterUnmatched($0) } : []
    let gaps =
      (evidence.gaps.isEmpty ? missing(counts, evidence) : evidence.gaps.map { .gap($0) })
      + unmatched + unlisted(evidence.tests.unlisted) + uncalled(evidence.tests)
    let titles = evidence.tests.results.filter(\.isFlaky).map { $0.displayName ?? $0.id.name }
    let flaky: [OutcomeReason] = titles.isEmpty ? [] : [.testsFlaky(titles)]
    if hasFailures || !evidence.failedGates.isEmpty {
      // The cause of the red outcome comes first, because many places show only the first reason.
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
      if !evidence.hasTestTargets { return [.noTestTarget, .hintToOnlyBuild(bot: evidence.bot)] }
      return [
        evidence.isFiltered && counts.filteredOut > 0 ? .filterMatchesNothing(leftOut: counts.filteredOut) : .noTests
      ]
    }
    return counts.notRun > 0 ? [.testsNotRun(counts.notRun, listed: counts.listed)] : []
  }

  /// Returns the tests that their library reports as passed although the counters prove otherwise.
  private static func uncalled(_ report: TestReport) -> [OutcomeReason] {
    let uncalled = report.assertions?.uncalled ?? []
    return uncalled.isEmpty ? [] : [.testsUncalled(uncalled)]
  }

  /// Returns the declared tests that are in no list, grouped by cause.
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
    // Tests that the package's own file leaves out are reported by name.
    let known = counts.listed + evidence.omissions.filter { $0.code == .testsLeftOut }.reduce(0) { $0 + $1.names.count }
    if let before = evidence.testsBefore, known < before, !evidence.testSourcesChanged {
      reasons.append(.fewerTests(before - known))
    }
    return reasons
  }
}

extension Verdict {
  /// Returns the verdict after triggers have failed, which is never a plain success.
  package func adding(triggerFailures failures: [IssueFinder.OwnFinding]) -> Verdict {
    guard !failures.isEmpty else { return self }
    return Verdict(
      outcome == .succeeded ? .warnings : outcome,
      reasons + failures.map { .triggerFailed($0.subject, said: $0.sentence) }, onlyGatesFailed: onlyGatesFailed)
  }
}
