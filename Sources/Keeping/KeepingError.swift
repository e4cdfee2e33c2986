import Glibc
import Model

/// Why the watcher cannot do its job, or what somebody asks of it, in words that say what to do next.
package struct KeepingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a caller may decide by.
  package enum Kind: String, Sendable, Codable {
    /// What was asked for cannot be done as it was asked.
    case request
    /// No bot is called as the request says.
    case unknownBot
    /// Martlet could not do its job.
    case service
    /// No watcher runs.
    case absent
  }

  package let kind: Kind
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// The error of a system call that has just failed with `number`.
  static func system(_ what: String, _ path: String, errno number: Int32) -> KeepingError {
    let next =
      switch number {
      case ENOSPC, EDQUOT: "Make room on the disk."
      case EACCES, EPERM, EROFS: "Check that the home belongs to the user that runs Martlet."
      default: "Check the disk and the permissions of the home."
      }
    return KeepingError(.service, "Cannot \(what) \(path): \(SystemReason.words(of: number)). \(next)")
  }
}
