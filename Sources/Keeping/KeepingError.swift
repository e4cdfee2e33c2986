import Model
import Processes

/// An error from the watcher or in a request to it, whose text includes what to do next.
package struct KeepingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors that callers distinguish.
  package enum Kind: String, Sendable, Codable {
    /// The request cannot be fulfilled as stated.
    case request
    /// There is no bot with the requested name.
    case unknownBot
    /// Martlet could not do its job.
    case service
    /// No watcher is running.
    case absent
  }

  package let kind: Kind
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Returns the error of a system call that has just failed with `number`.
  static func system(_ what: String, _ path: String, errno number: Int32) -> KeepingError {
    let reason = SystemReason.words(of: number)
    return KeepingError(.service, "Cannot \(what) \(path): \(reason). \(ProcessError.adviceOnHome(number))")
  }
}
