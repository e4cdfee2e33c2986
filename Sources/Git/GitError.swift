import CLibgit2
import Glibc
import Model

/// An error from working with a repository, whose text includes what to do next.
package struct GitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors that callers distinguish.
  package enum Kind: String, Sendable {
    /// The path does not exist, or is not inside a repository.
    case notARepository
    /// A commit is needed, but there is none yet.
    case emptyRepository
    case unknownRevision
    /// The repository needs something that libgit2 cannot read.
    case unsupportedFormat
    /// The repository belongs to another user and is not listed in `safe.directory`.
    case notOwned
    /// An object is missing from the repository, as in a partial clone.
    case missingObject
    /// No repository on this machine holds a submodule's commit.
    case submodule
    /// The workspace folder was not created by Martlet.
    case foreignWorkspace
    case io
    case other
  }

  package let kind: Kind
  package let description: String

  /// Creates an error whose text is `what: why. next`. `what` begins with a capital, `why` does not, and `next`
  /// consists of whole sentences.
  init(_ kind: Kind, _ what: String, because why: String, next: String) {
    self.kind = kind
    description = "\(what): \(why). \(next)"
  }
}

extension GitError {
  /// Creates the error of a libgit2 call that returned `code`, on the thread that made the call.
  init(code: Int32, doing what: String) {
    let last = git_error_last()
    let message = last?.pointee.message.map { String(cString: $0) } ?? "libgit2 gave no reason (code \(code))"
    let area = git_error_t(UInt32(bitPattern: last?.pointee.klass ?? 0))
    if code == GIT_ENOTFOUND.rawValue, area == GIT_ERROR_ODB {
      self.init(
        .missingObject, what, because: message,
        next:
          "If the repository is a partial clone, run `git fetch --refetch --no-filter` in it; otherwise run `git fsck`."
      )
    } else if area == GIT_ERROR_OS || code == GIT_ELOCKED.rawValue {
      self.init(
        .io, what, because: message, next: "Check the permissions of the folder and the free space of the disk.")
    } else {
      self.init(.other, what, because: message, next: "Run `git fsck` in the repository to see whether it is damaged.")
    }
  }

  /// Creates the error of a system call that has just failed with `number`.
  init(errno number: Int32, doing what: String) {
    self.init(
      .io, what, because: SystemReason.words(of: number),
      next: "Check the permissions of the folder and the free space of the disk.")
  }
}

/// Throws libgit2's error if a call failed.
func check(_ code: Int32, _ what: @autoclosure () -> String) throws(GitError) {
  if code < 0 { throw GitError(code: code, doing: what()) }
}

extension String {
  /// The text in typographic quotes, with control characters replaced, for an error shown to a person.
  var quoted: String {
    let shown = unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : Character($0) }
    return "“\(String(shown))”"
  }
}
