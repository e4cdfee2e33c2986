import Processes

/// Why Martlet could not tell somebody something.
package struct NotifyingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What failed, on what, why, and what to do next.
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
