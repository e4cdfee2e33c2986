import CLibgit2
import Model

/// The changes in a single work tree, with paths as git stores them.
struct FileChanges {
  /// The root of the work tree.
  let root: String
  /// HEAD's commit.
  let commit: ObjectID
  var modified: [RelativePath] = []
  /// Files that HEAD's commit does not have, whether the index does or not.
  var added: [RelativePath] = []
  var deleted: [RelativePath] = []
  /// Folders of the work tree that are repositories, each with the commit recorded for it in HEAD's commit.
  var repositories: [(path: RelativePath, commit: CommitID?)] = []
  /// The number of files among those deleted, which may be submodules as well.
  private(set) var deletedFiles = 0

  init(root: String, commit: ObjectID) {
    self.root = root
    self.commit = commit
  }

  /// Classifies a changed path by what is on disk now, regardless of what the index says.
  mutating func add(_ path: RelativePath, _ status: git_status_t, in folder: borrowing OpenFolder) throws(GitError) {
    // A file that only the index lost is untracked as well, but not new.
    let isNew = status == GIT_STATUS_WT_NEW || status.rawValue & GIT_STATUS_INDEX_NEW.rawValue != 0
    guard let file = try folder.status(of: path.withoutSlash) else {
      return isNew ? () : delete(path)
    }
    if file.isFolder {
      let isRepository = try folder.status(of: path.withoutSlash.appending(RelativePath(".git"))) != nil
      if isRepository { repositories.append((path.withoutSlash, nil)) }
      if !isNew { delete(path.withoutSlash) }
    } else if file.isFile || file.isLink {
      if isNew { added.append(path) } else { modified.append(path) }
    } else if !isNew {
      delete(path)
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
      modified: changes.modified.map(\.text), added: changes.added.map(\.text),
      deleted: changes.deleted.map(\.text))
  }

  mutating func add(_ nested: WorkingTreeChanges, at path: RelativePath) {
    modified += nested.modified.map { "\(path.text)/\($0)" }
    added += nested.added.map { "\(path.text)/\($0)" }
    deleted += nested.deleted.map { "\(path.text)/\($0)" }
  }

  var sorted: WorkingTreeChanges {
    WorkingTreeChanges(modified: modified.sorted(), added: added.sorted(), deleted: deleted.sorted())
  }
}
