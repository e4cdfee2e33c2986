import CLibgit2
import Glibc

extension Checkout {
  /// Removes from the workspace what the index does not vouch for and whatever stands where the tree has a file.
  ///
  /// The index vouches for a file of the tree that nobody has touched since Martlet wrote it: the time of the last
  /// change of its inode, which no program can set, is the same.
  func removeUntracked(_ index: borrowing Handle<IndexKind>, copied: [RelativePath]) throws(GitError) {
    var way = FolderWay()
    try folder.remove(RelativePath(".git"))
    for path in copied {
      try way.clear(to: path, in: folder)
      try folder.remove(path)
      try state.forgetSubmodule(at: path)
    }
    let targets = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: Set<RelativePath> = []
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let entry = git_index_get_byindex(index.pointer, position)?.pointee else { continue }
      let path = RelativePath(entry.path)
      try way.clear(to: path, in: folder)
      if try isKept(entry, at: path, target: targets[path]) {
        kept.insert(path)
      } else {
        try folder.remove(path)
        if TreeEntry.Kind(entry.fileMode) == .submodule { try state.forgetSubmodule(at: path) }
      }
    }
    for entry in entries where !kept.contains(entry.path) {
      try way.clear(to: entry.path, in: folder)
      try folder.remove(entry.path)
    }
  }

  private func isKept(_ entry: git_index_entry, at path: RelativePath, target: Tree.Entry?) throws(GitError) -> Bool {
    guard let target, target.kind == TreeEntry.Kind(entry.fileMode) else { return false }
    guard let status = try folder.status(of: path) else { return false }
    if target.kind == .submodule {
      // Its own checkout compares what is in it.
      try folder.remove(path.appending(RelativePath(".git")))
      return status.isFolder
    }
    return target.id == ObjectID(entry.id) && entry.isUnchanged(status)
  }
}

extension git_index_entry {
  var fileMode: git_filemode_t { git_filemode_t(rawValue: mode) }

  /// Whether the file is the one that the entry was made from.
  func isUnchanged(_ status: stat) -> Bool {
    var now = self
    now.record(status)
    return now.ctime.seconds == ctime.seconds && now.ctime.nanoseconds == ctime.nanoseconds
      && now.mtime.seconds == mtime.seconds && now.mtime.nanoseconds == mtime.nanoseconds
      && now.ino == ino && now.file_size == file_size
  }

  /// Takes over what the file system knows of the file; an index keeps the lower 32 bits of each number.
  mutating func record(_ status: stat) {
    ctime = git_index_time(status.st_ctim)
    mtime = git_index_time(status.st_mtim)
    dev = UInt32(truncatingIfNeeded: status.st_dev)
    ino = UInt32(truncatingIfNeeded: status.st_ino)
    uid = status.st_uid
    gid = status.st_gid
    file_size = UInt32(truncatingIfNeeded: status.st_size)
  }
}

extension git_index_time {
  init(_ time: timespec) {
    self.init(
      seconds: Int32(truncatingIfNeeded: time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }
}
