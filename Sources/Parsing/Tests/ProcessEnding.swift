/// How a test process ended, and at whose wish.
package struct ProcessEnding: Hashable, Sendable {
  /// What the kernel says.
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// Who ended it.
  package enum Cause: Hashable, Sendable {
    case itself
    /// Martlet, because a limit of time was reached.
    case timeLimit
    /// Martlet, because the integration was canceled.
    case cancellation
  }

  package var status: Status
  package var cause: Cause

  package init(_ status: Status, cause: Cause = .itself) {
    self.status = status
    self.cause = cause
  }

  package var exitStatus: Int32? {
    if case .exited(let status) = status { status } else { nil }
  }

  package var signal: Int32? {
    if case .signaled(let signal) = status { signal } else { nil }
  }

  /// What happened, as a reason: `signal 9 (SIGKILL)`.
  package var words: String {
    switch status {
    case .exited(let status): "the process ended with status \(status)"
    case .signaled(let signal): "signal \(signal)\(Self.names[signal].map { " (\($0))" } ?? "")"
    }
  }

  /// What happened, as it fits behind "the process".
  package var sentencePart: String {
    switch status {
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was ended by signal \(signal)\(Self.names[signal].map { " (\($0))" } ?? "")"
    }
  }

  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
  ]
}
