/// How a program ended.
package enum ProcessEnd: Hashable, Sendable {
  case exited(Int32)
  /// The signal that ended it.
  case signaled(Int32)
  /// It was canceled before it was started.
  case notStarted
}

extension ProcessEnd {
  /// Reads a wait status (https://man7.org/linux/man-pages/man2/wait.2.html).
  ///
  /// Bubblewrap exits with 128 and the number of the signal that ended its program, as a shell does.
  init(status: Int32, isContained: Bool) {
    let signal = status & 0x7f
    let code = status >> 8 & 0xff
    if signal != 0 {
      self = .signaled(signal)
    } else if isContained, (129...192).contains(code) {
      self = .signaled(code - 128)
    } else {
      self = .exited(code)
    }
  }
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
    /// Its processes together had more bytes in memory than their limit.
    case tooMuchMemory(limit: Int)
    /// It had more processes than its limit.
    case tooManyProcesses(limit: Int)
    /// It wrote more bytes to the disk than its limit; they are removed.
    case tooMuchDisk(limit: Int)
  }

  package var end: ProcessEnd
  package var why: Why
  /// From the start to the end of the program itself, without the time the computer slept.
  package var duration: Duration = .zero
  /// User and system time of the program and of all its descendants that were waited for.
  ///
  /// Of a contained program that had to be killed, the time of the processes that were alive then is missing.
  package var cpu: Duration = .zero
  /// The largest resident size of any one process, in bytes; never less than Martlet's own memory at the start.
  package var peakMemory = 0
  package var standardOutputBytes = 0
  package var standardErrorBytes = 0
  /// Processes that outlived the program and were killed.
  package var leftovers = 0
  /// Processes that could not be killed in ten seconds, because another user owns them or the kernel holds them.
  package var survivors = 0
  /// Processes anywhere on the machine that the kernel ended meanwhile for want of memory; not counted for a program
  /// that succeeded.
  package var memoryKills = 0

  /// Makes a result without figures.
  package init(end: ProcessEnd, why: Why) {
    self.end = end
    self.why = why
  }

  /// Whether it ended by itself with exit status 0.
  package var succeeded: Bool { why == .byItself && end == .exited(0) }
}
