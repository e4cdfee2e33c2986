import CLibgit2

/// A check whether files are short enough to be compared line by line.
struct FileSizes: ~Copyable {
  /// The longest file to compare, in bytes. A longer file is data, and comparing it would take too long.
  static let most = 16 << 20

  private let database: Handle<DatabaseKind>

  init(of repository: borrowing Repository, _ what: String) throws(GitError) {
    database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, repository.handle.pointer) }
  }

  /// Returns whether both sides of a change are short enough.
  func areFit(_ delta: git_diff_delta) -> Bool {
    [delta.old_file, delta.new_file].allSatisfy { file in
      if Int(clamping: file.size) > Self.most { return false }
      var (size, type, id) = (0, GIT_OBJECT_BLOB, file.id)
      // Content that is not an object in the repository has its size from the disk.
      guard git_odb_read_header(&size, &type, database.pointer, &id) == 0 else { return true }
      return size <= Self.most
    }
  }
}
