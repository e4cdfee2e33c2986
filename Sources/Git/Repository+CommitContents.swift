import CLibgit2
package import Model

/// The parts of a commit that decide whether it is integrated.
package struct CommitContents: Hashable, Sendable {
  package var parents: [CommitID]
  /// The whole message, with broken UTF-8 repaired.
  package var message: String
  /// The sorted paths that differ from the first parent's or another commit's; nil if they were not requested, are too
  /// many to list, or cannot be known, since a shallow clone lacks the other commit.
  package var paths: [String]?
}

extension Repository {
  /// Returns whether the repository has the commit.
  package func holds(_ id: CommitID) -> Bool {
    ObjectID(hexadecimal: id.rawValue).map { lookUpCode($0) == 0 } ?? false
  }

  /// Returns libgit2's code for looking a commit up; after an error, libgit2 knows the reason.
  func lookUpCode(_ commit: ObjectID) -> Int32 {
    var (raw, found) = (commit.raw, OpaquePointer?.none)
    let code = git_commit_lookup(&found, handle.pointer, &raw)
    git_commit_free(found)
    return code
  }

  /// Returns whether `ancestor` is `head` or one of its ancestors; false if the repository no longer has either.
  package func reaches(_ ancestor: CommitID, from head: CommitID) -> Bool {
    if ancestor == head { return true }
    guard let one = ObjectID(hexadecimal: head.rawValue), let other = ObjectID(hexadecimal: ancestor.rawValue) else {
      return false
    }
    var (raw, rawAncestor) = (one.raw, other.raw)
    return git_graph_descendant_of(handle.pointer, &raw, &rawAncestor) == 1
  }

  /// Returns whether `ancestor` is one of `heads` or an ancestor of one of them.
  package func reaches(_ ancestor: CommitID, fromAny heads: [CommitID]) -> Bool {
    if heads.contains(ancestor) { return true }
    guard var raw = ObjectID(hexadecimal: ancestor.rawValue)?.raw else { return false }
    let others = heads.compactMap { ObjectID(hexadecimal: $0.rawValue)?.raw }
    return git_graph_reachable_from_any(handle.pointer, &raw, others, others.count) == 1
  }

  /// Reads the contents of a commit.
  ///
  /// - Parameter base: The commit that the paths are compared with; the first parent if nil.
  package func contents(
    of id: CommitID, withPaths: Bool, since base: CommitID? = nil
  ) throws(GitError) -> CommitContents {
    let what = "Cannot read the commit \(id.rawValue.quoted) of \(path.quoted)"
    let commit = try lookUpCommit(try id.objectID(), what)
    let parents = HistoryWalk.Node(of: commit).parents
    let other = if let base { try base.objectID() } else { try Self.writtenParent(of: commit, what) }
    return CommitContents(
      parents: parents.map(\.commitID), message: message(of: commit),
      paths: withPaths ? try changedPaths(commit, against: other, what) : nil)
  }

  /// Returns the paths that a commit changed; nil if they are too many, or if the parent is not there.
  private func changedPaths(_ commit: borrowing Handle<CommitKind>, against parent: ObjectID?, _ what: String)
    throws(GitError) -> [String]?
  {
    let commitPointer = commit.pointer
    let new = try Handle<TreeKind>(what) { git_commit_tree(&$0, commitPointer) }
    var old: OpaquePointer?
    if let parent {
      guard lookUpCode(parent) == 0 else { return nil }
      let parentCommit = try lookUpCommit(parent, what)
      try check(git_commit_tree(&old, parentCommit.pointer), what)
    }
    defer { if let old { git_tree_free(old) } }
    let isBounded = try TreeReach().includes(
      [old.flatMap(ObjectID.init(ofTree:)), new.id], of: self, what)
    guard isBounded else { return nil }
    let newPointer = new.pointer
    let diff = try Handle<DiffKind>(what) { git_diff_tree_to_tree(&$0, handle.pointer, old, newPointer, nil) }
    var paths: Set<String> = []
    for position in 0..<git_diff_num_deltas(diff.pointer) {
      guard let delta = git_diff_get_delta(diff.pointer, position)?.pointee else { continue }
      for name in [delta.old_file.path, delta.new_file.path] {
        if let name { paths.insert(String(cString: name)) }
      }
    }
    return paths.sorted()
  }
}

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
