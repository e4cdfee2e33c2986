package import Model

/// The reason why a process hangs, determined from its stacks.
package struct HangDiagnosis: Hashable, Sendable {
  package let kind: HangReport.Kind
  /// The threads with calls in the package's sources, those that cannot continue first.
  package let threads: [ThreadStack]
  package let otherThreads: Int

  /// The calls with which a thread waits, by kind; the first kind found above the package's code on the stack counts.
  private static let waits: [(kind: HangReport.Kind, calls: [String])] = [
    (.child, ["wait4", "waitpid", "waitid", "Process.waitUntilExit"]),
    (
      .lock,
      [
        "lll_lock_wait", "pthread_mutex_lock", "pthread_mutex_cond_lock", "pthread_rwlock_", "_dispatch_sync_f_slow",
        "DISPATCH_WAIT_FOR_QUEUE", "pthread_spin_lock",
      ]
    ),
    (
      .signal,
      [
        "_dispatch_semaphore_wait_slow", "_dispatch_group_wait_slow", "_dispatch_sema4_wait", "pthread_cond_",
        "new_sem_wait", "sem_wait", "_dispatch_once_wait", "pthread_join", "pthread_clockjoin", "pthread_barrier_wait",
      ]
    ),
    (.sleep, ["nanosleep", "clock_nanosleep", "usleep", "sleep", "pause", "sigsuspend", "sigwait"]),
    (.input, ["read", "readv", "recv", "recvfrom", "recvmsg", "accept", "connect", "getline", "fgets", "open"]),
    (.events, ["poll", "ppoll", "select", "pselect", "epoll_wait", "CFRunLoopRun"]),
  ]

  /// - Parameters:
  ///   - isStopped: whether a signal stopped the process.
  ///   - isRunning: whether its first thread was on a processor, and so computes even if its calls could not be read.
  ///   - poolWidth: the number of threads in Swift's cooperative pool: one for each processor.
  package init(_ stacks: [ThreadStack], isStopped: Bool, isRunning: Bool = false, poolWidth: Int) {
    let own = stacks.filter { $0.firstOwn != nil }
    let waits = own.map { (stack: $0, kind: Self.wait(of: $0)) }
    let blockedInPool = waits.count { $0.kind.isBlocking && Self.isInPool($0.stack) }
    // A thread that waits for events may well be woken by another one, and all others may be waiting for one that
    // computes.
    let order: [HangReport.Kind] = [.busy, .lock, .signal, .child, .input, .sleep, .events]
    let sorted = order.flatMap { kind in waits.filter { $0.kind == kind } }
    threads = sorted.map(\.stack)
    otherThreads = stacks.count - own.count
    if isStopped {
      kind = .stopped
    } else if blockedInPool >= max(poolWidth, 1) {
      kind = .blockedPool
    } else {
      kind = sorted.first?.kind ?? (isRunning ? .busy : .suspended)
    }
  }

  private static func isInPool(_ stack: ThreadStack) -> Bool {
    stack.frames.contains {
      $0.function.contains("swift_job_run") || $0.function.contains("runJobInEstablishedExecutorContext")
    }
  }

  /// Returns what a thread waits for, according to the calls above the package's code.
  private static func wait(of stack: ThreadStack) -> HangReport.Kind {
    let calls = stack.frames.prefix { !$0.isOwn }.map(\.plainFunction)
    for (kind, names) in waits where calls.contains(where: { call in names.contains { matches(call, $0) } }) {
      return kind
    }
    return .busy
  }

  /// Names of several words match anywhere in a call; the system's short names only match as a whole.
  private static func matches(_ call: String, _ name: String) -> Bool {
    name.contains("_") || name.contains(".") || name == "CFRunLoopRun" ? call.contains(name) : call == name
  }
}

extension HangReport.Kind {
  /// Whether this kind of waiting is wrong in a thread of the cooperative pool, because what would wake it may need
  /// that thread.
  fileprivate var isBlocking: Bool {
    switch self {
    case .lock, .signal, .child, .input, .sleep: true
    case .blockedPool, .events, .busy, .stopped, .suspended: false
    }
  }
}
