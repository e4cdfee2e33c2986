import Glibc

extension Folder {
  /// Has the disk keep the folder with everything beneath it, even if the power fails.
  func synchronize() throws(IntegratingError) {
    for name in names() {
      var status = stat()
      guard lstat(file(name), &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: try Self.synchronize(file(name))
      case S_IFDIR: try folder(name).synchronize()
      default: break
      }
    }
    try synchronizeNames()
  }

  /// Has the disk keep what was renamed into the folder, even if the power fails.
  func synchronizeNames() throws(IntegratingError) { try Self.synchronize(path) }

  private static func synchronize(_ path: String) throws(IntegratingError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .storage("read", path, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .storage("write", path, errno: errno) }
  }
}
