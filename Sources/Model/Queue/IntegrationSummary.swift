package import FoundationEssentials

/// The figures of a finished integration that lists, plots and decisions need.
package struct IntegrationSummary: Hashable, Sendable, Codable {
  package var outcome: Outcome
  /// Why the outcome is what it is; the first of the integration's reasons.
  package var reason: String?
  /// Whether nothing but gates failed.
  package var onlyGatesFailed: Bool
  package var endedAt: Date
  package var tests: TestCounts
  /// Nil when there is no coverage.
  package var coverage: CoverageTotals?
  package var isCoverageComplete: Bool
  /// Compiler warnings.
  package var warnings: Int
  /// What its files take on the disk.
  package var bytes: Int
  /// Whether it was cut off, and nothing but its end was written down; no store keeps this.
  package var wasClosed = false

  package init(
    outcome: Outcome, reason: String? = nil, onlyGatesFailed: Bool = false, endedAt: Date,
    tests: TestCounts = TestCounts(), coverage: CoverageTotals? = nil, isCoverageComplete: Bool = true,
    warnings: Int = 0, bytes: Int = 0
  ) {
    self.outcome = outcome
    self.reason = reason
    self.onlyGatesFailed = onlyGatesFailed
    self.endedAt = endedAt
    self.tests = tests
    self.coverage = coverage
    self.isCoverageComplete = isCoverageComplete
    self.warnings = warnings
    self.bytes = bytes
  }
}

/// How an integration ended, and nothing else of it.
package struct IntegrationEnd: BranchResult, Hashable {
  package let number: Int
  /// What it was of; an empty name for a commit that was asked for by itself.
  package let ref: RefName
  package let outcome: Outcome
  package let endedAt: Date

  package init(number: Int, ref: RefName, outcome: Outcome, endedAt: Date) {
    self.number = number
    self.ref = ref
    self.outcome = outcome
    self.endedAt = endedAt
  }

  package var branch: String? { ref.branch }
}

/// One line of a bot's history.
package struct HistoryEntry: Hashable, Sendable {
  package var entry: QueueEntry
  /// Nil unless it has finished.
  package var summary: IntegrationSummary?
  /// Never removed to make room.
  package var isPinned: Bool
  /// Whether its files were removed to make room.
  package var isRemoved: Bool

  package init(entry: QueueEntry, summary: IntegrationSummary?, isPinned: Bool = false, isRemoved: Bool = false) {
    self.entry = entry
    self.summary = summary
    self.isPinned = isPinned
    self.isRemoved = isRemoved
  }
}

extension IntegrationSummary {
  /// The figures that a summary document holds.
  /// - Parameter bytes: what the integration's files take on the disk.
  package init(of document: IntegrationRecord, bytes: Int = 0) {
    self.init(
      outcome: document.outcome, reason: document.reasons.first, onlyGatesFailed: document.isFailedGate,
      endedAt: document.endedAt, tests: document.tests.counts,
      coverage: document.coverage.totals, isCoverageComplete: document.coverage.complete,
      warnings: document.warnings ?? document.issues.count(where: \.isCompilerWarning), bytes: bytes)
    wasClosed = document.reasonCodes?.first == .closed
  }
}
