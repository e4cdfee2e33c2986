extension Integration {
  /// Adopts the results of an earlier integration of the same commit, as far as its document tells them.
  ///
  /// What only its report tells, such as the lines that ran, stays there; the document of this integration repeats that
  /// one's results.
  ///
  /// - Parameter coverage: where the coverage is told.
  package mutating func adopt(_ earlier: IntegrationRecord, coverage: CoverageReport) {
    self.earlier = earlier
    toolchain = earlier.toolchain
    toolchainStamp = earlier.toolchainStamp
    configuration = earlier.configuration
    settings = earlier.settings ?? []
    circumstances = earlier.circumstances ?? []
    omissions = earlier.omissions ?? []
    diagnostics = earlier.compilerFindings
    tests = TestReport(earlier.tests)
    self.coverage = coverage
    gates = earlier.gates ?? []
    owedGates = earlier.owedGates ?? []
    practice = earlier.practice
    archive = earlier.archive ?? []
  }

  /// The number of the integration whose results these are; nil for results of its own.
  package var adoptedNumber: Int? { earlier.map { $0.destination?.adoptedFrom ?? $0.number } }
}

extension IntegrationRecord {
  /// Repeats the results of an earlier integration of the same commit, which were adopted.
  mutating func repeatResults(of earlier: IntegrationRecord) {
    tests = earlier.tests
    warnings = earlier.warnings
    analyzerWarnings = earlier.analyzerWarnings
    coverage = earlier.coverage
    coverageBaseline = earlier.coverageBaseline ?? earlier.baseline
    deltas = nil
  }

  /// The errors and warnings of the compiler, as far as they became issues.
  fileprivate var compilerFindings: [Diagnostic] {
    findings.compactMap { issue in
      guard issue.test == nil, issue.kind == .error || issue.kind == .warning else { return nil }
      let location = issue.file.map { SourceLocation(file: $0, line: issue.line ?? 0, column: issue.column) }
      return Diagnostic(
        severity: issue.kind == .error ? .error : .warning, message: issue.message, location: location)
    }
  }
}

extension TestReport {
  fileprivate init(_ tests: IntegrationRecord.Tests) {
    self.init(results: tests.cases.map(TestResult.init), filteredOut: tests.filteredOut)
    isolation = tests.isolation
    unlisted = tests.unlisted ?? []
    neverRun = tests.neverRun ?? []
    written = tests.written
    only = tests.only
  }
}

extension TestResult {
  fileprivate init(_ test: IntegrationRecord.Case) {
    self.init(
      id: test.id, library: test.library, state: test.state, duration: test.duration, displayName: test.displayName,
      tags: test.tags ?? [], location: test.file.map { SourceLocation(file: $0, line: test.line ?? 0) },
      isFlaky: test.flaky ?? false, failures: test.failures.map(TestFailure.init),
      knownIssues: (test.knownIssues ?? []).map(TestFailure.init), skipReason: test.skipReason,
      arguments: test.arguments?.map { argument in
        TestArgument(
          display: argument.display, state: argument.state, failures: argument.failures.map(TestFailure.init))
      }, attempts: test.attempts ?? [])
    suiteName = test.suiteName
    serialRun = test.serialRun
    warnings = (test.warnings ?? []).map(TestFailure.init)
    attachments = (test.attachments ?? []).map { path in
      TestAttachment(name: path.split(separator: "/").last.map(String.init) ?? path, path: path)
    }
    measurements = test.measurements ?? []
    bugs = test.bugs ?? []
    timeLimit = test.timeLimit
    waited = test.waited ?? 0
    quit = test.quit
    leftOut = test.leftOut
    isUnaffected = test.unaffected ?? false
  }
}

extension TestFailure {
  fileprivate init(_ failure: IntegrationRecord.Failure) {
    self.init(
      location: failure.file.map { SourceLocation(file: $0, line: failure.line ?? 0) }, message: failure.message)
  }
}
