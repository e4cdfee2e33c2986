/// What a test's process was doing when its time was up.
package struct HangReport: Hashable, Sendable {
  /// What the process was waiting for, as far as its stacks show.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// All threads of Swift's cooperative pool are blocked, so that no task can continue.
    case blockedPool
    /// A lock or a busy queue held by another thread or by the waiting thread itself.
    case lock
    /// A semaphore, a group or a condition that is never signaled.
    case signal
    /// Another process.
    case child
    /// Input that does not arrive.
    case input
    /// Time to pass.
    case sleep
    /// Events of a run loop or of file descriptors.
    case events
    /// Nothing: it is computing.
    case busy
    /// The process was stopped by a signal and not continued.
    case stopped
    /// No thread is in the package's code: a task waits for something that never happens.
    case suspended
  }

  /// The limit that was reached, such as `No output for 2 min`.
  package var rule: String
  /// Whether that limit is one of a time without output.
  package var isSilent = false
  package var kind: Kind?
  /// The threads with calls in sources of the package, beginning with the one that the others may be waiting for.
  package var threads: [ThreadStack]
  /// The number of other threads.
  package var otherThreads: Int
  /// The names of processes that it had started and that were still running.
  package var children: [String]
  /// Why there are no stacks.
  package var problem: String?
  /// The file with the stacks of all threads as captured, relative to the integration's folder.
  package var file: String?

  package init(
    rule: String, kind: Kind? = nil, threads: [ThreadStack] = [], otherThreads: Int = 0, children: [String] = [],
    problem: String? = nil, file: String? = nil
  ) {
    self.rule = rule
    self.kind = kind
    self.threads = threads
    self.otherThreads = otherThreads
    self.children = children
    self.problem = problem
    self.file = file
  }

  /// The place of the hang: the innermost call in a source of the package.
  package var location: SourceLocation? { threads.lazy.compactMap(\.firstOwn).first?.location }
}
