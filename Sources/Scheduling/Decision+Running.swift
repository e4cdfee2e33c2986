package import FoundationEssentials
package import Model

extension Decision {
  /// Takes out what would queue a commit that is being integrated already.
  ///
  /// - Parameters:
  ///   - entries: the bot's waiting and running entries.
  ///   - date: when the bot's file was last changed; what began before is integrated by other rules.
  /// - Returns: the running entries that do what was to be done.
  package mutating func takeRunning(among entries: [QueueEntry], since date: Date?) -> [QueueEntry.ID] {
    var running: [QueueEntry.ID] = []
    changes.removeAll { change in
      guard case .queue(let wanted) = change else { return false }
      let entry = entries.first { entry in
        entry.state == .running && entry.cancelReason == nil && entry.cause != .idle && entry.ref == wanted.ref
          && entry.commit == wanted.commit && entry.startedAt.map { $0 >= date ?? .distantPast } == true
      }
      if let entry { running.append(entry.id) }
      return entry != nil
    }
    return running
  }
}
