import CLibgit2
import Glibc

extension Checkout {
  /// Lets libgit2 write the files that are missing and remove those that are neither in the tree nor ignored.
  func write() throws(GitError) {
    var options = git_checkout_options()
    try check(git_checkout_options_init(&options, UInt32(GIT_CHECKOUT_OPTIONS_VERSION)), what)
    let strategy =
      [
        GIT_CHECKOUT_FORCE, GIT_CHECKOUT_REMOVE_UNTRACKED, GIT_CHECKOUT_NO_REFRESH, GIT_CHECKOUT_DONT_WRITE_INDEX,
        GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH,
      ] + (state.workspace.keepsIgnored ? [] : [GIT_CHECKOUT_REMOVE_IGNORED])
    options.checkout_strategy = strategy.reduce(0) { $0 | $1.rawValue }
    // What is there is right; compared with this tree it is left alone, and what is missing is written.
    options.baseline = tree.pointer
    options.file_open_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    options.notify_flags = GIT_CHECKOUT_NOTIFY_UNTRACKED.rawValue
    options.notify_cb = { _, path, _, _, _, payload in
      guard let path, let payload else { return 0 }
      Unmanaged<Untracked>.fromOpaque(payload).takeUnretainedValue().paths.append(RelativePath(path))
      return 0
    }
    let untracked = Untracked()
    options.notify_payload = Unmanaged.passUnretained(untracked).toOpaque()
    let code = git_checkout_tree(repository.pointer, tree.pointer, &options)
    try check(code, what)
    withExtendedLifetime(untracked) {}
    // libgit2 spares folders that hold a repository.
    for path in untracked.paths { try folder.remove(path.withoutSlash) }
  }

  /// Gives every file the time of its content, has the index know the files as they are now, and returns the paths of
  /// those that had another time because they were just written.
  func setTimes(_ index: borrowing Handle<IndexKind>) throws(GitError) -> [String] {
    let database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, repository.pointer) }
    var written: [String] = []
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let found = git_index_get_byindex(index.pointer, position) else { continue }
      var entry = found.pointee
      guard TreeEntry.Kind(entry.fileMode) != .submodule else { continue }
      let path = RelativePath(entry.path)
      try folder.dropPrivileges(of: path, present(path))
      var status = try present(path)
      let time = try self.time(of: path, status, content: ObjectID(entry.id), in: database)
      if FileTime(status.st_mtim) != time {
        try folder.setTime(time, of: path)
        status = try present(path)
        written.append(path.text)
      }
      if !entry.isUnchanged(status) {
        entry.record(status)
        try check(git_index_add(index.pointer, &entry), what)
      }
    }
    return written.sorted()
  }

  private func present(_ path: RelativePath) throws(GitError) -> stat {
    if let status = try folder.status(of: path) { return status }
    throw GitError(
      .io, what, because: "\(folder.describe(path)) vanished while it was written",
      next: "Let nothing else work in the workspace, and try again.")
  }

  /// The time that a file should have. A file that a filter made other than the content in the repository, as with
  /// line endings, gets it from its own bytes, for the same content can become different files.
  private func time(
    of path: RelativePath, _ status: stat, content: ObjectID, in database: borrowing Handle<DatabaseKind>
  ) throws(GitError) -> FileTime {
    let time = FileTime(of: content)
    if FileTime(status.st_mtim) == time { return time }
    var size = 0
    var type = git_object_t(rawValue: 0)
    var raw = content.raw
    try check(git_odb_read_header(&size, &type, database.pointer, &raw), what)
    if status.isLink || Int(status.st_size) == size { return time }
    return FileTime(of: try ObjectID(hashing: path, in: folder))
  }

  /// The paths that libgit2 reported while it worked.
  private final class Untracked {
    var paths: [RelativePath] = []
  }
}

extension ObjectID {
  /// The name that the bytes of a file would have in a repository; nothing is written.
  init(hashing file: RelativePath, in folder: borrowing OpenFolder) throws(GitError) {
    var raw = git_oid()
    let path = folder.path.utf8CString.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + file.characters
    let code = Array(path).withUnsafeBufferPointer { git_odb_hashfile(&raw, $0.baseAddress, GIT_OBJECT_BLOB) }
    try check(code, "Cannot read \(folder.describe(file))")
    self.raw = raw
  }
}

extension RelativePath {
  /// The path without the slash that libgit2 puts behind folders.
  var withoutSlash: RelativePath {
    bytes.last == UInt8(ascii: "/") ? RelativePath(bytes.dropLast()) : self
  }
}
