import Git
import Model

/// An error that kept Martlet from doing what it was asked to do.
package struct IntegratingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Who has to act; determines the exit status of the command.
  package enum Kind: Sendable, Hashable {
    /// The request was wrong: another path, revision or option is needed.
    case request
    /// Martlet or its machine lacks something.
    case service
    /// A person canceled it.
    case canceled
  }

  package var kind: Kind
  /// What failed, on what, why, and what to do next. It begins in lower case, as it follows 'error: ' on a terminal.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Converts any error into one for the caller of the program; those of other parts are whole sentences.
  package init(_ error: any Error) {
    switch error {
    case let error as IntegratingError: self = error
    case let error as GitError where [.notARepository, .emptyRepository, .unknownRevision].contains(error.kind):
      self.init(.request, error.description.lowercasedFirst)
    default: self.init(.service, "\(error)".lowercasedFirst)
    }
  }
}

/// Answers with an error for the caller of the program, whatever error is thrown.
func answering<Value: ~Copyable>(_ body: () throws -> Value) throws(IntegratingError) -> Value {
  do {
    return try body()
  } catch {
    throw IntegratingError(error)
  }
}
