extension Baseline {
  /// What a later integration needs of the one that this document describes.
  package init(_ document: IntegrationDocument) {
    let files = (document.coverage.files ?? []).map { file in
      (file.path, CoverageTotals(lines: file.lines, regions: file.regions, functions: file.functions))
    }
    self.init(
      number: document.number, commit: document.commit.id, outcome: document.outcome, tests: document.tests.counts,
      totals: document.coverage.totals, files: Dictionary(files, uniquingKeysWith: { first, _ in first }),
      duration: document.duration, warnings: document.warnings ?? document.issues.count(where: \.isCompilerWarning),
      states: Dictionary(
        document.tests.cases.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first }),
      issues: document.issues.filter { $0.status != .resolved }.map(Issue.init))
    exclusions = document.coverage.excluded ?? []
    toolchain = document.toolchain
    findings = BaselineFindings(document)
  }
}

extension Issue {
  /// The issue as an earlier integration's document has it.
  package init(_ flat: IntegrationDocument.FlatIssue) {
    self.init(
      id: flat.id, kind: flat.kind, status: flat.status, message: flat.message,
      location: flat.file.map { SourceLocation(file: $0, line: flat.line ?? 0, column: flat.column) }, age: flat.age,
      test: flat.test)
    life = flat.life
    suspects = flat.suspects ?? []
    silence = flat.silence
    endedSilence = flat.endedSilence
  }
}

extension IntegrationDocument.FlatIssue {
  /// Warnings of tests are counted with the tests.
  fileprivate var isCompilerWarning: Bool { kind == .warning && test == nil && status != .resolved }
}
