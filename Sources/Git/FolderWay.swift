import Glibc

/// The folders on the way to workspace files, each ensured to be a real one.
///
/// Code under test may have put a link in a folder's place, and writing to a path below it would write outside the
/// workspace. A repository created there is removed too, because git and libgit2 treat its folder as foreign.
struct FolderWay {
  private var known: Set<RelativePath> = []
  private static let repository = RelativePath(".git")

  /// Removes anything on the way to `file` that should be a folder but is not. Missing folders stay missing.
  mutating func clear(to file: RelativePath, in root: borrowing OpenFolder) throws(GitError) {
    for folder in file.folders where !known.contains(folder) {
      guard let status = try root.status(of: folder) else { return }
      guard status.isFolder else { return try root.remove(folder) }
      if status.st_mode & 0o700 != 0o700 { _ = fchmodat(root.descriptor, folder.characters, 0o755, 0) }
      try root.remove(folder.appending(FolderWay.repository))
      known.insert(folder)
    }
  }

  /// Creates the folders on the way to `file`, replacing anything else that is there.
  mutating func make(to file: RelativePath, in root: borrowing OpenFolder) throws(GitError) {
    try clear(to: file, in: root)
    for folder in file.folders where !known.contains(folder) {
      try root.makeFolder(folder)
      known.insert(folder)
    }
  }
}
