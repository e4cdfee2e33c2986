import Glibc

/// The lock of a workspace or mirror, held while building or fetching in it.
struct WorkspaceLock: ~Copyable {
  private let file: LockFile

  /// Takes the lock of a workspace; nil if it is in use or gone.
  init?(_ folder: String) throws(KeepingError) {
    let path = "\(folder)/lock"
    guard let file = LockFile(path) else {
      if errno == ENOENT { return nil }
      throw .system("lock", path, errno: errno)
    }
    let number = file.take()
    if number == EWOULDBLOCK { return nil }
    if number != 0 { throw .system("lock", path, errno: number) }
    self.file = file
  }

  /// Returns whether a workspace is in use. Leaves no traces.
  static func isHeld(_ folder: String) -> Bool {
    let descriptor = open("\(folder)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    flock(descriptor, LOCK_UN)
    return false
  }
}
