/// How a watcher learns of a bot's commits.
package enum CommitSource: String, CaseIterable, Hashable, Sendable, Codable {
  /// The kernel reports changes of the repository.
  case watched
  /// The repository is elsewhere and is fetched.
  case fetched
  /// The repository is read at intervals.
  case polled
  /// Not at all: the bot's file or its repository cannot be read.
  case unreadable
}
