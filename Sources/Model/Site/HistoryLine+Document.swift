extension HistoryLine {
  /// The line of an integration of which only the summary document is left.
  package init(of document: IntegrationDocument) {
    number = document.number
    branch = document.branch
    tag = document.tag
    commit = document.commit.id
    subject = document.commit.summary
    author = document.commit.author
    commitCount = document.commits.count
    cause = document.cause
    outcome = document.outcome
    reasons = document.reasons
    // A line that is made again is never older than this.
    onlyGatesFailed = document.outcome == .testFailures ? document.isFailedGate : nil
    startedAt = document.startedAt
    endedAt = document.endedAt
    toolchain = document.toolchain
    tests = document.tests.counts
    warnings = document.warnings ?? document.issues.count(where: \.isCompilerWarning)
    openIssues = document.issues.count(where: \.status.isOpen)
    newIssues = document.issues.count { $0.status == .new }
    silencedIssues = document.issues.count { $0.status == .silenced }
    lines = document.coverage.totals?.lines
    baseline = document.baseline
    let changes = document.deltas?.tests
    listedChange = changes.map { $0["listed", default: 0] }
    redChange = changes.map { $0["failed", default: 0] + $0["crashed", default: 0] + $0["timedOut", default: 0] }
    uncoveredChange = document.deltas?.lines.map { $0.total - $0.covered }
    rhythm = document.rhythm
    ranChange = document.deltas?.lines.map(\.covered)
  }
}
