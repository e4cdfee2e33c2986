package import Model

/// The outcome of an integration with the sentences that say why.
package struct Verdict: Hashable, Sendable {
  package var outcome: Outcome
  package var reasons: [String]
  /// Whether gates failed, and no test, nor anything outside of the tests.
  package var onlyGatesFailed: Bool

  package init(_ outcome: Outcome, _ reasons: [String] = [], onlyGatesFailed: Bool = false) {
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
    /// Sentences about what is missing from the proof that every listed test ran.
    package var gaps: [String]
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
      built: Bool, diagnostics: [Diagnostic], tests: TestReport, gaps: [String] = [],
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
    if evidence.built { verdict.reasons += evidence.omissions.map(\.sentence) }
    if let sentence = silenceSentence(evidence.silenced.count) { verdict.reasons.append(sentence) }
    return verdict
  }

  private static func judged(_ evidence: Evidence) -> Verdict {
    if !evidence.built {
      let errors = evidence.diagnostics.count { $0.severity == .error }
      if let last = evidence.failedResolving {
        return Verdict(.buildErrors, [failedResolving(errors: errors, last: last)])
      }
      return Verdict(.buildErrors, [failedBuild("The build", errors: errors, log: "build")])
    }
    let counts = evidence.tests.counts
    let reports = evidence.tests.sanitizerReports
    let hasFailures = counts.red > 0 || evidence.failuresOutsideTests > 0 || !reports.isEmpty
    let gaps =
      (evidence.gaps.isEmpty ? missing(counts, evidence) : evidence.gaps)
      + unlistedSentences(evidence.tests.unlisted) + uncalledSentences(evidence.tests)
    if hasFailures || !evidence.failedGates.isEmpty {
      // What made it red comes first.
      let loose = reports.map { "In no test that could be named, \($0.story)" }
      let gates = evidence.failedGates.map(\.message)
      let reasons = [redSentence(counts)].compactMap(\.self) + loose + (hasFailures ? gaps + gates : gates + gaps)
      let flaky = counts.flaky > 0 ? [flakySentence(counts)] : []
      return Verdict(.testFailures, reasons + flaky, onlyGatesFailed: !hasFailures)
    }
    if !gaps.isEmpty { return Verdict(.incomplete, gaps) }
    let warnings = warningSentences(counts, evidence)
    if evidence.analyzerWarnings > 0 {
      let number = evidence.analyzerWarnings
      return Verdict(.analyzerWarnings, ["The analyzer gave \(CountText.counted(number, "warning"))."] + warnings)
    }
    return warnings.isEmpty ? Verdict(.succeeded) : Verdict(.warnings, warnings)
  }

  /// Says that a build failed, and how many errors it gave.
  ///
  /// - Parameters:
  ///   - build: what was built, as the subject of the sentence.
  ///   - log: the log that holds what was printed.
  package static func failedBuild(_ build: String, errors: Int, log: String) -> String {
    switch errors {
    case 0: "\(build) failed without a message that could be read; the \(log) log has everything it printed."
    case 1: "\(build) failed with 1 error."
    default: "\(build) failed with \(errors) errors."
    }
  }

  /// SwiftPM's errors do not always name the address that it was at, which is what has to be looked at.
  private static func failedResolving(errors: Int, last: String) -> String {
    let log = "; the resolving log has everything that was printed"
    let count = errors == 0 ? log : ": \(CountText.counted(errors, "error"))"
    return "The dependencies could not be resolved\(count)\(last.isEmpty ? "" : ", after “\(last)”")."
  }

  /// One sentence, since many places tell the first reason only; nil where no test is red.
  private static func redSentence(_ counts: TestCounts) -> String? {
    let parts = [(counts.failed, "failed"), (counts.crashed, "crashed"), (counts.timedOut, "took too long")]
      .filter { $0.0 > 0 }.enumerated()
      .map { index, part in "\(index == 0 ? tests(part.0) : "\(part.0)") \(part.1)" }
    return parts.isEmpty ? nil : "\(CountText.list(parts))."
  }

  private static func flakySentence(_ counts: TestCounts) -> String {
    "\(tests(counts.flaky)) passed only after a failed attempt."
  }

  private static func missing(_ counts: TestCounts, _ evidence: Evidence) -> [String] {
    guard counts.listed > 0 else {
      if !evidence.expectsTests { return [] }
      if !evidence.hasTestTargets { return ["The package has no test target, so nothing was proved."] }
      let verb = counts.filteredOut == 1 ? "was" : "were"
      return [
        evidence.isFiltered && counts.filteredOut > 0
          ? "No test matches the filter; \(tests(counts.filteredOut)) \(verb) left out."
          : "The package's test targets hold no tests, so nothing was proved."
      ]
    }
    return [
      (counts.notRun, "did not run"), (counts.canceled, "canceled \(counts.canceled == 1 ? "itself" : "themselves")"),
    ]
    .filter { $0.0 > 0 }
    .map { number, verb in "\(number) of \(counts.listed) listed \(counts.listed == 1 ? "test" : "tests") \(verb)." }
  }

  /// How many tests a sentence names before it counts those that are left.
  private static let mostNamed = 10

  /// Says which tests a library calls passed that the counters know better.
  private static func uncalledSentences(_ report: TestReport) -> [String] {
    let uncalled = report.assertions?.uncalled ?? []
    guard !uncalled.isEmpty else { return [] }
    let what = uncalled.count == 1 ? "its function was never called" : "their functions were never called"
    let names = ShortList.text(uncalled.map { "\($0)" }, first: mostNamed)
    return ["\(tests(uncalled.count)) passed, but \(what): \(names)."]
  }

  /// Says which tests are declared and in no list, those of one cause together.
  private static func unlistedSentences(_ unlisted: [UnlistedTest]) -> [String] {
    let causes: [(UnlistedTest.Cause, String)] = [
      (.notBuilt, "declared in a target that was not built"), (.handWrittenList, "left out by Tests/LinuxMain.swift"),
      (.notListed, "declared, but not listed by the test program"),
    ]
    return causes.compactMap { cause, words in
      let all = unlisted.filter { $0.cause == cause }
      guard !all.isEmpty else { return nil }
      let names = ShortList.text(all.map { "\($0.name) (\($0.file):\($0.line))" }, first: mostNamed)
      return "\(tests(all.count)) did not run, \(words): \(names)."
    }
  }

  private static func warningSentences(_ counts: TestCounts, _ evidence: Evidence) -> [String] {
    var sentences: [String] = []
    let warnings = evidence.diagnostics.count { $0.severity == .warning }
    if warnings > 0 {
      sentences.append(warnings == 1 ? "The compiler gave 1 warning." : "The compiler gave \(warnings) warnings.")
    }
    let warning = evidence.tests.results.count { !$0.warnings.isEmpty }
    if warning > 0 { sentences.append("\(tests(warning)) recorded \(warning == 1 ? "a warning" : "warnings").") }
    if counts.flaky > 0 { sentences.append(flakySentence(counts)) }
    let differing = evidence.tests.isolation?.differing.count ?? 0
    if differing > 0 {
      sentences.append("\(tests(differing)) \(differing == 1 ? "ends" : "end") otherwise alone than with the others.")
    }
    // Those that the package's own file leaves out are told by their names.
    let known = counts.listed + evidence.omissions.filter { $0.code == .testsLeftOut }.reduce(0) { $0 + $1.names.count }
    if let before = evidence.testsBefore, known < before, !evidence.testSourcesChanged {
      sentences.append("\(tests(before - known)) fewer than before, and no test source was changed.")
    }
    return sentences
  }

  private static func silenceSentence(_ count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "1 issue is silenced and does not count."
    default: "\(count) issues are silenced and do not count."
    }
  }

  private static func tests(_ number: Int) -> String {
    CountText.counted(number, "test")
  }
}

extension Verdict {
  /// The verdict when after-triggers have failed: never plain success any more.
  ///
  /// - Parameter failures: sentences about the triggers that failed.
  package func adding(triggerFailures failures: [String]) -> Verdict {
    guard !failures.isEmpty else { return self }
    return Verdict(outcome == .succeeded ? .warnings : outcome, reasons + failures, onlyGatesFailed: onlyGatesFailed)
  }
}
