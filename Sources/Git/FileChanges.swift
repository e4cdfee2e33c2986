import CLibgit2
import Model

/// The changes in a single work tree, with paths as git stores them.
struct FileChanges {
  /// The root of the work tree.
  let root: String
  /// HEAD's commit.
  let commit: ObjectID
  var modified: [RelativePath] = []
  var untracked: [RelativePath] = []
  var deleted: [RelativePath] = []
  /// Folders of the work tree that are repositories, each with the commit recorded for it in HEAD's commit.
  var repositories: [(path: RelativePath, commit: CommitID?)] = []
  /// The number of files added, and deleted, relative to HEAD's commit.
  private(set) var addedFiles = 0
  private(set) var deletedFiles = 0

  init(root: String, commit: ObjectID) {
    self.root = root
    self.commit = commit
  }

  /// Classifies a changed path by what is on disk now, regardless of what the index says.
  mutating func add(_ path: RelativePath, _ status: git_status_t, in folder: borrowing OpenFolder) throws(GitError) {
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
      modified: changes.modified.map(\.text), untracked: changes.untracked.map(\.text),
      deleted: changes.deleted.map(\.text))
  }

  mutating func add(_ nested: WorkingTreeChanges, at path: RelativePath) {
    modified += nested.modified.map { "\(path.text)/\($0)" }
    untracked += nested.untracked.map { "\(path.text)/\($0)" }
    deleted += nested.deleted.map { "\(path.text)/\($0)" }
  }

  var sorted: WorkingTreeChanges {
    WorkingTreeChanges(modified: modified.sorted(), untracked: untracked.sorted(), deleted: deleted.sorted())
  }
}
