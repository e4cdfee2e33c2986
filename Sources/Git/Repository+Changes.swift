import CLibgit2
import Glibc
package import Model

extension Repository {
  /// The changes in the work tree that are not in HEAD's commit: tracked files that differ or are gone, and files that
  /// are neither tracked nor ignored. Submodules' changes are among them, and a submodule whose commit is another one.
  ///
  /// Nothing is written, not even the repository's index. A bare repository has no work tree and is refused.
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

  /// The changes of this work tree, those of the repositories nested in it left out.
  func ownChanges() throws(GitError) -> FileChanges {
    let what = "Cannot read the changes in \(path.quoted)"
    guard let workTree else {
      throw GitError(
        .other, what, because: "it is a bare repository and has no work tree",
        next: "Name a commit, or a repository with a work tree.")
    }
    let commit = try head().commit.objectID()
    var changes = FileChanges(root: workTree, commit: commit)
    let folder = try Folder(workTree)
    let links = try submodules(of: commit, what)
    for path in Set(links.head.keys).union(links.index) {
      if try folder.status(of: path.appending(RelativePath(".git"))) != nil {
        changes.repositories.append((path, links.head[path]?.commitID))
      } else if !links.index.contains(path) {
        changes.deleted.append(path)
      }
    }
    let known = Set(changes.repositories.map(\.path)).union(links.head.keys)
    try eachStatus(what) { path, status throws(GitError) in
      guard !known.contains(path.withoutSlash) else { return }
      try changes.add(path, status, in: folder)
    }
    changes.repositories.sort { $0.path < $1.path }
    return changes
  }

  /// The submodules of a commit, and those that the index has.
  private func submodules(of commit: ObjectID, _ what: String) throws(GitError)
    -> (head: [RelativePath: ObjectID], index: Set<RelativePath>)
  {
    let tree = try Tree(try tree(of: commit, what), under: RelativePath(""), of: self)
    let links = tree.entries.filter { $0.kind == .submodule }.map { ($0.path, $0.id) }
    let index = try Handle<IndexKind>(what) { git_repository_index(&$0, handle.pointer) }
    var paths: Set<RelativePath> = []
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let entry = git_index_get_byindex(index.pointer, position)?.pointee else { continue }
      if TreeEntry.Kind(entry.fileMode) == .submodule { paths.insert(RelativePath(entry.path)) }
    }
    return (Dictionary(links, uniquingKeysWith: { first, _ in first }), paths)
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

/// The changes in one work tree, with the paths as git has them.
struct FileChanges {
  /// The root of the work tree.
  let root: String
  /// HEAD's commit.
  let commit: ObjectID
  var modified: [RelativePath] = []
  var untracked: [RelativePath] = []
  var deleted: [RelativePath] = []
  /// Folders of the work tree that are repositories, with the commit that HEAD's commit has for them.
  var repositories: [(path: RelativePath, commit: CommitID?)] = []
  /// How many files there are more than in the commit, and how many of the commit's are gone.
  private(set) var addedFiles = 0
  private(set) var deletedFiles = 0

  init(root: String, commit: ObjectID) {
    self.root = root
    self.commit = commit
  }

  /// Files it over by what is on the disk now, whatever the index says of it.
  mutating func add(_ path: RelativePath, _ status: git_status_t, in folder: borrowing Folder) throws(GitError) {
    let isUntracked = status == GIT_STATUS_WT_NEW
    let isNew = isUntracked || status.rawValue & GIT_STATUS_INDEX_NEW.rawValue != 0
    guard let file = try folder.status(of: path.withoutSlash) else {
      return isNew ? () : delete(path)
    }
    if file.isFolder {
      let isRepository = try folder.status(of: path.withoutSlash.appending(RelativePath(".git"))) != nil
      if isRepository { repositories.append((path.withoutSlash, nil)) }
      if !isNew { delete(path.withoutSlash) }
    } else if file.isFile || file.isLink {
      if isUntracked { untracked.append(path) } else { modified.append(path) }
      addedFiles += isNew ? 1 : 0
    }
  }

  private mutating func delete(_ path: RelativePath) {
    deleted.append(path)
    deletedFiles += 1
  }
}

extension WorkingTreeChanges {
  init(_ changes: FileChanges) {
    self.init(
      modified: changes.modified.map(\.text), untracked: changes.untracked.map(\.text),
      deleted: changes.deleted.map(\.text))
  }

  /// Adds the changes of the repository at `path`.
  mutating func add(_ nested: WorkingTreeChanges, at path: RelativePath) {
    modified += nested.modified.map { "\(path.text)/\($0)" }
    untracked += nested.untracked.map { "\(path.text)/\($0)" }
    deleted += nested.deleted.map { "\(path.text)/\($0)" }
  }

  var sorted: WorkingTreeChanges {
    WorkingTreeChanges(modified: modified.sorted(), untracked: untracked.sorted(), deleted: deleted.sorted())
  }
}
