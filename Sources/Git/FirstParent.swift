import CLibgit2
package import Model

/// The first parent of a commit.
package enum FirstParent: Hashable, Sendable {
  /// The commit has no parent.
  case none
  case commit(CommitID)
  /// The commit has a parent that the shallow clone omits.
  case leftOut(CommitID)
}

extension Repository {
  /// Returns the first parent of a commit.
  ///
  /// - Throws: Also if the parent is missing although the repository is not a shallow clone.
  package func firstParent(of id: CommitID) throws(GitError) -> FirstParent {
    let what = "Cannot read the commit \(id.rawValue.quoted) of \(path.quoted)"
    let commit = try lookUpCommit(try id.objectID(), what)
    guard let parent = try Self.writtenParent(of: commit, what) else { return .none }
    // Checked first, because this call makes libgit2 forget why the last call failed.
    let isShallow = git_repository_is_shallow(handle.pointer) == 1
    let code = lookUpCode(parent)
    if code == GIT_ENOTFOUND.rawValue, isShallow { return .leftOut(parent.commitID) }
    try check(code, what)
    return .commit(parent.commitID)
  }

  /// Returns the first parent that the commit itself names.
  ///
  /// Newer versions of libgit2 hide the parents at which a shallow clone ends, but the commit's header still names
  /// them.
  static func writtenParent(of commit: borrowing Handle<CommitKind>, _ what: String) throws(GitError)
    -> ObjectID?
  {
    if let parent = git_commit_parent_id(commit.pointer, 0) { return ObjectID(parent.pointee) }
    var text = git_buf()
    let code = git_commit_header_field(&text, commit.pointer, "parent")
    defer { git_buf_dispose(&text) }
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    return text.ptr.flatMap { ObjectID(hexadecimal: String(cString: $0)) }
  }
}

extension Repository {
  /// Returns the reason the repository lacks a commit, or nil if it has the commit or the reason cannot be determined.
  package func absence(of id: CommitID) -> CommitAbsence? {
    guard let object = ObjectID(hexadecimal: id.rawValue) else { return .gone }
    guard lookUpCode(object) == GIT_ENOTFOUND.rawValue else { return nil }
    return git_repository_is_shallow(handle.pointer) == 1 ? .leftOut : .gone
  }
}
