import Glibc

extension Folder {
  /// Has the disk keep the folder with everything beneath it, even if the power fails.
  func synchronize() throws(IntegratingError) {
    for name in names() {
      guard let status = stat(file(name)) else { continue }
      if status.isFile { try Self.synchronize(file(name)) }
      if status.isFolder { try folder(name).synchronize() }
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
