import CLibgit2
import Glibc
package import Model

extension Repository {
  /// Returns the changes in the work tree that are not in HEAD's commit: tracked files that differ or are missing, and
  /// files that are neither tracked nor ignored. Includes the changes in submodules, and submodules at a different
  /// commit.
  ///
  /// Nothing is written, not even the repository's index. Throws for a bare repository, which has no work tree.
  package func changes() throws(GitError) -> WorkingTreeChanges {
    let changes = try ownChanges()
    var model = WorkingTreeChanges(changes)
    for link in changes.repositories {
      let nested = try Repository(exactly: "\(changes.root)/\(link.path.text)")
      if try link.commit != nested.head().commit { model.modified.append(link.path.text) }
      model.add(try nested.changes(), at: link.path)
    }
    return model.sorted
  }

  /// Returns the changes of this work tree, excluding those of repositories nested in it.
  func ownChanges() throws(GitError) -> FileChanges {
    let what = "Cannot read the changes in \(path.quoted)"
    guard let workTree else {
      throw GitError(
        .other, what, because: "it is a bare repository and has no work tree",
        next: "Name a commit, or a repository with a work tree.")
    }
    let commit = try head().commit.objectID()
    var changes = FileChanges(root: workTree, commit: commit)
    let folder = try OpenFolder(workTree)
    let links = try submodules(of: commit, what)
    let index = try IndexPaths(of: self, what)
    for path in Set(links.keys).union(index.submodules) {
      if try folder.status(of: path.appending(RelativePath(".git"))) != nil {
        changes.repositories.append((path, links[path]?.commitID))
      } else if !index.submodules.contains(path) {
        changes.deleted.append(path)
      }
    }
    let known = Set(changes.repositories.map(\.path)).union(links.keys)
    let tree = try self.tree(of: commit, what)
    try eachStatus(what) { path, status throws(GitError) in
      let isLeftOut = index.leftOut.contains(path) && status == GIT_STATUS_WT_DELETED
      if isLeftOut || known.contains(path.withoutSlash) { return }
      if status.isStaged, try holds(path, in: tree, asIn: folder, what) { return }
      try changes.add(path, status, in: folder)
    }
    changes.repositories.sort { $0.path < $1.path }
    return changes
  }

  private func submodules(of commit: ObjectID, _ what: String) throws(GitError) -> [RelativePath: ObjectID] {
    let tree = try Tree(try tree(of: commit, what), under: RelativePath(""), of: self)
    let links = tree.entries.filter { $0.kind == .submodule }.map { ($0.path, $0.id) }
    return Dictionary(links, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether a file is on disk as in a commit, whatever the index has instead.
  private func holds(
    _ path: RelativePath, in tree: borrowing Handle<TreeKind>, asIn folder: borrowing OpenFolder, _ what: String
  ) throws(GitError) -> Bool {
    guard let file = try folder.status(of: path), let entry = try entry(path, in: tree, what),
      let id = git_tree_entry_id(entry.pointer)
    else { return false }
    let kind = TreeEntry.Kind(git_tree_entry_filemode(entry.pointer))
    if file.isLink {
      let target = ObjectID(hashing: try folder.target(of: path))
      return kind == .symlink && ObjectID(id.pointee) == target
    }
    guard file.isFile, kind == (file.st_mode & 0o100 == 0 ? .file : .executable) else { return false }
    var hash = git_oid()
    try check(git_repository_hashfile(&hash, handle.pointer, path.characters, GIT_OBJECT_BLOB, nil), what)
    return ObjectID(id.pointee) == ObjectID(hash)
  }

  private func eachStatus(_ what: String, _ take: (RelativePath, git_status_t) throws(GitError) -> Void)
    throws(GitError)
  {
    var options = git_status_options()
    try check(git_status_options_init(&options, UInt32(GIT_STATUS_OPTIONS_VERSION)), what)
    let flags = [
      GIT_STATUS_OPT_INCLUDE_UNTRACKED, GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS, GIT_STATUS_OPT_EXCLUDE_SUBMODULES,
      GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH,
    ]
    options.flags = flags.reduce(0) { $0 | $1.rawValue }
    let list = try Handle<StatusListKind>(what) { git_status_list_new(&$0, handle.pointer, &options) }
    for position in 0..<git_status_list_entrycount(list.pointer) {
      guard let entry = git_status_byindex(list.pointer, position)?.pointee else { continue }
      guard let path = (entry.index_to_workdir ?? entry.head_to_index)?.pointee.old_file.path else { continue }
      try take(RelativePath(path), entry.status)
    }
  }
}

extension git_status_t {
  /// Whether the index has another content than HEAD's commit, or none.
  fileprivate var isStaged: Bool {
    let flags = [GIT_STATUS_INDEX_MODIFIED, GIT_STATUS_INDEX_DELETED, GIT_STATUS_INDEX_TYPECHANGE]
    return flags.contains { rawValue & $0.rawValue != 0 }
  }
}

/// The paths in the repository's own index that need special treatment.
private struct IndexPaths {
  private(set) var submodules: Set<RelativePath> = []
  /// Files that a sparse checkout leaves out of the work tree.
  private(set) var leftOut: Set<RelativePath> = []

  init(of repository: borrowing Repository, _ what: String) throws(GitError) {
    let index = try Handle<IndexKind>(what) { git_repository_index(&$0, repository.handle.pointer) }
    for entry in index.entries {
      if TreeEntry.Kind(entry.fileMode) == .submodule { submodules.insert(RelativePath(entry.path)) }
      let isLeftOut = UInt32(entry.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0
      if isLeftOut { leftOut.insert(RelativePath(entry.path)) }
    }
  }
}
