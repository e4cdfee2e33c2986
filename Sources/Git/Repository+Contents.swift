import CLibgit2
package import Model

extension Repository {
  /// Returns the unfiltered bytes of a file in a commit, or nil if there is no such file.
  ///
  /// Symbolic links are not followed: nil is returned for one, as for a folder or a submodule.
  package func contents(of path: String, in commit: CommitID) throws(GitError) -> [UInt8]? {
    let what = "Cannot read \(path.quoted) of the commit \(commit.rawValue.quoted) in \(self.path.quoted)"
    guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
    let tree = try tree(of: try commit.objectID(), what)
    guard let entry = try entry(RelativePath(path), in: tree, what) else { return nil }
    let kind = TreeEntry.Kind(git_tree_entry_filemode(entry.pointer))
    guard git_tree_entry_type(entry.pointer) == GIT_OBJECT_BLOB, kind != .symlink else { return nil }
    guard let id = git_tree_entry_id(entry.pointer) else { return nil }
    return try bytes(of: ObjectID(id.pointee), what)
  }

  /// Returns all files below a folder of a commit, sorted by path. `folder` is empty or `.` for the whole commit.
  package func entries(of commit: CommitID, under folder: String = "") throws(GitError) -> [TreeEntry] {
    let what = "Cannot list the files of the commit \(commit.rawValue.quoted) in \(path.quoted)"
    let folder = RelativePath(folder == "." ? "" : folder)
    let tree = try Tree(try tree(of: try commit.objectID(), what), under: folder, of: self)
    return tree.entries.sorted { $0.path < $1.path }.map {
      TreeEntry(path: $0.path.text, kind: $0.kind, id: $0.id.hexadecimal)
    }
  }

  func bytes(of blob: ObjectID, _ what: String) throws(GitError) -> [UInt8] {
    var raw = blob.raw
    let found = try Handle<BlobKind>(what) { git_blob_lookup(&$0, handle.pointer, &raw) }
    let content = UnsafeRawBufferPointer(
      start: git_blob_rawcontent(found.pointer), count: Int(git_blob_rawsize(found.pointer)))
    return Array(content)
  }

  func tree(of commit: ObjectID, _ what: String) throws(GitError) -> Handle<TreeKind> {
    let commit = try lookUpCommit(commit, what)
    return try Handle<TreeKind>(what) { git_commit_tree(&$0, commit.pointer) }
  }

  func lookUpTree(_ id: ObjectID, _ what: String) throws(GitError) -> Handle<TreeKind> {
    var raw = id.raw
    return try Handle<TreeKind>(what) { git_tree_lookup(&$0, handle.pointer, &raw) }
  }

  /// Returns the entry at a path, or nil if there is none.
  func entry(_ path: RelativePath, in tree: borrowing Handle<TreeKind>, _ what: String) throws(GitError)
    -> Handle<TreeEntryKind>?
  {
    var found: OpaquePointer?
    let code = git_tree_entry_bypath(&found, tree.pointer, path.characters)
    // A missing object on the way has the same code but a different error class.
    if code == GIT_ENOTFOUND.rawValue, git_error_last()?.pointee.klass != Int32(GIT_ERROR_ODB.rawValue) { return nil }
    try check(code, what)
    return found.map { Handle(owning: $0) }
  }
}

extension Handle where Kind == TreeKind {
  var id: ObjectID? { ObjectID(ofTree: pointer) }
}
