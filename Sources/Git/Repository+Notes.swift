import CLibgit2
import Glibc
package import Model

extension Repository {
  /// The reference that holds Martlet's notes; `git log --notes=martlet` shows them.
  package static let notesReference = "refs/notes/martlet"
  /// The most attempts to write a note while others write notes at the same moment.
  private static let mostTries = 50

  /// Changes the note of a commit. This is the only write that Martlet makes to a repository it watches.
  ///
  /// Nothing is lost if others write notes at the same time: the reference moves only from the notes that were read,
  /// and if it has moved since, the change is repeated on the current notes.
  /// - Parameters:
  ///   - commit: A commit in the repository.
  ///   - change: Makes the new text from the old one. Called again for each attempt.
  package func changeNote(of commit: CommitID, _ change: (String?) -> String) throws(GitError) {
    let what = "Cannot write the note of \(commit.rawValue.quoted) in \(path.quoted)"
    let object = try commit.objectID()
    _ = try lookUpCommit(object, what)
    let id = object.raw
    for attempt in 1... {
      let notes = try notes(what)
      let old = try notes.map { notes throws(GitError) in try note(of: id, in: notes, what) } ?? nil
      let new = change(old)
      guard new != old else { return }
      let code = try write(new, of: id, on: notes, what)
      if code >= 0 { return }
      guard Self.isMoved(code), attempt < Self.mostTries else { throw GitError(code: code, doing: what) }
      // The holder of the reference's lock will be done in a moment; random waits let one of two writers go first.
      usleep(UInt32.random(in: 1_000...20_000))
    }
  }

  /// Returns the commit that holds the notes, or nil if there are none yet.
  private func notes(_ what: String) throws(GitError) -> git_oid? {
    var id = git_oid()
    let code = git_reference_name_to_id(&id, handle.pointer, Self.notesReference)
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    return id
  }

  private func note(of commit: git_oid, in notes: git_oid, _ what: String) throws(GitError) -> String? {
    let holder = try Handle<CommitKind>(what) { pointer in
      var id = notes
      return git_commit_lookup(&pointer, handle.pointer, &id)
    }
    var (id, found) = (commit, OpaquePointer?.none)
    let code = git_note_commit_read(&found, handle.pointer, holder.pointer, &id)
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    guard let found else { return nil }
    let note = Handle<NoteKind>(owning: found)
    return git_note_message(note.pointer).map { String(cString: $0) }
  }

  /// Creates the notes with a new text, and moves the reference to them if it has not moved since.
  /// - Returns: libgit2's code for moving the reference.
  private func write(_ text: String, of commit: git_oid, on notes: git_oid?, _ what: String) throws(GitError) -> Int32 {
    var made: UnsafeMutablePointer<git_signature>?
    try check(git_signature_now(&made, "Martlet", "martlet@localhost"), what)
    defer { git_signature_free(made) }
    var (written, blob, id) = (git_oid(), git_oid(), commit)
    guard var parent = notes else {
      try check(
        git_note_commit_create(&written, &blob, handle.pointer, nil, made, made, &id, text, 1), what)
      return move(to: written) { git_reference_create(&$0, handle.pointer, Self.notesReference, &$1, 0, Self.logLine) }
    }
    let holder = try Handle<CommitKind>(what) { git_commit_lookup(&$0, handle.pointer, &parent) }
    try check(
      git_note_commit_create(&written, &blob, handle.pointer, holder.pointer, made, made, &id, text, 1), what)
    return move(to: written) {
      git_reference_create_matching(&$0, handle.pointer, Self.notesReference, &$1, 1, &parent, Self.logLine)
    }
  }

  private static let logLine = "martlet: note"

  private func move(to notes: git_oid, _ create: (inout OpaquePointer?, inout git_oid) -> Int32) -> Int32 {
    var (reference, id) = (OpaquePointer?.none, notes)
    defer { git_reference_free(reference) }
    return create(&reference, &id)
  }

  /// Returns whether moving the reference failed because another process has moved it or is doing so.
  private static func isMoved(_ code: Int32) -> Bool {
    let area = git_error_last().map { git_error_t(UInt32(bitPattern: $0.pointee.klass)) }
    return [GIT_EMODIFIED, GIT_ELOCKED, GIT_EEXISTS].contains { $0.rawValue == code }
      // A lock that existed, or has since disappeared.
      || code == GIT_ERROR.rawValue && (area == GIT_ERROR_REFERENCE || area == GIT_ERROR_OS)
  }
}

enum NoteKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_note_free(pointer) }
}
