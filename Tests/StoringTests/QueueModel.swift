import FoundationEssentials
import Model

/// What the database should hold, kept in the simplest way.
struct QueueModel: Equatable {
  var entries: [QueueEntry] = []
  var summaries: [QueueEntry.ID: IntegrationSummary] = [:]
  var tips: [RefName: CommitID]?
  var lastNumber = 0

  var open: [QueueEntry] { entries.filter { $0.state == .pending || $0.state == .running } }

  mutating func make(_ changes: [QueueChange]) {
    for change in changes {
      switch change {
      case .queue(let assignment): add(assignment, .pending, nil)
      case .skip(let assignment, let reason): add(assignment, .skipped, reason)
      case .extend(let id, let commit, let covered):
        if entries[id - 1].commit != commit { entries[id - 1].assignment.attempt = 1 }
        entries[id - 1].assignment.commit = commit
        entries[id - 1].assignment.covered = covered
      case .supersede(let id, let reason):
        entries[id - 1].state = .superseded
        entries[id - 1].reason = reason
      case .cancel(let id, let reason): entries[id - 1].cancelReason = entries[id - 1].cancelReason ?? reason
      case .sighted: tips = tips ?? [:]
      case .remember(let ref, let commit): tips?[ref] = commit
      case .forget(let ref): tips?[ref] = nil
      case .markPeriod, .rememberToolchain: break
      }
    }
  }

  private mutating func add(_ assignment: Assignment, _ state: QueueEntry.State, _ reason: String?) {
    entries.append(QueueEntry(id: entries.count + 1, assignment: assignment, state: state, reason: reason))
  }

  mutating func start(_ id: QueueEntry.ID, at now: Date) -> Int {
    lastNumber += 1
    entries[id - 1].state = .running
    entries[id - 1].number = lastNumber
    entries[id - 1].startedAt = now
    return lastNumber
  }

  mutating func finish(_ id: QueueEntry.ID, _ summary: IntegrationSummary) {
    entries[id - 1].state = .finished
    entries[id - 1].reason = summary.reason
    summaries[id] = summary
  }
}
