/// How a test process ended, and who ended it.
package struct ProcessEnding: Hashable, Sendable {
  /// The status reported by the kernel.
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
  }

  /// The originator of the end.
  package enum Cause: Hashable, Sendable {
    case itself
    /// Martlet, because a time limit was reached.
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

  /// The end as a reason: `signal 9 (SIGKILL)`.
  package var words: String {
    switch status {
    case .exited(let status): "the process ended with status \(status)"
    case .signaled(let signal): Self.words(of: signal)
    }
  }

  /// The end, worded to follow "the process".
  package var sentencePart: String {
    switch status {
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was ended by \(Self.words(of: signal))"
    }
  }

  private static func words(of signal: Int32) -> String {
    "signal \(signal)\(names[signal].map { " (\($0))" } ?? "")"
  }

  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
  ]
}
