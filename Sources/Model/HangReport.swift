/// What a test's process was doing when its time was up.
package struct HangReport: Hashable, Sendable, Codable {
  /// What it waited for, as far as its stacks tell.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// All threads of Swift's cooperative pool are blocked, so that no task can go on.
    case blockedPool
    /// A lock, or a queue that is taken, which somebody else holds or the thread itself.
    case lock
    /// A semaphore, a group or a condition that nobody signals.
    case signal
    /// Another process.
    case child
    /// Bytes that do not come.
    case input
    /// Time.
    case sleep
    /// Events of a run loop or of descriptors.
    case events
    /// Nothing: it computes.
    case busy
    /// It was stopped by a signal and not continued.
    case stopped
    /// No thread is in the package's code: a task waits for something that nobody does.
    case suspended
  }

  /// Which limit was reached, such as `No output for 2 min`.
  package var rule: String
  package var kind: Kind?
  /// The threads with calls in sources of the package, the one that the others may wait for first.
  package var threads: [ThreadStack]
  /// How many threads there were besides.
  package var otherThreads: Int
  /// The names of the processes it had started that were still there.
  package var children: [String]
  /// Why there are no stacks.
  package var problem: String?
  /// The stacks of all threads as they were read, relative to the integration's folder.
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

  /// Where it hangs: the innermost call in a source of the package.
  package var location: SourceLocation? { threads.lazy.compactMap(\.firstOwn).first?.location }
}
