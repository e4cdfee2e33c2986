import Glibc

/// The lock of a workspace or mirror, held while building or fetching in it.
struct WorkspaceLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock of a workspace; nil if it is in use or gone.
  init?(_ folder: String) throws(KeepingError) {
    let path = "\(folder)/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("lock", path, errno: errno)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(descriptor)
      if number == EWOULDBLOCK { return nil }
      throw .system("lock", path, errno: number)
    }
    self.descriptor = descriptor
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

  deinit {
    // Not left to closing the descriptor: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
