import Glibc

/// The lock of a workspace, which whoever builds in it holds.
struct WorkspaceLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock of a workspace; nil when somebody uses it, or when it is gone.
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

  deinit {
    // Not left to the closing: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
