extension Baseline {
  /// Creates a baseline from the document of an earlier integration.
  package init(_ document: IntegrationRecord) {
    // Incomplete counters are no basis for a comparison, nor is a part of the tests: what they lack would seem to be gained
    // by the next integration.
    let coverage = document.coverage.complete && document.tests.counts.isWhole ? document.coverage : nil
    let files = (coverage?.files ?? []).map { file in
      let totals = CoverageTotals(
        lines: file.lines, regions: file.regions, functions: file.functions, branches: file.branches)
      return (file.path, totals)
    }
    self.init(
      number: document.number, branch: document.branch, commit: document.commit.id, outcome: document.ownOutcome,
      tests: document.tests.counts, totals: coverage?.totals,
      files: Dictionary(files, uniquingKeysWith: { first, _ in first }),
      duration: document.duration, warnings: document.warnings ?? document.issues.count(where: \.isCompilerWarning),
      states: Dictionary(
        document.tests.cases.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
      issues: document.issues.filter { !$0.status.isOver }.map(Issue.init))
    if let destination = document.destination {
      combinedOutcome = document.outcome
      // What was adopted has its pages elsewhere.
      cell = destination.leads || destination.adoptedFrom != nil ? nil : destination.name
    }
    targets = Dictionary(
      (coverage?.files ?? []).map { ($0.path, $0.target) }, uniquingKeysWith: { first, _ in first })
    exclusions = document.coverage.excluded ?? []
    toolchain = document.toolchain
    toolchainMark = document.toolchainMark
    quits = Set(document.tests.cases.lazy.filter { $0.quit != nil }.map(\.id))
    isWarm = document.steps.isBuildWarm
    stepDurations = Dictionary(document.steps.busy.map { ($0.name, $0.duration) }, uniquingKeysWith: +)
    findings = BaselineFindings(document)
  }
}

extension Issue {
  /// Creates an issue from the document of an earlier integration.
  package init(_ flat: IntegrationRecord.FlatIssue) {
    self.init(
      id: flat.id, kind: flat.kind, status: flat.status, message: flat.message,
      location: flat.file.map { SourceLocation(file: $0, line: flat.line ?? 0, column: flat.column) }, age: flat.age,
      test: flat.test)
    findings = flat.findings ?? []
    subject = flat.knownSubject
    isCarriedOver = flat.carriedOver ?? false
    passedOnRetry = flat.passedOnRetry ?? false
    ending = flat.ending
    life = flat.life
    suspects = (flat.suspects ?? []).named
    silence = flat.silence
    endedSilence = flat.endedSilence
    isKnownFlaky = flat.knownFlaky == true
    destinations = flat.destinations ?? []
    elsewhere = (flat.elsewhere ?? []).map { Issue($0) }
  }
}

extension IntegrationRecord.FlatIssue {
  /// Whether this is an existing compiler warning; warnings of tests are counted with the tests.
  package var isCompilerWarning: Bool { kind == .warning && test == nil && !status.isOver }
}
