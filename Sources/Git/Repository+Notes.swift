import CLibgit2
import Glibc
package import Model

extension Repository {
  /// Where Martlet's notes are; `git log --notes=martlet` shows them.
  package static let notesReference = "refs/notes/martlet"
  /// How often a note is written anew because somebody else wrote one at the same moment.
  private static let mostTries = 50

  /// The note of a commit; nil when it has none.
  package func note(of commit: CommitID) throws(GitError) -> String? {
    let what = "Cannot read the note of \(commit.rawValue.quoted) in \(path.quoted)"
    var id = try commit.objectID().raw
    var found: OpaquePointer?
    let code = git_note_read(&found, handle.pointer, Self.notesReference, &id)
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    guard let found else { return nil }
    let note = Handle<NoteKind>(owning: found)
    return git_note_message(note.pointer).map { String(cString: $0) }
  }

  /// Changes the note of a commit; the one write that Martlet does to a repository it watches.
  ///
  /// Nothing is lost when others write notes at the same time: a note that rests on what has moved meanwhile is made
  /// anew from what is there now.
  /// - Parameter change: makes the new text of the old one; called again for each try.
  package func changeNote(of commit: CommitID, _ change: (String?) -> String) throws(GitError) {
    let what = "Cannot write the note of \(commit.rawValue.quoted) in \(path.quoted)"
    var id = try commit.objectID().raw
    var made: UnsafeMutablePointer<git_signature>?
    try check(git_signature_now(&made, "Martlet", "martlet@localhost"), what)
    defer { git_signature_free(made) }
    for attempt in 1... {
      let old = try note(of: commit)
      let new = change(old)
      guard new != old else { return }
      var written = git_oid()
      // Fails when the reference is no longer what the new commit of notes was made on.
      let code = git_note_create(&written, handle.pointer, Self.notesReference, made, made, &id, new, 1)
      if code >= 0 { return }
      guard Self.isMoved(code), attempt < Self.mostTries else { throw GitError(code: code, doing: what) }
      // Whoever holds the reference's lock is done in a moment; different waits let one of two go first.
      usleep(UInt32.random(in: 1_000...20_000))
    }
  }

  /// Whether a write failed because somebody else wrote first, or is about it.
  private static func isMoved(_ code: Int32) -> Bool {
    let area = git_error_last().map { git_error_t(UInt32(bitPattern: $0.pointee.klass)) }
    return [GIT_EMODIFIED, GIT_ELOCKED, GIT_EEXISTS].contains { $0.rawValue == code }
      // "failed to create commit: current tip is not the first parent", a lock that was there or went meanwhile
      || code == GIT_ERROR.rawValue && (area == GIT_ERROR_OBJECT || area == GIT_ERROR_REFERENCE || area == GIT_ERROR_OS)
  }
}

enum NoteKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_note_free(pointer) }
}
