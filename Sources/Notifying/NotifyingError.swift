import Processes

/// An error from sending a message.
package struct NotifyingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation, its subject, the reason and what to do next.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }

  static func system(_ what: String, _ path: String, errno code: Int32) -> NotifyingError {
    NotifyingError(
      "Cannot \(what) \(path): \(ProcessError.reason(code)). Look after that disk and folder; what was to be sent is not."
    )
  }
}
