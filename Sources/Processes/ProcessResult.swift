import CProcess

/// How a program ended.
package enum ProcessEnd: Hashable, Sendable {
  case exited(Int32)
  /// The program was ended by this signal.
  case signaled(Int32)
  /// The run was canceled before the program was started.
  case notStarted
}

extension ProcessEnd {
  /// Decodes a wait status (https://man7.org/linux/man-pages/man2/wait.2.html).
  ///
  /// Like a shell, bubblewrap exits with 128 plus the number of the signal that ended its program.
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

  /// Decodes the end that a keeper reports, which may be exact although the program is contained.
  init(_ report: cprocess_report, isContained: Bool) {
    self.init(status: report.code, isContained: isContained && !report.exact)
  }
}

/// The result of a run none of whose processes is left.
package struct ProcessResult: Hashable, Sendable {
  /// The reason a run ended.
  package enum Why: Hashable, Sendable {
    case byItself
    case canceled
    /// The run exceeded its time limit.
    case timedOut(after: Duration)
    /// The run produced no output for longer than its limit.
    case silent(after: Duration)
    /// The supervisor's deadline passed.
    case overdue
    /// The processes together exceeded the limit on bytes in memory.
    case tooMuchMemory(limit: Int)
    /// The run exceeded its limit on processes.
    case tooManyProcesses(limit: Int)
    /// The run exceeded its limit on bytes written to the disk; its files have been removed.
    case tooMuchDisk(limit: Int)
  }

  package var end: ProcessEnd
  package var why: Why
  /// The time from the start to the end of the program itself, excluding time during which the computer slept.
  package var duration: Duration = .zero
  /// The user and system time of the program and of all its descendants that were waited for.
  ///
  /// If a contained program had to be killed, excludes the time of the processes that were alive at that point.
  package var cpu: Duration = .zero
  /// The largest resident size of any single process, in bytes; never less than Martlet's own memory at the start.
  package var peakMemory = 0
  /// The number of processes that outlived the program and were killed.
  package var leftovers = 0
  /// The number of processes that could not be killed in ten seconds, because another user owns them or the kernel
  /// holds them.
  package var survivors = 0
  /// The number of processes anywhere on the machine that the kernel killed during the run for lack of memory; not
  /// counted for a program that succeeded.
  package var memoryKills = 0

  /// Creates a result without figures.
  package init(end: ProcessEnd, why: Why) {
    self.end = end
    self.why = why
  }

  /// Whether the program ended on its own with exit status 0.
  package var succeeded: Bool { why == .byItself && end == .exited(0) }
}
