package import Model

/// The commit to integrate with what waits until nothing else is waiting: the newest of a branch, once.
package struct IdleDecision: Hashable, Sendable {
  /// The number of attempts if other integrations always come first.
  package static let mostAttempts = 3

  /// The entry whose commit is due; of several, the one integrated first. Nil for none.
  package let due: QueueEntry?

  /// - Parameters:
  ///   - lines: The newest finished integrations of a bot with their outcomes, newest first.
  ///   - tips: The commits at the heads of the bot's branches.
  package init(_ lines: [(entry: QueueEntry, outcome: Outcome?)], tips: [RefName: CommitID]) {
    let branches = Dictionary(grouping: lines.filter { $0.entry.ref?.branch != nil }) { $0.entry.ref }
    due = branches.compactMap { ref, lines -> QueueEntry? in
      guard let newest = Self.newest(of: lines, tip: ref.flatMap { tips[$0] }) else { return nil }
      let idle = lines.filter {
        $0.entry.cause == .idle && $0.entry.commit == newest.commit && $0.entry.id > newest.id
      }
      let isDone = idle.contains { $0.outcome?.isConclusive == true }
      return isDone || idle.count >= Self.mostAttempts ? nil : newest
    }.min { $0.id < $1.id }
  }

  /// Returns the last integration of the commit at the head of a branch, or, if the bot skipped that commit, of the newest
  /// one that it did not skip. A rerun of an older commit does not count.
  private static func newest(of lines: [(entry: QueueEntry, outcome: Outcome?)], tip: CommitID?) -> QueueEntry? {
    let conclusive = lines.lazy.filter { $0.outcome?.isConclusive == true && $0.entry.cause != .idle }.map(\.entry)
    return conclusive.first { $0.commit == tip } ?? conclusive.first { $0.cause != .rerun }
  }
}

extension StartDecision {
  /// Returns the running entries that were started because nothing was waiting, and are now holding something up.
  ///
  /// - Parameters:
  ///   - entries: All waiting and running entries.
  ///   - jobs: The number of entries that may run at once.
  package static func givingWay(_ entries: [QueueEntry], jobs: Int) -> [QueueEntry] {
    let running = entries.filter { $0.state == .running }
    let waiting = entries.filter { $0.state == .pending && $0.cause != .idle && $0.calmTime == nil }
    return running.filter { idle in
      idle.cause == .idle && idle.cancelReason == nil
        && waiting.contains { $0.bot == idle.bot || running.count >= max(1, jobs) }
    }
  }
}
