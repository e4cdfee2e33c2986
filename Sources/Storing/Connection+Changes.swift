import FoundationEssentials
import Model

extension Connection {
  /// Makes changes in order, inside a transaction; says which entries were queued.
  mutating func make(_ changes: [QueueChange], of name: String) throws(StoringError) -> [QueueEntry.ID] {
    guard !changes.isEmpty else { return [] }
    let what = "write a decision down"
    let bot = try identity(ofBot: name, what)
    var queued: [QueueEntry.ID] = []
    for change in changes {
      switch change {
      case .queue(let assignment):
        queued.append(try insert(assignment, of: bot, as: .pending, reason: nil, what))
      case .skip(let assignment, let reason):
        _ = try insert(assignment, of: bot, as: .skipped, reason: reason, what)
      case .extend(let id, let commit, let covered): try extend(id, commit, covered, what)
      case .supersede(let id, let reason): _ = try supersede(id, reason, what)
      case .cancel(let id, let reason): _ = try askToCancel(id, reason, what)
      case .sighted: try run("UPDATE bots SET is_sighted = 1 WHERE id = ?", [.integer(bot)], what)
      case .remember(let ref, let commit):
        try run(
          "INSERT OR REPLACE INTO tips (bot, ref, commit_id) VALUES (?, ?, ?)",
          [.integer(bot), .text(ref.rawValue), .text(commit.rawValue)], what)
      case .forget(let ref):
        try run("DELETE FROM tips WHERE bot = ? AND ref = ?", [.integer(bot), .text(ref.rawValue)], what)
      case .markPeriod(let date):
        try run(
          "UPDATE bots SET period_mark = ? WHERE id = ?", [.real(date.timeIntervalSince1970), .integer(bot)], what)
      case .rememberToolchain(let identity):
        try run("UPDATE bots SET toolchain = ? WHERE id = ?", [.text(identity), .integer(bot)], what)
      }
    }
    return queued
  }

  /// The row of a bot, which is made when it is missing.
  private mutating func identity(ofBot name: String, _ what: String) throws(StoringError) -> Int {
    try run("INSERT INTO bots (name) VALUES (?) ON CONFLICT (name) DO NOTHING", [.text(name)], what)
    return try rows("SELECT id FROM bots WHERE name = ?", [.text(name)], what) { $0.integer(0) }.first ?? 0
  }

  private mutating func insert(
    _ assignment: Assignment, of bot: Int, as state: QueueEntry.State, reason: String?, _ what: String
  ) throws(StoringError) -> QueueEntry.ID {
    try run(
      """
      INSERT INTO entries (bot, ref, commit_id, cause, attempt, queued_at, state, reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(bot), .text(assignment.ref?.rawValue ?? ""), .text(assignment.commit.rawValue),
        .text(assignment.cause.rawValue), .integer(assignment.attempt),
        .real(assignment.queuedAt.timeIntervalSince1970), .text(state.rawValue), .optional(reason),
      ], what)
    let id = lastInserted
    try cover(assignment.covered, by: id, what)
    return id
  }

  private mutating func cover(_ commits: [CommitID], by id: QueueEntry.ID, _ what: String) throws(StoringError) {
    for (position, commit) in commits.enumerated() {
      try run(
        "INSERT INTO covered (entry, position, commit_id) VALUES (?, ?, ?)",
        [.integer(id), .integer(position), .text(commit.rawValue)], what)
    }
  }

  private mutating func extend(
    _ id: QueueEntry.ID, _ commit: CommitID, _ covered: [CommitID], _ what: String
  ) throws(StoringError) {
    _ = try bot(ofEntry: id, in: .pending, what)
    // Another commit has not been tried yet.
    try run(
      "UPDATE entries SET attempt = CASE WHEN commit_id = ?1 THEN attempt ELSE 1 END, commit_id = ?1 WHERE id = ?2",
      [.text(commit.rawValue), .integer(id)], what)
    try run("DELETE FROM covered WHERE entry = ?", [.integer(id)], what)
    try cover(covered, by: id, what)
  }

  mutating func supersede(_ id: QueueEntry.ID, _ reason: String, _ what: String) throws(StoringError) -> Bool {
    try run(
      "UPDATE entries SET state = 'superseded', reason = ? WHERE id = ? AND state = 'pending'",
      [.text(reason), .integer(id)], what) > 0
  }

  mutating func askToCancel(_ id: QueueEntry.ID, _ reason: String, _ what: String) throws(StoringError) -> Bool {
    try run(
      "UPDATE entries SET cancel_reason = coalesce(cancel_reason, ?) WHERE id = ? AND state = 'running'",
      [.text(reason), .integer(id)], what) > 0
  }

  /// The bot of an entry.
  /// - Throws: when the entry is not in that state.
  mutating func bot(
    ofEntry id: QueueEntry.ID, in state: QueueEntry.State, _ what: String
  ) throws(StoringError) -> Int {
    let found = try rows("SELECT bot, state FROM entries WHERE id = ?", [.integer(id)], what) {
      (bot: $0.integer(0), state: $0.text(1))
    }
    guard let entry = found.first, entry.state == state.rawValue else {
      throw StoringError(
        .request, "\(what) in \(path)",
        because: "entry \(id) is \(found.first?.state ?? "not there"), not \(state.rawValue)",
        next: "Look at the queue again: it has changed in the meantime.")
    }
    return entry.bot
  }

  /// Writes down how an entry ended.
  mutating func close(_ id: QueueEntry.ID, _ summary: IntegrationSummary, _ what: String) throws(StoringError) {
    let tests = summary.tests
    let coverage = summary.coverage
    try run(
      """
      UPDATE entries SET state = 'finished', outcome = ?, reason = ?, only_gates_failed = ?, ended_at = ?,
        passed = ?, failed = ?, expected_failures = ?, skipped = ?, crashed = ?, timed_out = ?, canceled = ?,
        not_run = ?, filtered_out = ?, flaky = ?,
        lines = ?, covered_lines = ?, partial_lines = ?, regions = ?, covered_regions = ?, functions = ?,
        covered_functions = ?, is_coverage_complete = ?, warnings = ?, bytes = ?
      WHERE id = ?
      """,
      [
        .text(summary.outcome.rawValue), .optional(summary.reason), .integer(summary.onlyGatesFailed ? 1 : 0),
        .real(summary.endedAt.timeIntervalSince1970),
        .integer(tests.passed), .integer(tests.failed), .integer(tests.expectedFailures), .integer(tests.skipped),
        .integer(tests.crashed), .integer(tests.timedOut), .integer(tests.canceled), .integer(tests.notRun),
        .integer(tests.filteredOut), .integer(tests.flaky),
        .optional(coverage?.lines.total), .optional(coverage?.lines.covered), .optional(coverage?.lines.partial),
        .optional(coverage?.regions.total), .optional(coverage?.regions.covered),
        .optional(coverage?.functions.total), .optional(coverage?.functions.covered),
        .integer(summary.isCoverageComplete ? 1 : 0), .integer(summary.warnings), .integer(summary.bytes),
        .integer(id),
      ], what)
  }
}
