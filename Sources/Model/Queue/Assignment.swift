package import FoundationEssentials

/// What to integrate, and why.
package struct Assignment: Hashable, Sendable {
  package var bot: String
  /// Nil for a commit that was requested individually.
  package var ref: RefName?
  package var commit: CommitID
  /// The commits covered by the integration, newest first; at least `commit`.
  package var covered: [CommitID]
  package var cause: Cause
  package var queuedAt: Date
  /// 1, plus one for each earlier attempt that failed because Martlet or the machine died.
  package var attempt: Int

  package init(
    bot: String, ref: RefName?, commit: CommitID, covered: [CommitID]? = nil, cause: Cause, queuedAt: Date,
    attempt: Int = 1
  ) {
    self.bot = bot
    self.ref = ref
    self.commit = commit
    self.covered = covered ?? [commit]
    self.cause = cause
    self.queuedAt = queuedAt
    self.attempt = attempt
  }
}

/// An assignment on its way through the queue.
package struct QueueEntry: Hashable, Sendable, Identifiable {
  package typealias ID = Int

  package enum State: String, CaseIterable, Sendable {
    case pending, running
    /// It ran and has an outcome.
    case finished
    /// The bot skips its commit; it never ran.
    case skipped
    /// It was removed from the queue before it ran; the reason says why.
    case superseded
  }

  /// Ascending in the order in which entries were queued.
  package let id: ID
  package var assignment: Assignment
  package var state: State
  /// The number of the integration, once it has started.
  package var number: Int?
  package var startedAt: Date?
  /// Why the entry was skipped or superseded, or how it ended, as a sentence.
  package var reason: String?
  /// Why the entry should be stopped; set while it runs.
  package var cancelReason: String?

  package init(
    id: ID, assignment: Assignment, state: State = .pending, number: Int? = nil, startedAt: Date? = nil,
    reason: String? = nil, cancelReason: String? = nil
  ) {
    self.id = id
    self.assignment = assignment
    self.state = state
    self.number = number
    self.startedAt = startedAt
    self.reason = reason
    self.cancelReason = cancelReason
  }

  package var bot: String { assignment.bot }
  package var ref: RefName? { assignment.ref }
  package var commit: CommitID { assignment.commit }
  package var covered: [CommitID] { assignment.covered }
  package var cause: Cause { assignment.cause }
}
