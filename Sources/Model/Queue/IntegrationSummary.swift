package import FoundationEssentials

/// The figures of a finished integration that lists, plots and decisions need.
package struct IntegrationSummary: Hashable, Sendable, Codable {
  package var outcome: Outcome
  /// The integration's reasons for its outcome, as sentences; nil for none.
  package var reason: String?
  /// Whether only gates failed.
  package var onlyGatesFailed: Bool
  package var endedAt: Date
  package var tests: TestCounts
  /// Nil if there is no coverage.
  package var coverage: CoverageTotals?
  package var isCoverageComplete: Bool
  /// The number of compiler warnings.
  package var warnings: Int
  /// The disk space used by the integration's files.
  package var bytes: Int
  /// Whether the integration was interrupted, and only its end was recorded; not kept in any store.
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

/// The end of an integration, without any details.
package struct IntegrationEnd: BranchResult, Hashable {
  package let number: Int
  /// The integrated branch or tag; an empty name for a commit that was requested individually.
  package let ref: RefName
  package let outcome: Outcome
  package let endedAt: Date
  package let isOneOff: Bool
  package let isOfOtherPackage: Bool

  package init(
    number: Int, ref: RefName, outcome: Outcome, endedAt: Date, isOneOff: Bool = false, isOfOtherPackage: Bool = false
  ) {
    self.number = number
    self.ref = ref
    self.outcome = outcome
    self.endedAt = endedAt
    self.isOneOff = isOneOff
    self.isOfOtherPackage = isOfOtherPackage
  }

  package var branch: String? { ref.branch }
  package var tag: String? { ref.tag }
}

/// One line of a bot's history.
package struct HistoryEntry: Hashable, Sendable {
  package var entry: QueueEntry
  /// Nil unless the integration has finished.
  package var summary: IntegrationSummary?
  /// Whether the integration is never removed to make room.
  package var isPinned: Bool

  /// The file in the folder of a bot's integrations that lists the pinned ones, one number a line, in case the database
  /// is lost.
  package static let pinsFile = "pinned"

  package init(entry: QueueEntry, summary: IntegrationSummary?, isPinned: Bool = false) {
    self.entry = entry
    self.summary = summary
    self.isPinned = isPinned
  }
}

extension IntegrationSummary {
  /// Creates a summary from the figures in a summary document.
  /// - Parameter bytes: the disk space used by the integration's files.
  package init(of document: IntegrationRecord, bytes: Int = 0) {
    self.init(
      outcome: document.outcome, reason: document.reasonText, onlyGatesFailed: document.isFailedGate,
      endedAt: document.endedAt, tests: document.tests.counts,
      coverage: document.coverage.totals, isCoverageComplete: document.coverage.complete,
      warnings: document.warnings ?? document.issues.count(where: \.isCompilerWarning), bytes: bytes)
    wasClosed = document.reasonCodes?.first == .closed
  }
}

extension HistoryEntry {
  /// Creates the line from a summary document.
  /// - Parameters:
  ///   - bot: the bot, which may have another name by now.
  ///   - bytes: the disk space used by the integration's files.
  package init(of document: IntegrationRecord, bot: String, bytes: Int, isPinned: Bool) {
    let assignment = Assignment(
      bot: bot,
      ref: document.tag.map(RefName.init(tag:)) ?? document.branch.map(RefName.init(branch:)),
      commit: document.commit.id, covered: document.commits.map(\.id).nonEmpty, cause: document.cause,
      queuedAt: document.queuedAt)
    self.init(
      entry: QueueEntry(
        id: 0, assignment: assignment, state: .finished, number: document.number, startedAt: document.startedAt),
      summary: IntegrationSummary(of: document, bytes: bytes), isPinned: isPinned)
  }
}

extension IntegrationRecord {
  /// The reasons without hints, which explain no outcome.
  fileprivate var reasonText: String? {
    let told = zip(reasons, knownReasonCodes).filter { $1 != .hint }.map(\.0)
    return told.nonEmpty?.joined(separator: " ")
  }
}
