/// How a program ended.
package enum ProcessEnd: Hashable, Sendable {
  case exited(Int32)
  /// The signal that ended it.
  case signaled(Int32)
  /// It was canceled before it was started.
  case notStarted
}

/// What is known of a run when nothing of it is left.
package struct ProcessResult: Hashable, Sendable {
  /// Whose decision the end was.
  package enum Why: Hashable, Sendable {
    case byItself
    case canceled
    /// It took longer than its limit.
    case timedOut(after: Duration)
    /// It wrote nothing for longer than its limit.
    case silent(after: Duration)
    /// Its supervisor's deadline passed.
    case overdue
  }

  package var end: ProcessEnd
  package var why: Why
  /// From the start to the end of the program itself, without the time the computer slept.
  package var duration: Duration = .zero
  /// User and system time of the program and of all its descendants that were waited for.
  ///
  /// A sandbox with its own process namespace hides what ran in it.
  package var cpu: Duration = .zero
  /// The largest resident size of any one process, in bytes; never less than Martlet's own memory at the start.
  package var peakMemory = 0
  package var standardOutputBytes = 0
  package var standardErrorBytes = 0
  /// Processes that outlived the program and were killed.
  package var leftovers = 0
  /// Processes that could not be killed in ten seconds, because another user owns them or the kernel holds them.
  package var survivors = 0

  /// Makes a result without figures.
  package init(end: ProcessEnd, why: Why) {
    self.end = end
    self.why = why
  }

  /// Whether it ended by itself with exit status 0.
  package var succeeded: Bool { why == .byItself && end == .exited(0) }
}
