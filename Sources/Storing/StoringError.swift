import CSQLite

/// An error from the database, whose text includes what to do next.
package struct StoringError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors that callers distinguish.
  package enum Kind: String, Sendable {
    /// Another process kept the database locked for too long.
    case locked
    case full
    /// The contents are damaged, or the file is not a database at all.
    case corrupt
    /// Another program wrote the database.
    case foreign
    /// A newer version of Martlet wrote the database.
    case newer
    /// Another process is making the database, and nothing is in it yet.
    case unmade
    /// The file does not exist, or cannot be read or written.
    case file
    /// The request does not match what is stored, such as starting an entry that is not waiting.
    case request
    case other
  }

  package let kind: Kind
  package let description: String

  /// Creates an error whose text is `Cannot what: why. next`. `why` does not begin with a capital, and `next` consists
  /// of whole sentences.
  init(_ kind: Kind, _ what: String, because why: String, next: String) {
    self.kind = kind
    description = "Cannot \(what): \(why). \(next)"
  }
}

extension StoringError {
  /// Creates the error of a SQLite call that returned `code` for the database at `path`.
  ///
  /// The codes are described at https://www.sqlite.org/rescode.html.
  init(code: Int32, message: String, doing what: String, path: String) {
    let (kind, next): (Kind, String) =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED:
        (.locked, "Another program holds it; end that program (`fuser \(path)` names it) and try again.")
      case SQLITE_FULL:
        (.full, "Make room on the disk that holds it; nothing was changed.")
      case SQLITE_CORRUPT, SQLITE_NOTADB:
        (
          .corrupt,
          "Stop the watcher and run 'martlet reindex': it makes the index anew of the documents, and keeps what can "
            + "still be read of the queue."
        )
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
        (.file, "Check that the file and its folder belong to the user that runs Martlet and can be written.")
      case SQLITE_IOERR:
        (.file, "Check the disk ('dmesg' names its errors); nothing was changed.")
      default: (.other, "If it happens again, run sqlite3 \(path) 'PRAGMA integrity_check' and report what it says.")
      }
    self.init(kind, "\(what) in \(path)", because: "\(message) (SQLite \(code))", next: next)
  }
}
