import Glibc

/// A lock that one process at a time can hold; the kernel releases it when the process ends, for whatever reason.
package struct FileLock: ~Copyable {
  package let path: String
  /// The lock's open file.
  package let descriptor: Int32

  /// Opens the lock's file, creating it if necessary; nil, with the reason in `errno`, if that is impossible. Does not
  /// take the lock.
  package init?(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    // Closing the file may not release the lock: a program that is being started may briefly hold a copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock. Returns 0, or the error number: `EWOULDBLOCK` if another process holds it and this does not wait.
  package borrowing func take(waiting: Bool) -> Int32 {
    while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { return errno }
    }
    return 0
  }
}
