package import Model

/// Tells from the stacks of a process what it waits for.
package struct HangDiagnosis: Hashable, Sendable {
  package let kind: HangReport.Kind
  /// The threads with calls in sources of the package, those that cannot go on first.
  package let threads: [ThreadStack]
  package let otherThreads: Int

  /// Calls by which a thread waits, by what for; the first that stands on the stack above the package's code counts.
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
  ///   - isRunning: whether its first thread was on a processor: it computes, though its calls could not be read.
  ///   - poolWidth: how many threads Swift's cooperative pool has: one for each processor.
  package init(_ stacks: [ThreadStack], isStopped: Bool, isRunning: Bool = false, poolWidth: Int) {
    let own = stacks.filter { $0.firstOwn != nil }
    let waits = own.map { (stack: $0, kind: Self.wait(of: $0)) }
    let blockedInPool = waits.count { $0.kind.isBlocking && Self.isInPool($0.stack) }
    // A thread that waits for events may well be woken by another, and one that computes is waited for by all.
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

  /// What a thread waits for in the calls that the package's code made last.
  private static func wait(of stack: ThreadStack) -> HangReport.Kind {
    let calls = stack.frames.prefix { !$0.isOwn }.map { plain($0.function) }
    for (kind, names) in waits where calls.contains(where: { call in names.contains { matches(call, $0) } }) {
      return kind
    }
    return .busy
  }

  /// Names of several words match where they stand; short names of the system only as a whole.
  private static func matches(_ call: String, _ name: String) -> Bool {
    name.contains("_") || name.contains(".") || name == "CFRunLoopRun" ? call.contains(name) : call == name
  }

  /// `__GI___libc_read@GLIBC_2.2.5` as `read`.
  private static func plain(_ function: String) -> String {
    var name = function.prefix { $0 != "@" }
    for prefix in ["__GI_", "__libc_", "__"] {
      while name.hasPrefix(prefix), !name.dropFirst(prefix.count).isEmpty { name = name.dropFirst(prefix.count) }
    }
    return String(name)
  }
}

extension HangReport.Kind {
  /// Whether a thread of the cooperative pool must not wait this way: what would wake it may need the thread.
  fileprivate var isBlocking: Bool {
    switch self {
    case .lock, .signal, .child, .input, .sleep: true
    case .blockedPool, .events, .busy, .stopped, .suspended: false
    }
  }
}
