import FoundationEssentials
import Model

extension Connection {
  /// What `entry(_:)` and `summary(_:)` read, in the order in which they read it.
  private static let columns = """
    entries.id, bots.name, entries.ref, entries.commit_id, entries.cause, entries.attempt, entries.queued_at,
    entries.state, entries.number, entries.started_at, entries.reason, entries.cancel_reason, entries.is_pinned,
    entries.is_removed, entries.outcome, entries.ended_at, entries.passed, entries.failed, entries.expected_failures,
    entries.skipped, entries.crashed, entries.timed_out, entries.canceled, entries.not_run, entries.filtered_out,
    entries.flaky, entries.lines, entries.covered_lines, entries.partial_lines, entries.regions,
    entries.covered_regions, entries.functions, entries.covered_functions, entries.is_coverage_complete,
    entries.warnings, entries.bytes, entries.only_gates_failed
    """

  /// Reads entries with all they hold; `rest` is what follows `FROM entries JOIN bots` in the query.
  mutating func history(
    _ rest: String, _ values: [SQLValue], _ what: String
  ) throws(StoringError) -> [HistoryEntry] {
    var found = try rows(
      "SELECT \(Self.columns) FROM entries JOIN bots ON bots.id = entries.bot \(rest)", values, what, Self.entry)
    for index in found.indices {
      let covered = try rows(
        "SELECT commit_id FROM covered WHERE entry = ? ORDER BY position", [.integer(found[index].entry.id)], what
      ) { CommitID(rawValue: $0.text(0)) }
      found[index].entry.assignment.covered = covered
    }
    return found
  }

  private static func entry(_ row: borrowing Row) -> HistoryEntry {
    let ref = row.text(2)
    let assignment = Assignment(
      bot: row.text(1), ref: ref.isEmpty ? nil : RefName(rawValue: ref), commit: CommitID(rawValue: row.text(3)),
      cause: Cause(rawValue: row.text(4)) ?? .commit, queuedAt: Date(timeIntervalSince1970: row.real(6)),
      attempt: row.integer(5))
    let entry = QueueEntry(
      id: row.integer(0), assignment: assignment, state: QueueEntry.State(rawValue: row.text(7)) ?? .superseded,
      number: row.optionalInteger(8), startedAt: row.optionalReal(9).map { Date(timeIntervalSince1970: $0) },
      reason: row.optionalText(10), cancelReason: row.optionalText(11))
    return HistoryEntry(
      entry: entry, summary: summary(row), isPinned: row.integer(12) != 0, isRemoved: row.integer(13) != 0)
  }

  private static func summary(_ row: borrowing Row) -> IntegrationSummary? {
    guard let outcome = row.optionalText(14).map({ Outcome(rawValue: $0) ?? .internalError }) else { return nil }
    var tests = TestCounts()
    tests.passed = row.integer(16)
    tests.failed = row.integer(17)
    tests.expectedFailures = row.integer(18)
    tests.skipped = row.integer(19)
    tests.crashed = row.integer(20)
    tests.timedOut = row.integer(21)
    tests.canceled = row.integer(22)
    tests.notRun = row.integer(23)
    tests.filteredOut = row.integer(24)
    tests.flaky = row.integer(25)
    let coverage = CoverageTotals(
      lines: LineTally(total: row.integer(26), covered: row.integer(27), partial: row.integer(28)),
      regions: Tally(total: row.integer(29), covered: row.integer(30)),
      functions: Tally(total: row.integer(31), covered: row.integer(32)))
    return IntegrationSummary(
      outcome: outcome, reason: row.optionalText(10), onlyGatesFailed: row.integer(36) != 0,
      endedAt: Date(timeIntervalSince1970: row.real(15)), tests: tests, coverage: row.isNull(26) ? nil : coverage,
      isCoverageComplete: row.integer(33) != 0, warnings: row.integer(34), bytes: row.integer(35))
  }
}
