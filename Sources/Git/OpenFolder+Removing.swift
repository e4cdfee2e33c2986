import Glibc

extension OpenFolder {
  /// How deep folders are entered; what lies deeper is first moved up, so that no nesting exhausts the stack.
  private static let deepest = 64

  /// Removes a file, a link or a folder with all it holds; links are never followed. Nothing there is fine.
  func remove(_ file: RelativePath) throws(GitError) {
    var waiting = [file]
    var moved = 0
    while let next = waiting.popLast() {
      try remove(next, in: descriptor, depth: 0) { name, parent throws(GitError) in
        moved += 1
        let place = RelativePath(".martlet-discarded-\(getpid())-\(moved)")
        if renameat(parent, name.characters, descriptor, place.characters) != 0 {
          throw GitError(errno: errno, doing: "Cannot remove \(describe(file))")
        }
        waiting.append(place)
      }
    }
  }

  /// Removes everything in the folder.
  func removeAll() throws(GitError) {
    for name in try names() { try remove(name) }
  }

  private func remove(
    _ name: RelativePath, in parent: Int32, depth: Int,
    tooDeep: (RelativePath, Int32) throws(GitError) -> Void
  ) throws(GitError) {
    if unlinkat(parent, name.characters, 0) == 0 || errno == ENOENT || errno == ENOTDIR { return }
    if errno == EACCES, OpenFolder.giveBackPermissions(parent), unlinkat(parent, name.characters, 0) == 0 { return }
    guard errno == EISDIR || errno == EPERM else {
      throw GitError(errno: errno, doing: "Cannot remove \(describe(name))")
    }
    if depth == OpenFolder.deepest { return try tooDeep(name, parent) }
    let folder = try openForRemoval(name, in: parent)
    defer { close(folder) }
    try requireSameDisk(folder, as: parent, name)
    for child in OpenFolder.names(closing: openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
      try remove(child, in: folder, depth: depth + 1, tooDeep: tooDeep)
    }
    if unlinkat(parent, name.characters, AT_REMOVEDIR) != 0, errno != ENOENT {
      throw GitError(errno: errno, doing: "Cannot remove \(describe(name))")
    }
  }

  /// Opens a folder whose content is to be removed, after giving its owner the permissions to do so.
  private func openForRemoval(_ name: RelativePath, in parent: Int32) throws(GitError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = openat(parent, name.characters, flags)
    if folder < 0, errno == EACCES {
      // Only folders come here, so nothing is followed.
      _ = fchmodat(parent, name.characters, 0o700, 0)
      folder = openat(parent, name.characters, flags)
    }
    if folder < 0 { throw GitError(errno: errno, doing: "Cannot remove \(describe(name))") }
    OpenFolder.giveBackPermissions(folder)
    return folder
  }

  /// Lets the owner of an open folder into it again. Returns whether anything had to change.
  @discardableResult
  private static func giveBackPermissions(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_mode & 0o700 != 0o700 && fchmod(folder, 0o700) == 0
  }

  /// What is mounted in a folder belongs to somebody else.
  private func requireSameDisk(_ folder: Int32, as parent: Int32, _ name: RelativePath) throws(GitError) {
    var (inner, outer) = (stat(), stat())
    guard fstat(folder, &inner) == 0, fstat(parent, &outer) == 0, inner.st_dev != outer.st_dev else { return }
    throw GitError(
      .io, "Cannot remove \(describe(name))", because: "a disk is mounted there", next: "Unmount it, and try again.")
  }
}
