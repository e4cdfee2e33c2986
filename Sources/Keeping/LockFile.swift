import Glibc

/// An open file for a lock, which is let go of when its owner is destroyed, and by the kernel when the process ends.
struct LockFile: ~Copyable {
  let descriptor: Int32

  /// Opens the file, making it if there is none; nil, with the reason in `errno`, if that is impossible.
  init?(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// Takes the lock. Returns 0, or the reason it is unavailable.
  borrowing func take() -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

  deinit {
    // Not left to closing the descriptor: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
